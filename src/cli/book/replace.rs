//! Replacing a file as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes the bytes to a new file beside the target, which then takes its place. A link stays one:
/// what it points at is replaced.
///
/// # Errors
/// The target is there and no regular file or not to be written, or the new file cannot be written.
/// Then everything is as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target(path)?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = target.with_file_name(name);
    let mut file = File::create_new(&part)?;
    let replaced = file
        .write_all(bytes)
        .and_then(|()| match fs::metadata(&target) {
            Ok(old) => file.set_permissions(old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&part, &target));
    if replaced.is_err() {
        _ = fs::remove_file(&part);
    }
    replaced
}

/// The file that is really meant.
fn target(path: &Path) -> io::Result<PathBuf> {
    let found = match fs::symlink_metadata(path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(path.to_owned()),
        // Fails where a link points at nothing.
        found => found.and_then(|_| fs::metadata(path))?,
    };
    if !found.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    // An administrator may write anything; a file that nobody is to write is still left alone.
    if found.permissions().readonly() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    OpenOptions::new().write(true).open(path)?;
    fs::canonicalize(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// An empty folder that goes away with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let name = format!("hanxin-replace-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
            let mut names: Vec<String> =
                entries.map(|entry| name(entry).into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn neighbors_are_left_alone() {
        let scratch = Scratch::new("neighbors");
        let [file, part] = ["a.book", "a.part"].map(|name| scratch.0.join(name));
        fs::write(&part, "mine").unwrap();
        for text in ["one", "two"] {
            replace(&file, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(fs::read_to_string(&part).unwrap(), "mine");
        assert_eq!(scratch.names(), ["a.book", "a.part"]);
    }

    #[test]
    fn a_folder_or_a_file_not_to_be_written_stays() {
        let scratch = Scratch::new("refused");
        let [folder, file] = ["folder", "file"].map(|name| scratch.0.join(name));
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert_eq!(replace(&folder, b"new").unwrap_err().to_string(), "no regular file");
        let error = replace(&file, b"new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(scratch.names(), ["file", "folder"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_devices() {
        use std::os::unix::fs::symlink;
        let scratch = Scratch::new("links");
        let [file, link, device, lost] =
            ["file", "link", "device", "lost"].map(|name| scratch.0.join(name));
        fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        symlink("/dev/null", &device).unwrap();
        symlink("nothing", &lost).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(replace(&device, b"new").is_err());
        assert!(replace(&lost, b"new").is_err());
        assert_eq!(scratch.names(), ["device", "file", "link", "lost"]);
    }
}
