use super::*;

fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Setting, SettingError> {
    EngineOption::find(name).expect(name).set(settings, value)
}

#[test]
fn names_are_unique_in_both_families() {
    let names: Vec<_> = OPTIONS
        .iter()
        .flat_map(|option| {
            let mut names: Vec<_> = option.names().map(str::to_ascii_lowercase).collect();
            names.dedup();
            names
        })
        .collect();
    for (i, name) in names.iter().enumerate() {
        assert!(!names[..i].contains(name), "{name}");
    }
    for ucci in OPTIONS.iter().filter_map(|option| option.ucci) {
        assert!(ucci.bytes().all(|byte| byte.is_ascii_lowercase()), "{ucci}");
    }
}

#[test]
fn defaults_can_be_sent_back_and_change_nothing() {
    for option in OPTIONS {
        let text = match option.kind.announce(Dialect::Ucci) {
            OptionKind::Check(value) => value.to_string(),
            OptionKind::String(text) => text,
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, values } => {
                assert!(values.contains(&default));
                default
            }
            OptionKind::Button => continue,
            kind => panic!("no such option: {kind:?}"),
        };
        let mut settings = Settings::default();
        assert_eq!(option.set(&mut settings, &text), Ok(Setting::Stored));
        let [before, after] =
            [Settings::default(), settings.clone()].map(|s| s.books(Dialect::Ucci));
        assert_eq!(before, after);
        settings.use_book = None;
        assert_eq!(settings, Settings::default(), "{:?}", option.names().next());
    }
}

#[test]
fn every_other_value_is_seen_in_the_settings() {
    for option in OPTIONS {
        let text = match option.kind.announce(Dialect::Ucci) {
            OptionKind::Check(default) => (!default).to_string(),
            OptionKind::String(_) => "some text".to_owned(),
            OptionKind::Spin { max, .. } => max.to_string(),
            OptionKind::Combo { default, values } => {
                match values.into_iter().find(|word| *word != default) {
                    Some(word) => word,
                    None => continue,
                }
            }
            _ => continue,
        };
        let mut settings = Settings::default();
        assert_eq!(option.set(&mut settings, &text), Ok(Setting::Stored));
        assert_ne!(settings, Settings::default(), "{:?}", option.names().next());
    }
}

#[test]
fn names_and_words_are_read_without_case_under_either_name() {
    let mut settings = Settings::default();
    for (name, value) in [("HASHSIZE", "17"), ("hash", " 18 "), ("Hash", "+19")] {
        assert_eq!(set(&mut settings, name, value), Ok(Setting::Stored));
    }
    assert_eq!(settings.search.hash_mb, 19);
    assert_eq!(set(&mut settings, "move overhead", "50"), Ok(Setting::Stored));
    assert_eq!(settings.search.move_overhead, Duration::from_millis(50));
    assert_eq!(set(&mut settings, "Style", "RISKY"), Ok(Setting::Stored));
    assert_eq!(settings.search.style, Style::Risky);
    assert!(EngineOption::find("EvalFile").is_none());
}

#[test]
fn booleans_of_all_clients() {
    let mut settings = Settings::default();
    for (text, value) in [
        ("true", true),
        ("false", false),
        ("on", true),
        ("Off", false),
        ("1", true),
        ("0", false),
        ("YES", true),
        ("no", false),
    ] {
        assert_eq!(set(&mut settings, "ponder", text), Ok(Setting::Stored));
        assert_eq!(settings.search.ponder, value);
    }
    let error = set(&mut settings, "ponder", "maybe").unwrap_err();
    assert_eq!(error.to_string(), "option ponder: \"maybe\" is not true or false");
    assert!(set(&mut settings, "ponder", "").is_err());
}

#[test]
fn numbers_are_clamped() {
    let mut settings = Settings::default();
    assert_eq!(set(&mut settings, "hashsize", "1000000"), Ok(Setting::Clamped(65_536)));
    assert_eq!(settings.search.hash_mb, 65_536);
    assert_eq!(set(&mut settings, "multipv", "-3"), Ok(Setting::Clamped(1)));
    let huge = "9".repeat(100);
    assert_eq!(set(&mut settings, "moveoverhead", &huge), Ok(Setting::Clamped(5_000)));
    for text in ["", "x", "-", "1x", "1.5", "１"] {
        assert!(set(&mut settings, "hashsize", text).is_err(), "{text}");
    }
    assert_eq!(settings.search.hash_mb, 65_536);
}

#[test]
fn books_are_on_in_ucci_and_off_in_uci_until_somebody_says_so() {
    let mut settings = Settings::default();
    let enabled =
        |settings: &Settings| [Dialect::Ucci, Dialect::Uci].map(|d| settings.books(d).enabled);
    assert_eq!(enabled(&settings), [true, false]);
    assert_eq!(set(&mut settings, "OwnBook", "true"), Ok(Setting::Stored));
    assert_eq!(enabled(&settings), [true, true]);
    assert_eq!(set(&mut settings, "usebook", "off"), Ok(Setting::Stored));
    assert_eq!(enabled(&settings), [false, false]);
}

#[test]
fn zero_is_automatic() {
    let mut settings = Settings::default();
    assert_eq!(set(&mut settings, "threads", "0"), Ok(Setting::Stored));
    assert_eq!(set(&mut settings, "hashsize", "0"), Ok(Setting::Stored));
    assert!(settings.search.threads >= 1);
    assert!((16..=1024).contains(&settings.search.hash_mb));
}

#[test]
fn stages_are_minutes_and_moves() {
    let mut settings = Settings::default();
    for (name, value) in
        [("firsttime", "90"), ("firstmoves", "40"), ("secondtime", "181"), ("secondmoves", "0")]
    {
        assert!(set(&mut settings, name, value).is_ok());
    }
    let [first, second] = settings.stages;
    assert_eq!((first.time, first.moves), (Some(Duration::from_secs(5_400)), Some(40)));
    assert_eq!((second.time, second.moves), (Some(Duration::from_secs(10_800)), None));
}

#[test]
fn the_button_is_a_new_game() {
    let buttons: Vec<_> = OPTIONS.iter().filter(|option| option.is_new_game()).collect();
    assert_eq!(buttons.len(), 1);
    assert!(EngineOption::find("newgame").is_some_and(EngineOption::is_new_game));
    assert!(EngineOption::find("clear hash").is_some_and(EngineOption::is_new_game));
    let mut settings = Settings::default();
    assert_eq!(set(&mut settings, "newgame", ""), Ok(Setting::Stored));
    assert_eq!(settings, Settings::default());
}

#[test]
fn each_dialect_announces_its_own_names() {
    let names = |dialect| -> Vec<String> {
        OPTIONS.iter().filter_map(|option| option.announce(dialect)).map(|line| line.name).collect()
    };
    assert!(names(Dialect::Ucci).contains(&"usemillisec".to_owned()));
    assert!(!names(Dialect::Ucci).contains(&"UCI_Variant".to_owned()));
    assert!(names(Dialect::Uci).contains(&"Move Overhead".to_owned()));
    assert!(!names(Dialect::Uci).contains(&"usemillisec".to_owned()));
}

#[test]
fn the_markdown_table_has_a_row_for_each_option() {
    let table = markdown_table();
    assert_eq!(table.lines().count(), OPTIONS.len() + 2);
    assert!(table.lines().all(|line| line.matches('|').count() == 6));
    assert!(table.contains("| `hashsize` | `Hash` | 0 to 65536 | 64 |"));
}
