//! Drawings of a page: the empty board, and lines with their intervals over a number of games.

use std::fmt::Write;

/// Points from one line of the board to the next, and from the edge to the first.
const STEP: i32 = 100;
const EDGE: i32 = 60;

/// The lines of the board, Red below, as the inside of an `svg` of [`BOARD_SIZE`].
pub fn board() -> String {
    let mut path = String::new();
    let mut line = |from: (i32, i32), to: (i32, i32)| {
        let [(x0, y0), (x1, y1)] = [from, to].map(|(file, row)| (at(file), at(row)));
        let _ = write!(path, "M{x0} {y0}L{x1} {y1}");
    };
    (0..10).for_each(|row| line((0, row), (8, row)));
    for file in 0..9 {
        // Inner files end at the river's banks.
        let bank = if file % 8 == 0 { 9 } else { 4 };
        line((file, 0), (file, bank));
        line((file, 9 - bank), (file, 9));
    }
    for row in [0, 7] {
        line((3, row), (5, row + 2));
        line((5, row), (3, row + 2));
    }
    let mut text = format!("<path class=\"lines\" d=\"{path}\"/><path class=\"marks\" d=\"");
    let pawns = [3, 6].into_iter().flat_map(|row| [0, 2, 4, 6, 8].map(|file| (file, row)));
    let cannons = [2, 7].into_iter().flat_map(|row| [1, 7].map(|file| (file, row)));
    pawns.chain(cannons).for_each(|(file, row)| text += &home_mark(file, row));
    let (left, right, river) = (at(2), at(6), at(4) + STEP / 2);
    let _ = write!(
        text,
        "\"/><g class=\"river\" lang=\"zh-Hans\"><text x=\"{left}\" y=\"{river}\">楚河</text>\
         <text x=\"{right}\" y=\"{river}\">汉界</text></g>"
    );
    text
}

/// Width and height of the board.
pub const BOARD_SIZE: (i32, i32) = (8 * STEP + 2 * EDGE, 9 * STEP + 2 * EDGE);

fn at(line: i32) -> i32 {
    EDGE + line * STEP
}

/// The four corners around the home of a cannon or pawn.
fn home_mark(file: i32, row: i32) -> String {
    let mut path = String::new();
    for (x, y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        if (0..9).contains(&(file + x)) {
            let (near, far) = (8, 22);
            let (left, top) = (at(file) + near * x, at(row) + near * y);
            let (tip, end) = (at(file) + far * x, at(row) + far * y);
            let _ = write!(path, "M{tip} {top}H{left}V{end}");
        }
    }
    path
}

/// One line of a chart.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Games, value, and half the width of its interval; all finite.
    pub points: Vec<(u32, f64, f64)>,
    /// Games in all, those without a point too.
    pub games: u32,
}

/// Points a line is drawn with at most: more than a screen has columns for.
const MOST_POINTS: usize = 400;

/// Rating over games: a line for each player with its interval as a band, and the labels of both
/// axes as elements beside it, so that text keeps its size whatever the width of the page. `None`
/// while there is nothing to draw.
pub fn rating_chart(curves: &[Curve]) -> Option<String> {
    let scale = Scale::of(curves)?;
    let mut svg = String::new();
    let mut labels = String::new();
    for value in scale.values() {
        let y = scale.y(value);
        let (class, text) = match value {
            0.0 => ("grid zero", "0".to_owned()),
            _ => ("grid", format!("{value:+}")),
        };
        let top = y / 10.0;
        let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {y:.1}H1000\"/>");
        let _ = write!(labels, "<span class=\"y\" style=\"top:{top:.2}%\">{text}</span>");
    }
    for games in scale.games() {
        let x = scale.x(games) / 10.0;
        let _ = write!(labels, "<span class=\"x\" style=\"left:{x:.2}%\">{games}</span>");
    }
    // All bands first, so that none hides a line.
    for (number, curve) in curves.iter().enumerate() {
        let edge = |sign: f64| {
            curve.path(|&(games, value, margin)| (games, value + sign * margin), &scale)
        };
        let (upper, lower) = (edge(1.0), edge(-1.0));
        if !upper.is_empty() {
            let lower: Vec<String> = lower.into_iter().rev().collect();
            let (upper, lower) = (upper.join("L"), lower.join("L"));
            let _ =
                write!(svg, "<path class=\"band c{}\" d=\"M{upper}L{lower}Z\"/>", number % COLORS);
        }
    }
    for (number, curve) in curves.iter().enumerate() {
        let line = curve.path(|&(games, value, _)| (games, value), &scale).join("L");
        if !line.is_empty() {
            let _ = write!(svg, "<path class=\"line c{}\" d=\"M{line}\"/>", number % COLORS);
        }
    }
    Some(format!(
        "<div class=\"chart\"><div class=\"plot\"><svg viewBox=\"0 0 1000 1000\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\">{svg}</svg>{labels}</div></div>"
    ))
}

