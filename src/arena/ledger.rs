//! The file of ratings. It is replaced as a whole, so a reader or a crash never meets half of it;
//! each change reads it anew, so several matches and an organiser can share it.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use thiserror::Error;

use super::ratings::{GrantError, Ratings};
use crate::files;

/// The file of ratings cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// It cannot be read or written.
    #[error("{path}: {cause}")]
    Io {
        /// Its name.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Its text is no file of ratings.
    #[error("{path}: no file of ratings: {cause}")]
    Text {
        /// Its name.
        path: String,
        /// What is wrong.
        cause: String,
    },
    /// A title cannot be granted.
    #[error("{path}: {cause}")]
    Grant {
        /// Its name.
        path: String,
        /// Why.
        cause: GrantError,
    },
}

/// A file of ratings, which need not exist yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The file at this path. A link stays a link: it is the file behind it that is replaced.
    pub fn new(path: &Path) -> Ledger {
        Ledger { path: files::behind_links(path) }
    }

    /// The ratings in the file.
    ///
    /// # Errors
    /// It does not exist, cannot be read or is no file of ratings.
    pub fn read(&self) -> Result<Ratings, LedgerError> {
        let text = files::open(&self.path).and_then(io::read_to_string);
        let text = text.map_err(|cause| self.io_error(cause))?;
        let ratings: Ratings =
            toml::from_str(&text).map_err(|error| self.text_error(error.message()))?;
        match ratings.fault() {
            None => Ok(ratings),
            Some(fault) => Err(self.text_error(&fault)),
        }
    }

    /// Changes the ratings. The new ones are on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be read or written, or `change` fails; then the file stays as it was.
    pub fn update<T>(
        &self,
        change: impl FnOnce(&mut Ratings) -> Result<T, GrantError>,
    ) -> Result<T, LedgerError> {
        // The folder is locked and not the file, which is another one after each change.
        let folder = File::open(files::folder(&self.path)).map_err(|cause| self.io_error(cause))?;
        flock(&folder, FlockOperation::LockExclusive)
            .map_err(|cause| self.io_error(cause.into()))?;
        let mut ratings = match self.read() {
            Err(LedgerError::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => {
                Ratings::default()
            }
            ratings => ratings?,
        };
        let before = ratings.clone();
        let result = change(&mut ratings)
            .map_err(|cause| LedgerError::Grant { path: self.path.display().to_string(), cause })?;
        if ratings != before {
            let text =
                toml::to_string(&ratings).map_err(|error| self.text_error(&error.to_string()))?;
            files::replace(&self.path, text.as_bytes()).map_err(|cause| self.io_error(cause))?;
        }
        Ok(result)
    }

    fn io_error(&self, cause: io::Error) -> LedgerError {
        LedgerError::Io { path: self.path.display().to_string(), cause }
    }

    fn text_error(&self, cause: &str) -> LedgerError {
        let cause = cause.trim().replace('\n', " ");
        LedgerError::Text { path: self.path.display().to_string(), cause }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::arena::ratings::Rated;

    /// A file of ratings that does not exist yet, in an empty folder that goes away with the test.
    fn ledger() -> (TempDir, Ledger) {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(&folder.path().join("ratings.toml"));
        (folder, ledger)
    }

    fn add(ratings: &mut Ratings, name: &str) {
        let player = Rated { rating: 812.345_678_9, games: 3, points: 20, granted: None };
        ratings.players.insert(name.to_owned(), player);
    }

    #[test]
    fn what_was_written_is_read_again_to_the_last_digit() {
        let (folder, ledger) = ledger();
        ledger
            .update(|ratings| {
                add(ratings, "a \"b\" 炮");
                Ok(())
            })
            .unwrap();
        ledger.update(|ratings| ratings.grant("a \"b\" 炮", "大将军")).unwrap();
        let mut expected = Ratings::default();
        add(&mut expected, "a \"b\" 炮");
        expected.grant("a \"b\" 炮", "大将军").unwrap();
        assert_eq!(ledger.read().unwrap(), expected);
        // Nothing is left beside it.
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_change_leaves_the_file_alone() {
        let (_folder, ledger) = ledger();
        let error = ledger.update(|ratings| ratings.grant("who", "大将军")).unwrap_err();
        assert!(error.to_string().ends_with("ratings.toml: no player \"who\""), "{error}");
        assert!(matches!(ledger.read(), Err(LedgerError::Io { .. })));
    }

    #[test]
    fn other_files_are_refused_on_one_line() {
        let (_folder, ledger) = ledger();
        for text in [
            "rating = 1",
            "[players.a]\nrating = nan\ngames = 1\npoints = 0",
            "[players.a]\nrating = 1.0\ngames = 1\npoints = 0\ngranted = \"卫将军\"",
            "[players.a]\nrating = 1.0\ngames = -1\npoints = 0",
            "= =",
        ] {
            fs::write(&ledger.path, text).unwrap();
            let error = ledger
                .update(|ratings| {
                    add(ratings, "b");
                    Ok(())
                })
                .unwrap_err()
                .to_string();
            assert!(error.contains(": no file of ratings: ") && !error.contains('\n'), "{error}");
            assert_eq!(fs::read_to_string(&ledger.path).unwrap(), text);
        }
    }

    #[test]
    fn changes_at_once_are_all_kept() {
        let (_folder, ledger) = ledger();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let ledger = &ledger;
                scope.spawn(move || {
                    for number in 0..10 {
                        let name = format!("{thread}-{number}");
                        ledger
                            .update(|ratings| {
                                add(ratings, &name);
                                Ok(())
                            })
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(ledger.read().unwrap().players.len(), 40);
    }
}
