//! A match as one page: tables, curves, and a board that replays each game. Everything is in the
//! file, nothing is fetched; what scripts draw is only the games.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

use serde_json::Value;

use crate::arena::fault::FaultKind;
use crate::arena::record::Outcome;
use crate::arena::standings::Player;
use crate::arena::stats::Tally;
use crate::arena::{GameRecord, Past, Standings};
use crate::board::Position;
use crate::types::Color;

use super::match_report::{estimate, percent, reason_name, short, sprt_line};
use super::replay::{Line, Replays};
use super::svg::{self, BOARD_SIZE, Curve};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The whole page.
pub fn match_page(past: &Past) -> String {
    let page = Page::new(past);
    let title = Escaped(&page.title()).to_string();
    let (headline, settings) = (page.headline(), page.settings());
    let (standings, crosstable, faults) = (page.standings(), page.crosstable(), page.faults());
    let (curve, openings, endings) = (page.rating_curve(), page.openings(), page.endings());
    let viewer = viewer();
    // All numbers of the data are finite and all keys are text, so there is nothing to fail.
    let data = Replays::new(&past.games).to_script().unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">
<link rel=\"icon\" href=\"data:,\">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<header>
<h1><bdi>{title}</bdi></h1>
{headline}{settings}</header>
{standings}{crosstable}{curve}{faults}{endings}{openings}{viewer}</main>
<footer>Made by hanxin {version}</footer>
<script type=\"application/json\" id=\"data\">{data}</script>
<script>
{SCRIPT}</script>
</body>
</html>
"
    )
}

/// Text that stays text wherever it stands in the page.
struct Escaped<T>(T);

impl<T: AsRef<str>> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.as_ref().chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// An engine's name, which may be written from right to left.
fn name(player: &Player) -> String {
    format!("<bdi>{}</bdi>", Escaped(&player.name))
}

fn section(id: &str, title: &str, body: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n")
}