/// Colours of lines; the style sheet has as many, each with its own dashes.
pub const COLORS: usize = 8;

impl Curve {
    fn path(&self, value: impl Fn(&(u32, f64, f64)) -> (u32, f64), scale: &Scale) -> Vec<String> {
        let count = self.points.len();
        let step = count.div_ceil(MOST_POINTS).max(1);
        // The last point is what counts, so the line is thinned out from its end.
        let kept = self.points.iter().rev().step_by(step).rev();
        let point = |(games, value)| format!("{:.1} {:.1}", scale.x(games), scale.y(value));
        kept.map(value).map(point).collect()
    }
}

/// From games and ratings to a square of 1000 by 1000, its origin at the top left.
struct Scale {
    games: u32,
    low: f64,
    high: f64,
}

impl Scale {
    /// Wide enough for all but the first games, whose intervals are as wide as they like.
    fn of(curves: &[Curve]) -> Option<Scale> {
        let games = curves.iter().map(|curve| curve.games).max()?;
        let settled = curves.iter().flat_map(|curve| {
            let settled = curve.points.iter().filter(|point| point.0 * 4 >= curve.games);
            settled.flat_map(|&(_, value, margin)| [value - margin, value + margin])
        });
        let (low, high) = settled.fold((0f64, 0f64), |(low, high), it| (low.min(it), high.max(it)));
        let room = 0.05 * (high - low);
        (high > low).then_some(Scale { games, low: low - room, high: high + room })
    }

    fn x(&self, games: u32) -> f64 {
        1000.0 * f64::from(games) / f64::from(self.games.max(1))
    }

    /// Values far outside stay near, so that no number grows without end.
    fn y(&self, value: f64) -> f64 {
        (1000.0 * (self.high - value) / (self.high - self.low)).clamp(-1000.0, 2000.0)
    }

    /// Round values for lines across.
    fn values(&self) -> Vec<f64> {
        let step = round_step((self.high - self.low) / 6.0);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).map(|number| number as f64 * step).collect()
    }

    /// Round numbers of games.
    fn games(&self) -> Vec<u32> {
        let step = round_step(f64::from(self.games) / 6.0).max(1.0) as u32;
        (0..=self.games).step_by(step as usize).collect()
    }
}

/// The next larger number of the form 1, 2 or 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    steps.into_iter().find(|&step| step >= least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 1.1, 4.9, 5.1, 170.0].map(round_step);
        assert_eq!(steps, [0.5, 1.0, 2.0, 5.0, 10.0, 200.0]);
    }

    #[test]
    fn a_chart_needs_points_and_thins_them_out_from_the_end() {
        assert!(rating_chart(&[]).is_none());
        assert!(rating_chart(&[Curve { points: Vec::new(), games: 7 }]).is_none());
        let points = (1..=1000).map(|games| (games, 10.0, 5000.0 / f64::from(games))).collect();
        let chart = rating_chart(&[Curve { points, games: 1000 }]).unwrap();
        let line = chart.split("class=\"line c0\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(line.matches('L').count() + 1, 334);
        assert!(line.split('L').next_back().unwrap().starts_with("1000.0 "), "{line}");
        assert!(chart.contains(">1000</span>") && chart.contains(">0</span>"), "{chart}");
    }

    #[test]
    fn pawns_on_the_edge_have_half_a_mark() {
        assert_eq!(home_mark(0, 3).matches('M').count(), 2);
        assert_eq!(home_mark(4, 3).matches('M').count(), 4);
    }
}
