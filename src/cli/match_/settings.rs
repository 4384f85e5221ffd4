//! Settings in the form `key=value`, several behind one option, and options from a file.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use hanxin::arena::config::{ConfigError, DrawRule, EngineConfig, ResignRule};
use hanxin::arena::stats::{EloModel, Sprt};
use hanxin::arena::{Opening, PgnOutput};
use hanxin::record::pgn::MoveText;
use serde_json::Value;

use crate::cli::Error;

/// The engines: the groups of settings behind each `--engine`, and those behind `--each`.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

impl EngineArgs {
    /// Is no engine named?
    pub fn is_empty(&self) -> bool {
        self.engines.is_empty()
    }

    /// Checks that nothing is set twice, neither for one engine nor for all.
    pub fn check_repeats(&self) -> Result<(), Error> {
        check_repeats("each", &self.each)?;
        self.engines.iter().try_for_each(|own| check_repeats("engine", own))
    }

    /// The engines, each with the common settings first and its own on top.
    pub fn configs(&self) -> Result<Vec<EngineConfig>, ConfigError> {
        let config = |own: &Vec<String>| {
            let mut config = EngineConfig::default();
            self.each.iter().chain(own).try_for_each(|setting| config.set_text(setting))?;
            Ok(config)
        };
        self.engines.iter().map(config).collect()
    }
}

