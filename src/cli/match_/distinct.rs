//! The files of a match are different files: one that is written for two purposes is lost for both.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hanxin::files::behind_links;

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
        (None, None) => behind_links(one) == behind_links(other),
        _ => false,
    }
}
