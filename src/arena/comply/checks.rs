//! The points one by one: what an engine is told, and what it has to do then.

use std::time::{Duration, Instant};

use crate::protocol::{Command, Dialect, Go, OptionKind, PositionText, Reply};
use crate::types::{Eval, Move};

use super::wire::{Check, Wire, is_answer, legal_in, position, shown};
use super::{Examination, Pass};

/// So long an engine is listened to that ought to say nothing.
const SILENCE: Duration = Duration::from_millis(300);

const MIDDLE_GAME: &str = "2bak4/4a4/4b4/p3p3p/9/2R6/P3P3P/4B4/4A4/2BAK1r2 w - - 0 30";
const MATED: &str = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";
const STALEMATED: &str = "3k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";

fn passed() -> Check<Pass> {
    Ok(Pass::Passed(String::new()))
}

fn passed_in(time: Duration) -> Check<Pass> {
    Ok(Pass::Passed(format!("{} ms", time.as_millis())))
}

fn from_start(moves: &str) -> PositionText {
    // Our own text: all words are moves.
    let moves = moves.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    PositionText { moves, ..PositionText::default() }
}

fn from_fen(fen: &str, moves: &str) -> PositionText {
    PositionText { fen: Some(fen.to_owned()), ..from_start(moves) }
}

