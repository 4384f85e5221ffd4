//! Where the log goes.

use std::fs::OpenOptions;
use std::path::Path;

use env_logger::{Builder, Target};
use log::LevelFilter;

use super::Error;

/// Starts the log: to the file if one is named (appending), else to stderr. Without a level,
/// `RUST_LOG` decides, and where that is not set either, `default`.
pub fn init(
    file: Option<&Path>,
    level: Option<LevelFilter>,
    default: LevelFilter,
) -> Result<(), Error> {
    let mut builder = Builder::new();
    builder.filter_level(default).parse_default_env().format_timestamp_millis();
    if let Some(level) = level {
        builder.filter_level(level);
    }
    if let Some(path) = file {
        let log = OpenOptions::new().create(true).append(true).open(path).map_err(|cause| {
            Error::Usage(format!("cannot open the log file {}: {cause}", path.display()))
        })?;
        builder.target(Target::Pipe(Box::new(log)));
    }
    builder.init();
    Ok(())
}
