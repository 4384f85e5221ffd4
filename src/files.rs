//! Files by their names: regular ones only, and replaced as a whole or not at all, so that no reader,
//! crash or full disk meets half of one.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Anything but a regular file is refused, one that does not exist yet is not: a pipe or a device may
/// have no end to be read to, and to open a pipe may wait for ever.
///
/// # Errors
/// It is a folder, a pipe or a device.
pub fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("not a regular file")),
        _ => Ok(()),
    }
}

/// Opens a file to read it to its end.
///
/// # Errors
/// It cannot be opened, or is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Writes the bytes to a new file beside the old one, which then takes its place. They are on the
/// disk when this returns. A link stays one: the file behind it is replaced.
///
/// # Errors
/// [`check_replaceable`] fails, or the new file cannot be written: then all is as it was. Or the
/// folder cannot be synced: then the file is replaced, but a power cut may undo it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (target, old) = examine(path)?;
    let (part, mut file) = create_beside(&target)?;
    let replaced = old
        .map_or(Ok(()), |old| file.set_permissions(old))
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&part, &target));
    if replaced.is_err() {
        _ = fs::remove_file(&part);
        return replaced;
    }
    sync_folder(&target)
}

/// Finds out whether a file could be replaced, or made where there is none, and leaves nothing behind.
///
/// # Errors
/// It is no regular file, is not to be written, or its folder takes no new file.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    let (target, _) = examine(path)?;
    create_beside(&target).and_then(|(part, _)| fs::remove_file(part))
}

/// Where a file is, or will be when it does not exist yet: behind all links.
pub fn behind_links(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40; // as Linux has it
    if path.exists() {
        // A pipe behind a link may have no name.
        return path.canonicalize().unwrap_or_else(|_| path.to_owned());
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = path.read_link() else { break };
        path = folder(&path).join(next);
    }
    match (folder(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    let folder = path.parent().map(Path::as_os_str).filter(|folder| !folder.is_empty());
    Path::new(folder.unwrap_or(OsStr::new(".")))
}

/// The file that is really meant, and its permissions if it is there.
fn examine(path: &Path) -> io::Result<(PathBuf, Option<fs::Permissions>)> {
    check_regular(path)?;
    let target = behind_links(path);
    let old = match fs::metadata(path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok((target, None)),
        old => old?,
    };
    // An administrator may write anything; a file that nobody is to write is still left alone.
    if old.permissions().readonly() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    OpenOptions::new().write(true).open(&target)?;
    Ok((target, Some(old.permissions())))
}

/// A new file in the same folder. One that a killed program left there is not in the way.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or(ErrorKind::InvalidFilename)?;
    let mut number = std::process::id();
    loop {
        let mut name = name.to_owned();
        name.push(format!(".{number}.part"));
        let part = target.with_file_name(name);
        match File::create_new(&part) {
            Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {
                number = number.wrapping_add(1);
            }
            created => return created.map(|file| (part, file)),
        }
    }
}

/// A new name is on the disk once its folder is. Windows has no such call.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder(path))?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use tempfile::{TempDir, tempdir};

    use super::*;

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn neighbors_are_left_alone() {
        let scratch = tempdir().unwrap();
        let file = scratch.path().join("a.book");
        let part = format!("a.book.{}.part", std::process::id());
        fs::write(scratch.path().join(&part), "mine").unwrap();
        check_replaceable(&file).unwrap();
        assert_eq!(names(&scratch), [part.as_str()]);
        for text in ["one", "two"] {
            replace(&file, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(names(&scratch), ["a.book", part.as_str()]);
        assert_eq!(fs::read_to_string(scratch.path().join(&part)).unwrap(), "mine");
    }

    #[test]
    fn a_folder_or_a_file_not_to_be_written_stays() {
        let scratch = tempdir().unwrap();
        let [folder, file] = ["folder", "file"].map(|name| scratch.path().join(name));
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        let ways: [fn(&Path) -> io::Result<()>; 2] =
            [|path| super::replace(path, b"new"), check_replaceable];
        for replace in ways {
            assert_eq!(replace(&folder).unwrap_err().to_string(), "not a regular file");
            assert_eq!(replace(&file).unwrap_err().kind(), ErrorKind::PermissionDenied);
            let nowhere = replace(&folder.join("none/file")).unwrap_err();
            assert_eq!(nowhere.kind(), ErrorKind::NotFound);
            assert!(replace(Path::new("")).is_err());
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(names(&scratch), ["file", "folder"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let scratch = tempdir().unwrap();
        let [file, link, early, device, round] =
            ["file", "link", "early", "device", "round"].map(|name| scratch.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        for (link, target) in
            [(&link, "file"), (&early, "later"), (&device, "/dev/null"), (&round, "round")]
        {
            symlink(target, link).unwrap();
        }
        replace(&link, b"new").unwrap();
        replace(&early, b"first").unwrap();
        assert!(replace(&device, b"new").is_err());
        assert!(replace(&round, b"new").is_err());
        assert!([&link, &early, &device, &round].iter().all(|link| link.is_symlink()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(scratch.path().join("later")).unwrap(), "first");
        assert_eq!(names(&scratch), ["device", "early", "file", "later", "link", "round"]);
    }
}
