//! A file that is there whole or not at all.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// Why a file was not written to its end.
pub(super) enum Unfinished {
    /// The rows could not be read.
    Rows(Error),
    /// The file could not be written.
    File(String),
}

impl Unfinished {
    /// The file could not be written, for that reason.
    pub(super) fn file(why: impl Display) -> Self {
        Self::File(why.to_string())
    }
}

/// What a file is written through.
pub(super) type Out<'f> = BufWriter<&'f File>;

/// Writes a new file in the same folder, which takes the name at the end. A file of that name is replaced; where
/// something fails it stays as it was, and the new one is removed.
///
/// # Errors
/// [`Error::Store`] with the path where the file cannot be written; what `fill` failed with.
pub(super) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut Out<'_>) -> std::result::Result<(), Unfinished>,
) -> Result<()> {
    written(path, fill).map_err(|unfinished| match unfinished {
        Unfinished::Rows(error) => error,
        Unfinished::File(why) => Error::Store(format!("cannot write `{}`: {why}", path.display()).into()),
    })
}

fn written(
    path: &Path,
    fill: impl FnOnce(&mut Out<'_>) -> std::result::Result<(), Unfinished>,
) -> std::result::Result<(), Unfinished> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = new_file(folder.unwrap_or(Path::new("."))).map_err(Unfinished::file)?;
    let mut out = BufWriter::new(file.as_file());
    fill(&mut out)?;
    out.flush().map_err(Unfinished::file)?;
    drop(out);
    file.as_file().sync_all().map_err(Unfinished::file)?;
    file.persist(path).map_err(|error| Unfinished::file(error.error))?;
    Ok(())
}

/// With the permissions of any new file, which a temporary one does not have.
fn new_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".xs2a-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
