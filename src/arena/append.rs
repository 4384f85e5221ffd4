//! A file that grows piece by piece, each on the disk before the next is begun, and that no other
//! match writes meanwhile.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use thiserror::Error;

use crate::files::check_regular;

/// The file cannot be used.
#[derive(Debug, Error)]
pub enum AppendError {
    /// It cannot be read or written.
    #[error("{path}: {cause}")]
    Io {
        /// Its name.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Another match is writing it.
    #[error("{path}: another match is using it")]
    Busy {
        /// Its name.
        path: String,
    },
}

impl AppendError {
    pub(super) fn io(path: &Path, cause: io::Error) -> AppendError {
        AppendError::Io { path: path.display().to_string(), cause }
    }
}

/// An open file; nobody else can open it as one.
pub struct AppendFile {
    file: File,
    path: PathBuf,
}

impl AppendFile {
    /// Opens the file, or begins it, and reads what it holds.
    ///
    /// # Errors
    /// It cannot be opened, is no regular file, or is in use.
    pub fn open(path: &Path) -> Result<(AppendFile, Vec<u8>), AppendError> {
        let open = || {
            check_regular(path)?;
            let mut options = OpenOptions::new();
            let mut file = options.read(true).append(true).create(true).open(path)?;
            let lock = flock(&file, FlockOperation::NonBlockingLockExclusive);
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            Ok((file, lock, text))
        };
        let (file, lock, text) = open().map_err(|cause| AppendError::io(path, cause))?;
        match lock {
            Ok(()) => Ok((AppendFile { file, path: path.to_owned() }, text)),
            Err(_) => Err(AppendError::Busy { path: path.display().to_string() }),
        }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Cuts off all behind the first bytes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn truncate(&mut self, length: u64) -> Result<(), AppendError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(|cause| AppendError::io(&self.path, cause))
    }

    /// Adds a piece. It is on the disk when this returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), AppendError> {
        let written = self.file.write_all(piece).and_then(|()| self.file.sync_data());
        written.map_err(|cause| AppendError::io(&self.path, cause))
    }
}

impl Drop for AppendFile {
    /// Lets the lock go at once. Closing would not: a process that is just being started holds a
    /// copy of every open file, lock and all, until it runs its own program.
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}