/// A table that scrolls by itself where it is too wide. The first column is that of the names.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = "<div class=\"scroll\"><table>\n<thead><tr>".to_owned();
    for cell in head {
        let _ = write!(text, "<th scope=\"col\">{cell}</th>");
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in rows {
        text += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let _ = match column {
                0 => write!(text, "<th scope=\"row\">{cell}</th>"),
                _ => write!(text, "<td>{cell}</td>"),
            };
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div>\n"
}

/// How many games Red won, were drawn, and Black won.
#[derive(Clone, Copy, Default)]
struct Split([u32; 3]);

impl Split {
    fn add(&mut self, outcome: Outcome) {
        let Split([red, draw, black]) = self;
        *match outcome {
            Outcome::RedWins => red,
            Outcome::Draw => draw,
            Outcome::BlackWins => black,
        } += 1;
    }

    fn games(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Red's share of the points.
    fn score(&self) -> f64 {
        let Split([red, draw, _]) = *self;
        (f64::from(red) + 0.5 * f64::from(draw)) / f64::from(self.games().max(1))
    }

    /// A bar in three parts with the numbers in it: they tell the parts apart without colour too.
    fn bar(&self, names: [&str; 3]) -> String {
        let [first, draw, last] = names;
        let label = format!("{first} {}, {draw} {}, {last} {}", self.0[0], self.0[1], self.0[2]);
        let mut text = format!("<span class=\"bar\" role=\"img\" aria-label=\"{label}\">");
        for (count, class) in self.0.into_iter().zip(["red", "draw", "black"]) {
            if count > 0 {
                let _ =
                    write!(text, "<i class=\"{class}\" style=\"flex-grow:{count}\">{count}</i>");
            }
        }
        text + "</span>"
    }
}

const SIDES: [&str; 3] = ["Red wins", "draws", "Black wins"];
const RESULTS: [&str; 3] = ["won", "drawn", "lost"];

/// What one opening brought.
struct OpeningScore {
    /// Its moves in Chinese, or its FEN.
    text: String,
    split: Split,
    /// Each engine's points, in halves, and games.
    players: Vec<(usize, u32)>,
}

/// The numbers of a match, gathered in one pass.
struct Page<'a> {
    past: &'a Past,
    standings: Standings,
    curves: Vec<Curve>,
    openings: BTreeMap<usize, OpeningScore>,
    endings: BTreeMap<&'a str, Split>,
    all: Split,
}

impl<'a> Page<'a> {
    fn new(past: &'a Past) -> Page<'a> {
        let mut curves = vec![Curve::default(); past.names().len()];
        let mut openings = BTreeMap::new();
        let standings = past.standings(|game, fixture, standings| {
            let opening = openings
                .entry(game.opening)
                .or_insert_with(|| OpeningScore::new(game, standings.players.len()));
            opening.split.add(game.verdict);
            for (side, index) in Color::ALL.into_iter().zip([fixture.red, fixture.black]) {
                if let Some((half_points, games)) = opening.players.get_mut(index) {
                    *half_points += game.verdict.half_points(side);
                    *games += 1;
                }
                let player = standings.players.get(index);
                if let (Some(player), Some(curve)) = (player, curves.get_mut(index)) {
                    extend(curve, &player.total);
                }
            }
        });
        let (mut endings, mut all) = (BTreeMap::<_, Split>::new(), Split::default());
        for game in &past.games {
            endings.entry(game.reason.as_str()).or_default().add(game.verdict);
            all.add(game.verdict);
        }
        Page { past, standings, curves, openings, endings, all }
    }

    /// The two players of a match between two.
    fn rivals(&self) -> Option<(&Player, &Player)> {
        match &self.standings.players[..] {
            [first, second] => Some((first, second)),
            _ => None,
        }
    }

    fn title(&self) -> String {
        match &self.standings.players[..] {
            [first, second] => format!("{} – {}", first.name, second.name),
            players => format!("Match of {} engines", players.len()),
        }
    }

    fn headline(&self) -> String {
        let mut text = String::new();
        if let Some((first, _)) = self.rivals() {
            let total = &first.total;
            let (points, games) = (total.points(), total.games());
            let split = Split([total.wins, total.draws, total.losses]);
            let _ = writeln!(
                text,
                "<p class=\"score\">{points} : {}</p>\n{}",
                f64::from(games) - points,
                split.bar(RESULTS)
            );
        } else if let Some((_, best)) = self.standings.ranking().first() {
            let (points, games) = (best.total.points(), best.total.games());
            let _ = writeln!(text, "<p class=\"score\">{} {points}/{games}</p>", name(best));
        }
        text += "<dl class=\"tiles\">\n";
        for (term, value) in self.tiles() {
            let _ = writeln!(text, "<div><dt>{term}</dt><dd>{value}</dd></div>");
        }
        text += "</dl>\n";
        if let (Some(sprt), Some((first, _))) = (self.past.sprt(), self.rivals()) {
            let _ = writeln!(text, "<p>{}</p>", Escaped(sprt_line(&sprt, &first.total)));
        }
        text
    }

    fn tiles(&self) -> Vec<(&'static str, String)> {
        let games = &self.past.games;
        let mut tiles = vec![("games", games.len().to_string())];
        if let Some((first, _)) = self.rivals() {
            let los = first.total.los().map_or("-".to_owned(), percent);
            tiles.push(("Elo difference", estimate(first.total.elo())));
            tiles.push(("likely superior", los));
        }
        let mean = |sum: f64| sum / games.len().max(1) as f64;
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let seconds = games.iter().map(|game| game.duration_ms as f64).sum::<f64>() / 1000.0;
        let faults: u32 = self.standings.players.iter().flat_map(|it| it.faults.values()).sum();
        let Split([_, draws, _]) = self.all;
        tiles.push(("Red's score", percent(self.all.score())));
        tiles.push(("draws", percent(mean(f64::from(draws)))));
        tiles.push(("plies a game", format!("{:.0}", mean(plies as f64))));
        tiles.push(("time a game", seconds_text(mean(seconds))));
        tiles.push(("faults", faults.to_string()));
        if let Some(began) = games.iter().map(|game| game.started).min() {
            tiles.push(("began", format!("<time data-seconds=\"{began}\">{began}</time>")));
        }
        tiles
    }

    fn standings(&self) -> String {
        let rows = self.standings.ranking().into_iter().enumerate().map(|(rank, (_, player))| {
            let (total, effort) = (&player.total, &player.effort);
            let Tally { wins, draws, losses, .. } = *total;
            vec![
                format!("{}. {}", rank + 1, name(player)),
                total.games().to_string(),
                total.points().to_string(),
                percent(total.score()),
                Split([wins, draws, losses]).bar(RESULTS),
                estimate(total.elo()),
                estimate(total.normalized_elo()),
                total.los().map_or("-".to_owned(), percent),
                effort.depth().map_or("-".to_owned(), |depth| format!("{depth:.1}")),
                effort.nps().map_or("-".to_owned(), short),
                seconds_text(effort.time().as_secs_f64()),
                milliseconds(effort.time().as_secs_f64() * 1e3 / effort.moves.max(1) as f64),
            ]
        });
        let head = [
            "engine",
            "games",
            "points",
            "score",
            "won, drawn, lost",
            "Elo",
            "normalised",
            "LOS",
            "depth",
            "nodes/s",
            "time",
            "a move",
        ];
        let note = "<p class=\"note\">Elo against all opponents together, with its 95 % interval; \
                    LOS is the likelihood of being the stronger side. Depth, speed and time are \
                    those of the engine's own moves.</p>\n";
        section("standings", "Standings", &(table(&head, rows) + note))
    }

    /// Everyone against everyone, best first, and the pairs of each encounter.
    fn crosstable(&self) -> String {
        let ranking = self.standings.ranking();
        let numbers: Vec<String> = (1..=ranking.len()).map(|rank| format!("{rank}.")).collect();
        let head: Vec<&str> = [""].into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let rows = ranking.iter().enumerate().map(|(rank, (number, player))| {
            let cell = |&(other, _): &(usize, &Player)| {
                let tally = player.against.get(other).filter(|tally| tally.games() > 0);
                match tally {
                    None if other == *number => "<span class=\"self\">×</span>".to_owned(),
                    None => "–".to_owned(),
                    Some(tally) => format!(
                        "<b>{}</b>/{}<small>+{} ={} −{}</small>",
                        tally.points(),
                        tally.games(),
                        tally.wins,
                        tally.draws,
                        tally.losses
                    ),
                }
            };
            let first = format!("{}. {}", rank + 1, name(player));
            [first].into_iter().chain(ranking.iter().map(cell)).collect()
        });
        let cross = table(&head, rows);
        section("crosstable", "Crosstable", &(cross + &self.encounters()))
    }

    fn encounters(&self) -> String {
        let mut rows = Vec::new();
        for (number, player) in self.standings.players.iter().enumerate() {
            for (other, opponent) in self.standings.players.iter().enumerate().skip(number + 1) {
                let tally = player.against.get(other).copied().unwrap_or_default();
                if tally.games() > 0 {
                    let mut row = vec![
                        format!("{} – {}", name(player), name(opponent)),
                        estimate(tally.elo()),
                        tally.los().map_or("-".to_owned(), percent),
                    ];
                    row.extend(tally.pairs.map(|count| count.to_string()));
                    rows.push(row);
                }
            }
        }
        let head = ["encounter", "Elo", "LOS", "0", "½", "1", "1½", "2"];
        let note = "<p class=\"note\">The last five columns count pairs of games (one opening, both \
                    colours) by the points they brought to the first engine.</p>\n";
        table(&head, rows) + note
    }

    fn rating_curve(&self) -> String {
        // Between two the other's curve is the same upside down.
        let shown = if self.rivals().is_some() { 1 } else { self.curves.len() };
        let curves = self.curves.get(..shown).unwrap_or_default();
        let Some(chart) = svg::rating_chart(curves) else { return String::new() };
        let mut legend = "<ul class=\"legend\">".to_owned();
        for (number, player) in self.standings.players.iter().take(shown).enumerate() {
            let color = number % svg::COLORS;
            let _ = write!(
                legend,
                "<li><svg viewBox=\"0 0 36 8\" aria-hidden=\"true\">\
                 <path class=\"line c{color}\" d=\"M0 4H36\"/></svg>{} {}</li>",
                name(player),
                estimate(player.total.elo())
            );
        }
        legend += "</ul>\n";
        let note = "<p class=\"note\">Elo after so many games of the engine; the band is the 95 % \
                    interval.</p>\n";
        section("rating", "Rating", &(legend + &chart + note))
    }

    fn faults(&self) -> String {
        let count = |player: &Player, kind| player.faults.get(&kind).copied().unwrap_or(0);
        let players = &self.standings.players;
        let kinds: Vec<(FaultKind, &str)> = FaultKind::NAMED
            .into_iter()
            .filter(|row| players.iter().any(|player| count(player, row.0) > 0))
            .collect();
        if kinds.is_empty() {
            return section("faults", "Faults", "<p>No engine did anything wrong.</p>\n");
        }
        let head: Vec<&str> = ["engine"].into_iter().chain(kinds.iter().map(|row| row.1)).collect();
        let rows = players.iter().map(|player| {
            let counts = kinds.iter().map(|row| count(player, row.0).to_string());
            [name(player)].into_iter().chain(counts).collect()
        });
        section("faults", "Faults", &table(&head, rows))
    }

    fn endings(&self) -> String {
        let mut endings: Vec<(&str, Split)> = self.endings.iter().map(|(k, v)| (*k, *v)).collect();
        endings.sort_by_key(|ending| std::cmp::Reverse(ending.1.games()));
        let rows = endings.iter().map(|(reason, split)| {
            let reason = reason_name(reason);
            vec![Escaped(&reason).to_string(), split.games().to_string(), split.bar(SIDES)]
        });
        let head = ["reason", "games", "Red won, drawn, Black won"];
        section("endings", "How games ended", &table(&head, rows))
    }

    fn openings(&self) -> String {
        /// With more engines the table is too wide to be read.
        const MOST_COLUMNS: usize = 6;
        let players = &self.standings.players;
        let players = players.get(..).filter(|all| all.len() <= MOST_COLUMNS).unwrap_or_default();
        let names: Vec<String> = players.iter().map(name).collect();
        let mut head = vec!["opening", "games", "Red", "Red won, drawn, Black won"];
        head.extend(names.iter().map(String::as_str));
        let rows = self.openings.iter().map(|(number, opening)| {
            let number = number + 1;
            let mut row = vec![
                format!(
                    "<a href=\"#opening{number}\">{number}</a> \
                     <span lang=\"zh-Hans\">{}</span>",
                    Escaped(&opening.text)
                ),
                opening.split.games().to_string(),
                percent(opening.split.score()),
                opening.split.bar(SIDES),
            ];
            let points = opening.players.iter().take(names.len());
            row.extend(points.map(|(half_points, games)| match games {
                0 => "–".to_owned(),
                _ => format!("{}/{games}", *half_points as f64 / 2.0),
            }));
            row
        });
        let body = format!("<div class=\"tall\">{}</div>\n", table(&head, rows));
        section("openings", "Score by opening", &body)
    }

    /// The settings as the file of games has them.
    fn settings(&self) -> String {
        const COLUMNS: [(&str, &str); 9] = [
            ("name", "engine"),
            ("limits", "limits"),
            ("command", "command"),
            ("args", "arguments"),
            ("options", "options"),
            ("protocol", "protocol"),
            ("dir", "folder"),
            ("ponder", "ponder"),
            ("margin_ms", "margin, ms"),
        ];
        let settings = &self.past.settings;
        let engines = settings["engines"].as_array().map_or(&[][..], Vec::as_slice);
        let rows = engines.iter().map(|engine| {
            let cell = |(key, _): (&str, &str)| match key {
                "options" => options(&engine[key]),
                _ => setting(&engine[key]),
            };
            COLUMNS.map(|column| Escaped(cell(column)).to_string()).to_vec()
        });
        let mut text = "<details><summary>Settings</summary>\n".to_owned();
        text += &table(&COLUMNS.map(|column| column.1), rows);
        text += "<dl class=\"settings\">\n";
        for (key, value) in settings.as_object().into_iter().flatten() {
            if key != "engines" && !value.is_null() {
                let (key, value) = (key.replace('_', " "), setting(value));
                let (key, value) = (Escaped(key), Escaped(value));
                let _ = writeln!(text, "<div><dt>{key}</dt><dd>{value}</dd></div>");
            }
        }
        text + "</dl>\n</details>\n"
    }
}

impl OpeningScore {
    fn new(game: &GameRecord, players: usize) -> OpeningScore {
        let line = Line::of(game);
        let is_start = line.fen == Position::startpos().to_fen();
        let text = match (is_start, line.opening()) {
            (true, []) => "start position".to_owned(),
            (true, moves) => moves.join(" "),
            (false, moves) => format!("{} {}", line.fen, moves.join(" ")),
        };
        OpeningScore { text, split: Split::default(), players: vec![(0, 0); players] }
    }
}

/// Adds the rating after the last game, once it is known within limits.
fn extend(curve: &mut Curve, tally: &Tally) {
    curve.games = tally.games();
    let elo = tally.elo();
    if elo.value.is_finite() && elo.margin.is_finite() {
        curve.points.push((curve.games, elo.value, elo.margin));
    }
}

/// A setting for people: lists and tables without brackets.
fn setting(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(setting).collect::<Vec<_>>().join(" "),
        Value::Object(table) => {
            let pair = |(key, value): (&String, &Value)| format!("{key}={}", setting(value));
            table.iter().map(pair).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// Pairs of names and values.
fn options(value: &Value) -> String {
    let pair = |pair: &Value| format!("{}={}", setting(&pair[0]), setting(&pair[1]));
    value.as_array().into_iter().flatten().map(pair).collect::<Vec<_>>().join(" ")
}

/// A time in seconds with the unit that suits it.
fn seconds_text(seconds: f64) -> String {
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn milliseconds(time: f64) -> String {
    if time < 1000.0 { format!("{time:.1} ms") } else { format!("{:.2} s", time / 1000.0) }
}

/// The board and the list of games, for the script to fill.
fn viewer() -> String {
    let ((width, height), board) = (BOARD_SIZE, svg::board());
    let body = format!(
        "<noscript><p>Games are replayed by a script, which is switched off.</p></noscript>
<div class=\"viewer\" id=\"viewer\" hidden>
<div class=\"stage\">
<p id=\"who\"></p>
<svg id=\"board\" class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"board\">{board}<g id=\"men\" lang=\"zh-Hans\"></g></svg>
<p id=\"said\" aria-live=\"polite\"></p>
<div class=\"controls\">
<button data-go=\"first\" aria-label=\"first move\" title=\"first move (Home)\">«</button>
<button data-go=\"back\" aria-label=\"back\" title=\"back (←)\">‹</button>
<button data-go=\"play\" aria-label=\"play\" title=\"play (space)\">▶&#xFE0E;</button>
<button data-go=\"on\" aria-label=\"forward\" title=\"forward (→)\">›</button>
<button data-go=\"last\" aria-label=\"last move\" title=\"last move (End)\">»</button>
<button data-go=\"turn\" aria-label=\"turn the board\" title=\"turn the board (f)\">⇅</button>
</div>
<input type=\"range\" id=\"ply\" min=\"0\" value=\"0\" aria-label=\"move\">
<label class=\"fen\">FEN <input id=\"fen\" readonly></label>
</div>
<div class=\"sheet\">
<div class=\"chart\"><div class=\"plot small\" id=\"evals\"></div></div>
<p class=\"note\">What each engine thought, in pieces, from Red's side: <svg viewBox=\"0 0 36 8\" aria-hidden=\"true\"><path class=\"line red\" d=\"M0 4H36\"/></svg> Red, <svg viewBox=\"0 0 36 8\" aria-hidden=\"true\"><path class=\"line black\" d=\"M0 4H36\"/></svg> Black. Below, scores are the mover's.</p>
<div class=\"moves\" id=\"moves\"></div>
</div>
</div>
<form id=\"filters\" hidden>
<label>engine <select name=\"engine\"><option value=\"\">all</option></select></label>
<label>result <select name=\"result\"><option value=\"\">all</option></select></label>
<label>reason <select name=\"reason\"><option value=\"\">all</option></select></label>
<label>opening <input name=\"opening\" type=\"number\" min=\"1\" placeholder=\"all\"></label>
<span id=\"count\"></span>
</form>
<div class=\"scroll\"><table id=\"list\" hidden>
<thead><tr><th scope=\"col\">game</th><th scope=\"col\">round</th><th scope=\"col\">opening</th><th scope=\"col\">Red</th><th scope=\"col\">Black</th><th scope=\"col\">result</th><th scope=\"col\">reason</th><th scope=\"col\">plies</th><th scope=\"col\">time</th><th scope=\"col\">faults</th></tr></thead>
<tbody></tbody></table></div>
<p><button id=\"more\" hidden>Show more</button></p>
"
    );
    section("games", "Games", &body)
}
