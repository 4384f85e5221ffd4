//! The files of a match are different files: one that is written for two purposes is lost for both.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::cli::Error;

/// Checks the files of a match, each with the option that names it.
///
/// # Errors
/// Two options name one file, whatever they call it.
pub fn check_distinct(files: &[(&str, PathBuf)]) -> Result<(), Error> {
    for (index, (option, path)) in files.iter().enumerate() {
        let earlier = files.iter().take(index).find(|(_, other)| is_same(path, other));
        if let Some((other, _)) = earlier {
            let path = path.display();
            return Err(Error::Usage(format!("{option} and {other} are the same file: {path}")));
        }
    }
    Ok(())
}

/// Do both paths lead to one file, be it there yet or not?
fn is_same(one: &Path, other: &Path) -> bool {
    let number = |path: &Path| path.metadata().map(|found| (found.dev(), found.ino())).ok();
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => target(one) == target(other),
        _ => false,
    }
}

/// Where a file will be that does not exist yet: behind all links.
fn target(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40; // as the system has it
    let beside = |path: &Path, name: &Path| path.parent().unwrap_or(Path::new("")).join(name);
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = path.read_link() else { break };
        path = beside(&path, &next);
    }
    let folder = beside(&path, Path::new("."));
    let folder = folder.canonicalize().unwrap_or(folder);
    path.file_name().map_or(folder.clone(), |name| folder.join(name))
}