fn depth(depth: u32) -> Go {
    Go { depth: Some(depth), ..Go::default() }
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

pub fn ok_line(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.start()?;
    let began = Instant::now();
    wire.shake_hands()?;
    passed_in(began.elapsed())
}

pub fn silent_at_start(engine: &Examination) -> Check<Pass> {
    engine.start()?.listen(SILENCE, |_| true)?;
    passed()
}

pub fn option_lines(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.start()?;
    wire.shake_hands()?;
    for line in wire.heard.iter().filter(|line| line.starts_with(b"option")) {
        Reply::parse(line).map_err(|error| error.to_string())?;
    }
    for option in &wire.options {
        let is_sound = match &option.kind {
            OptionKind::Spin { default, min, max } => (min..=max).contains(&default),
            OptionKind::Combo { default, values } => values.contains(default),
            _ => true,
        };
        if !is_sound {
            return Err(format!("option {}: its default is none of its values", option.name));
        }
    }
    Ok(Pass::Passed(format!("{} options", wire.options.len())))
}

pub fn is_ready(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let began = Instant::now();
    wire.be_ready()?;
    passed_in(began.elapsed())
}

pub fn options_accepted(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    for option in wire.options.clone() {
        let value = match option.kind {
            OptionKind::Check(default) => Some(default.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } => Some(default),
            // Some engines take even `<empty>` for the name of a file, and make one.
            OptionKind::String(text) if text.is_empty() => continue,
            OptionKind::String(text) => Some(text),
            OptionKind::Button => None,
            OptionKind::Label(_) => continue,
        };
        wire.set(&option.name, value.as_deref())?;
        wire.be_ready().map_err(|seen| format!("after option {}: {seen}", option.name))?;
    }
    passed()
}

/// Blanks, words nobody knows, words that are not ASCII, a line of 10000 characters.
fn rubbish() -> Vec<String> {
    let long = "x".repeat(10_000);
    ["", "  \t ", "xyzzy 1 2 3", "\u{70ae}\u{4e8c}", &long].map(|line| format!("{line}\n")).to_vec()
}

pub fn survives_rubbish(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.write(&rubbish().concat())?;
    wire.be_ready()?;
    wire.search(&from_start(""), depth(1))?;
    passed()
}

pub fn silent_on_rubbish(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.write(&rubbish().concat())?;
    wire.listen(SILENCE, |_| true)?;
    passed()
}

pub fn start_position(engine: &Examination) -> Check<Pass> {
    engine.ready()?.search(&from_start(""), depth(1))?;
    passed()
}

pub fn moves(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.search(&from_start("h2e2"), depth(1))?;
    // In check: few moves are legal.
    wire.search(&from_start("h2e2 h9g7 e2e6"), depth(1))?;
    passed()
}

pub fn fen(engine: &Examination) -> Check<Pass> {
    engine.ready()?.search(&from_fen(MIDDLE_GAME, ""), depth(1))?;
    passed()
}

pub fn fen_with_moves(engine: &Examination) -> Check<Pass> {
    engine.ready()?.search(&from_fen(MIDDLE_GAME, "e1f0"), depth(1))?;
    passed()
}

pub fn go_depth(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    (1..=4).try_for_each(|plies| wire.search(&from_start(""), depth(plies)).map(drop))?;
    passed()
}

pub fn go_nodes(engine: &Examination) -> Check<Pass> {
    let go = Go { nodes: Some(1000), ..Go::default() };
    engine.ready()?.search(&from_start(""), go)?;
    passed()
}

pub fn go_move_time(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let go = wire.timed(300);
    within(&mut wire, go, Duration::from_millis(300))
}

pub fn go_on_a_clock(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let go = wire.clocked(1000);
    within(&mut wire, go, Duration::from_millis(1000))
}

fn within(wire: &mut Wire, go: Go, limit: Duration) -> Check<Pass> {
    let began = Instant::now();
    wire.search(&from_start("h2e2"), go)?;
    let time = began.elapsed();
    match time > limit + wire.patience() {
        true => Err(format!("took {} ms of {}", time.as_millis(), limit.as_millis())),
        false => passed_in(time),
    }
}

pub fn mated(engine: &Examination) -> Check<Pass> {
    finished(engine, MATED).and(passed())
}

pub fn stalemated(engine: &Examination) -> Check<Pass> {
    finished(engine, STALEMATED).and(passed())
}

/// Searches a position without a move; gives what the engine says.
fn finished(engine: &Examination, fen: &str) -> Check<Vec<Vec<u8>>> {
    let mut wire = engine.ready()?;
    wire.heard.clear();
    wire.search(&from_fen(fen, ""), depth(3))?;
    // It is still there, and ready for the next game.
    wire.be_ready()?;
    Ok(wire.heard)
}

pub fn mate_score_line(engine: &Examination) -> Check<Pass> {
    let heard = finished(engine, MATED)?;
    let mut scores = heard.iter().filter_map(|line| match Reply::parse(line) {
        Ok(Reply::Info(info)) => info.score,
        _ => None,
    });
    match scores.next_back() {
        Some(Eval::MatedIn(0)) => passed(),
        Some(other) => Err(format!("the score is {}", other.to_ucci())),
        None => Err("no score".to_owned()),
    }
}

/// UCCI forbids root moves, UCI lists those allowed: one is left each time.
pub fn root_moves(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let game = from_start("");
    let legal = position(&game)?.legal_moves().to_vec();
    let Some((&only, others)) = legal.split_first() else { return passed() };
    wire.tell(&Command::Position(game))?;
    let mut go = depth(2);
    match wire.dialect() {
        Dialect::Ucci => wire.tell(&Command::BanMoves(others.to_vec()))?,
        Dialect::Uci => go.search_moves = vec![only],
    }
    wire.tell(&Command::Go(go))?;
    match wire.answer(wire.patience())? {
        Some(mv) if mv == only => passed(),
        Some(mv) => Err(format!("answers {mv} where only {only} is allowed")),
        None => Err(format!("finds no move where {only} is allowed")),
    }
}

const NO_PONDER: Pass = Pass::Skipped("no option ponder");

pub fn ponder_hit(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    if !wire.announces("ponder") {
        return Ok(NO_PONDER);
    }
    let game = ponder(&mut wire)?;
    wire.tell(&Command::PonderHit { draw: false })?;
    let limit = wire.patience() + Duration::from_millis(1000);
    let answer = wire.answer(limit)?;
    legal_in(&game, answer)?;
    passed()
}

pub fn ponder_stop(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    if !wire.announces("ponder") {
        return Ok(NO_PONDER);
    }
    let game = ponder(&mut wire)?;
    let (answer, time) = wire.stop()?;
    legal_in(&game, answer)?;
    passed_in(time)
}

/// Has it ponder, during which it may not answer.
fn ponder(wire: &mut Wire) -> Check<PositionText> {
    wire.set("ponder", Some("true"))?;
    let game = from_start("h2e2 h9g7");
    let go = Go { ponder: true, ..wire.clocked(1000) };
    wire.begin(&game, go)?;
    wire.listen(SILENCE, is_answer)?;
    Ok(game)
}

pub fn stop(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let game = from_start("h2e2");
    wire.begin(&game, infinite())?;
    wire.listen(SILENCE, is_answer)?;
    let (answer, time) = wire.stop()?;
    legal_in(&game, answer)?;
    passed_in(time)
}

/// UCI says nothing; a UCCI engine may say that it has no move.
pub fn idle_stop(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.tell(&Command::Stop)?;
    let is_ucci = wire.dialect() == Dialect::Ucci;
    wire.listen(SILENCE, |line| is_answer(line) && !(is_ucci && line.starts_with(b"no")))?;
    wire.search(&from_start(""), depth(1))?;
    passed()
}

pub fn ready_while_thinking(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.begin(&from_start(""), infinite())?;
    wire.tell(&Command::IsReady)?;
    let began = Instant::now();
    wire.wait_for("readyok while thinking", wire.patience(), |line| {
        (line.trim_ascii() == b"readyok").then_some(())
    })?;
    let time = began.elapsed();
    wire.stop()?;
    passed_in(time)
}

pub fn burst(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    let (first, second) = (from_start(""), from_start("h2e2"));
    wire.begin(&first, infinite())?;
    wire.listen(SILENCE, is_answer)?;
    let commands =
        [Command::Stop, Command::Position(second.clone()), Command::Go(depth(2)), Command::IsReady];
    let text: Vec<String> = commands.iter().map(|command| wire.line(command)).collect();
    wire.write(&text.concat())?;
    for game in [&first, &second] {
        let answer = wire.answer(wire.patience())?;
        legal_in(game, answer)?;
    }
    wire.listen(SILENCE, is_answer)?;
    passed()
}

pub fn one_answer_each(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    for moves in ["", "h2e2", "h2e2 h9g7"] {
        wire.search(&from_start(moves), depth(3))?;
    }
    wire.listen(SILENCE, is_answer)?;
    passed()
}

/// What an engine says of a search, with the game it was about.
fn talk(engine: &Examination) -> Check<(PositionText, Vec<Vec<u8>>)> {
    let mut wire = engine.ready()?;
    let game = from_start("h2e2 h9g7");
    wire.heard.clear();
    wire.search(&game, depth(6))?;
    let lines = std::mem::take(&mut wire.heard);
    let lines = lines.iter().map(|line| wire.counted_from_zero(line)).collect();
    Ok((game, lines))
}

pub fn info_text(engine: &Examination) -> Check<Pass> {
    let is_sound = |line: &Vec<u8>| {
        let is_blank = |byte: &u8| *byte == b' ';
        line.len() < 999
            && line.iter().all(|byte| (b' '..=b'~').contains(byte))
            && !line.windows(2).any(|pair| pair.iter().all(is_blank))
            && !line.first().is_some_and(is_blank)
            && !line.last().is_some_and(is_blank)
    };
    match talk(engine)?.1.iter().find(|line| !is_sound(line)) {
        Some(line) => Err(format!("says \"{}\"", shown(line))),
        None => passed(),
    }
}

pub fn info_depth_first(engine: &Examination) -> Check<Pass> {
    let (_, lines) = talk(engine)?;
    let is_line =
        |line: &&Vec<u8>| line.starts_with(b"info") && line.windows(4).any(|w| w == b" pv ");
    let mut lines = lines.iter().filter(is_line);
    match lines.find(|line| !line.starts_with(b"info depth ")) {
        Some(line) => Err(format!("says \"{}\"", shown(line))),
        None => passed(),
    }
}

pub fn info_pv(engine: &Examination) -> Check<Pass> {
    let (game, lines) = talk(engine)?;
    let start = position(&game)?;
    for line in &lines {
        let Ok(Reply::Info(info)) = Reply::parse(line) else { continue };
        let mut position = start.clone();
        // A word that is no move ends the line for the parser, so the words are counted too.
        if info.pv.len() != words_of_pv(line) {
            return Err(format!("not all are moves: \"{}\"", shown(line)));
        }
        let illegal = |mv: &&Move| position.play(**mv).is_err();
        if let Some(mv) = info.pv.iter().find(illegal) {
            return Err(format!("{mv} is illegal in \"{}\"", shown(line)));
        }
    }
    passed()
}

fn words_of_pv(line: &[u8]) -> usize {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.skip_while(|word| *word != b"pv").skip(1).count()
}

pub fn quit(engine: &Examination) -> Check<Pass> {
    leave(&mut engine.ready()?, Some(Command::Quit))
}

pub fn quit_while_thinking(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.begin(&from_start(""), infinite())?;
    leave(&mut wire, Some(Command::Quit))
}

pub fn end_of_input(engine: &Examination) -> Check<Pass> {
    leave(&mut engine.ready()?, None)
}

pub fn end_while_thinking(engine: &Examination) -> Check<Pass> {
    let mut wire = engine.ready()?;
    wire.begin(&from_start(""), infinite())?;
    leave(&mut wire, None)
}

/// Has it leave by a last command or by the end of its input, with exit status 0.
fn leave(wire: &mut Wire, last: Option<Command>) -> Check<Pass> {
    let began = Instant::now();
    match last {
        Some(command) => wire.tell(&command)?,
        None => wire.close(),
    }
    let status = wire.end()?;
    match status.success() {
        true => passed_in(began.elapsed()),
        false => Err(status.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_what_they_are_called() {
        for (fen, in_check) in [(MATED, true), (STALEMATED, false)] {
            let position = position(&from_fen(fen, "")).unwrap();
            assert!(position.legal_moves().is_empty(), "{fen}");
            assert_eq!(position.is_check(), in_check, "{fen}");
        }
        for game in [from_start("h2e2 h9g7 e2e6"), from_fen(MIDDLE_GAME, "e1f0")] {
            assert!(!position(&game).unwrap().legal_moves().is_empty());
        }
    }

    #[test]
    fn a_pv_ends_with_its_line() {
        assert_eq!(words_of_pv(b"info depth 3 pv h2e2  x\r"), 2);
        assert_eq!(words_of_pv(b"info depth 3"), 0);
    }
}