// Written by hand because a derived field would join the groups of several `--engine`.
impl clap::Args for EngineArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let group = |name: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help_heading("Engines")
        };
        command
            .arg(group("engine").help(
                "One engine: cmd= and args= start it in dir=, name= calls it; proto=auto, ucci or uci; \
                 option.NAME=; tc=5m+3s, tc=40/90m:20/30m, st=, nodes= and depth= limit its moves; \
                 ponder=on; timemargin= in ms; ranks=1 where it counts ranks 1 to 10",
            ))
            .arg(group("each").help("Settings for all engines; an engine's own come first"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineArgs::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let groups = |name| -> Vec<Vec<String>> {
            let groups = matches.get_occurrences::<String>(name).into_iter().flatten();
            groups.map(|values| values.cloned().collect()).collect()
        };
        Ok(EngineArgs { engines: groups("engine"), each: groups("each").concat() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Checks that no setting of an option comes twice: who reads the line would not know which holds.
pub fn check_repeats(option: &str, settings: &[String]) -> Result<(), Error> {
    let key = |setting: &String| key_of(setting).unwrap_or("file").to_lowercase();
    for (index, setting) in settings.iter().enumerate() {
        let earlier = settings.iter().take(index).find(|other| key(other) == key(setting));
        if let Some(earlier) = earlier {
            let key = key(setting);
            let message = format!("--{option}: {key} is set twice, by {earlier} and by {setting}");
            return Err(Error::Usage(message));
        }
    }
    Ok(())
}

/// The key of a setting; a word without one is a flag, or the name of a file.
fn key_of(setting: &str) -> Option<&str> {
    let is_key = |key: &&str| key.chars().all(|c| c.is_alphanumeric() || c == '.');
    setting.split_once('=').map(|(key, _)| key).filter(is_key)
}

/// Reads `key=value` settings into fields; every name a key goes by is listed once.
struct Reader<'a> {
    option: &'a str,
    keys: &'a [&'a str],
}

impl Reader<'_> {
    fn read(
        &self,
        settings: &[String],
        mut take: impl FnMut(&str, &str) -> bool,
    ) -> Result<(), Error> {
        for setting in settings {
            let (key, value) = setting.split_once('=').unwrap_or((setting, "true"));
            if !self.keys.contains(&key) {
                let keys = self.keys.join(", ");
                return Err(self.usage(&format!("no setting \"{key}\" (one of {keys})")));
            }
            if !take(key, value) {
                return Err(self.usage(&format!("{key}={value} makes no sense")));
            }
        }
        Ok(())
    }

    fn usage(&self, message: &str) -> Error {
        Error::Usage(format!("--{}: {message}", self.option))
    }
}

/// Puts a value in its place; false when it cannot be read.
fn put<T: std::str::FromStr>(place: &mut T, value: &str) -> bool {
    value.parse().map(|value| *place = value).is_ok()
}

/// `--resign score= count= twosided`.
pub fn resign_rule(settings: &[String]) -> Result<ResignRule, Error> {
    let mut rule = ResignRule { score: 600, count: 3, twosided: false };
    let keys = &["score", "count", "movecount", "twosided"];
    Reader { option: "resign", keys }.read(settings, |key, value| match key {
        "score" => put(&mut rule.score, value) && rule.score > 0,
        "twosided" => put(&mut rule.twosided, value),
        _ => put(&mut rule.count, value) && rule.count > 0,
    })?;
    Ok(rule)
}

/// `--draw number= count= score=`.
pub fn draw_rule(settings: &[String]) -> Result<DrawRule, Error> {
    let mut rule = DrawRule { number: 40, count: 8, score: 10 };
    let keys = &["number", "movenumber", "count", "movecount", "score"];
    Reader { option: "draw", keys }.read(settings, |key, value| match key {
        "number" | "movenumber" => put(&mut rule.number, value),
        "score" => put(&mut rule.score, value) && rule.score >= 0,
        _ => put(&mut rule.count, value) && rule.count > 0,
    })?;
    Ok(rule)
}

/// `--sprt elo0= elo1= alpha= beta= model=`.
pub fn sprt(settings: &[String]) -> Result<Sprt, Error> {
    let model = EloModel::Normalized;
    let mut sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model };
    let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
    let reader = Reader { option: "sprt", keys: &["elo0", "elo1", "alpha", "beta", "model"] };
    reader.read(settings, |key, value| match key {
        "elo0" => put(&mut sprt.elo0, value) && sprt.elo0.is_finite(),
        "elo1" => put(&mut sprt.elo1, value) && sprt.elo1.is_finite(),
        "alpha" => put(&mut sprt.alpha, value) && is_risk(sprt.alpha),
        "beta" => put(&mut sprt.beta, value) && is_risk(sprt.beta),
        _ => {
            let named = EloModel::NAMED.into_iter().find(|row| row.0 == value);
            named.map(|row| sprt.model = row.1).is_some()
        }
    })?;
    match sprt.elo0 < sprt.elo1 {
        true => Ok(sprt),
        false => Err(reader.usage("elo0 must be below elo1")),
    }
}

/// Takes the name of a file, bare or as `file=`, out of settings.
pub fn take_file(settings: &[String]) -> (Option<PathBuf>, Vec<String>) {
    let mut file = None;
    let mut others = Vec::new();
    for setting in settings {
        match setting.split_once('=') {
            Some(("file", path)) => file = Some(path.into()),
            Some((key, _)) if key.chars().all(char::is_alphanumeric) => {
                others.push(setting.clone())
            }
            _ => file = Some(setting.into()),
        }
    }
    (file, others)
}

/// `--openings FILE file= order= plies= encoding=`: the openings, those of the file or else the built-in ones,
/// and whether they come in random order.
pub fn openings(settings: &[String]) -> Result<(Vec<Opening>, bool), Error> {
    let (file, settings) = take_file(settings);
    let (mut is_random, mut plies, mut encoding) = (false, usize::MAX, None);
    let reader = Reader { option: "openings", keys: &["order", "plies", "encoding"] };
    reader.read(&settings, |key, value| match (key, value) {
        ("order", "random" | "sequential") => {
            is_random = value == "random";
            true
        }
        ("plies", _) => put(&mut plies, value),
        ("encoding", _) => {
            encoding = value.parse().ok();
            encoding.is_some()
        }
        _ => false,
    })?;
    let openings = match file {
        None => {
            let openings = Opening::built_in().map_err(|cause| reader.usage(&cause.to_string()))?;
            openings.into_iter().map(|opening| opening.cut(plies)).collect()
        }
        Some(file) => Opening::read_file(&file, plies, encoding)
            .map_err(|cause| reader.usage(&format!("{}: {cause}", file.display())))?,
    };
    Ok((openings, is_random))
}

/// `--pgn FILE file= moves=`.
pub fn pgn(settings: &[String]) -> Result<PgnOutput, Error> {
    let (file, settings) = take_file(settings);
    let reader = Reader { option: "pgn", keys: &["moves"] };
    let mut moves = MoveText::default();
    reader.read(&settings, |_, value| {
        let named = MoveText::NAMED.into_iter().find(|row| row.1.eq_ignore_ascii_case(value));
        named.map(|row| moves = row.0).is_some()
    })?;
    let path = file.ok_or_else(|| reader.usage("no file is named"))?;
    Ok(PgnOutput { path, moves })
}

/// The options a TOML or JSON file stands for: every key is an option without its dashes.
///
/// `games = 2` is `--games=2`, a table is an option with settings, `[[engine]]` is `--engine`, and
/// an array behind `args` or `cmd` has one word in each place.
pub fn options_of_file(path: &Path) -> Result<Vec<String>, Error> {
    let fail = |cause: &dyn std::fmt::Display| {
        let cause = cause.to_string().trim().replace('\n', " ");
        Error::Usage(format!("{}: {cause}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|cause| fail(&cause))?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let value: Value = match is_json {
        true => serde_json::from_str(&text).map_err(|cause| fail(&cause))?,
        false => toml::from_str(&text).map_err(|cause| fail(&cause))?,
    };
    let Value::Object(table) = value else { return Err(fail(&"not a table of options")) };
    let options = table.iter().map(|(key, value)| options_of(key, value));
    Ok(options.collect::<Result<Vec<_>, _>>().map_err(|cause| fail(&cause))?.concat())
}

/// What a key and its value are on the command line.
fn options_of(key: &str, value: &Value) -> Result<Vec<String>, String> {
    // They are read before the file is, or are no settings of a match.
    if ["config", "help", "log", "log-level"].contains(&key) {
        return Err(format!("{key} is for the command line alone"));
    }
    let option = format!("--{key}");
    match value {
        Value::Bool(false) => Ok(Vec::new()),
        Value::Bool(true) => Ok(vec![option]),
        Value::Array(items) if items.iter().all(|item| item.is_object() || item.is_array()) => {
            let groups = items.iter().map(|item| options_of(key, item));
            Ok(groups.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| text(key, item));
            std::iter::once(Ok(option)).chain(items).collect()
        }
        Value::Object(table) => {
            let settings = table.iter().map(|(name, value)| settings_of(name, value));
            Ok([vec![option], settings.collect::<Result<Vec<_>, _>>()?.concat()].concat())
        }
        _ => Ok(vec![format!("{option}={}", text(key, value)?)]),
    }
}

/// What a key of an option's table is behind the option.
fn settings_of(key: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Object(inner) => {
            let settings = inner.iter().map(|(name, value)| {
                let key = format!("{key}.{name}");
                Ok(format!("{key}={}", text(&key, value)?))
            });
            settings.collect()
        }
        // Words of a command line, each as it is.
        Value::Array(words) if ["args", "cmd"].contains(&key) => {
            let words = words.iter().map(|word| Ok(quoted(&text(key, word)?)));
            Ok(vec![format!("{key}={}", words.collect::<Result<Vec<_>, String>>()?.join(" "))])
        }
        _ => Ok(vec![format!("{key}={}", text(key, value)?)]),
    }
}

fn text(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        _ => Err(format!("{key}: {value} is no text, number or boolean")),
    }
}

/// The word as one word of a command line, whatever is in it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\"'\"'"))
}
