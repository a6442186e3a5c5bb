//! Packs reproducible archives. The entries of an archive are sorted, have no owner, and share one
//! modification time.

use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};
use time::OffsetDateTime;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::tree::{Entry, Tree};

/// The extension of `name` selects the format. All entries are placed in `directory`, unless this string is
/// empty.
pub(super) fn pack(name: &str, tree: &Tree, directory: &str, time: OffsetDateTime) -> Result<Vec<u8>> {
    let pack = if name.ends_with(".tar.gz") { tar_gz } else { zip };
    pack(tree, directory, time).with_context(|| format!("packing {name}"))
}

pub(super) fn unpack(name: &str, archive: &[u8], dir: &Path) -> Result<()> {
    let unpacked = if name.ends_with(".tar.gz") {
        tar::Archive::new(GzDecoder::new(archive)).unpack(dir).map_err(anyhow::Error::from)
    } else {
        ZipArchive::new(Cursor::new(archive)).and_then(|mut it| it.extract(dir)).map_err(anyhow::Error::from)
    };
    unpacked.with_context(|| format!("unpacking {name} into {}", dir.display()))
}

fn tar_gz(tree: &Tree, directory: &str, time: OffsetDateTime) -> Result<Vec<u8>> {
    // The header contains neither the file's name nor the time.
    let compressed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut builder = tar::Builder::new(compressed);
    for (path, entry) in &tree.entries {
        let path = format!("{directory}/{path}");
        let mut header = Header::new_gnu();
        header.set_mtime(time.unix_timestamp().unsigned_abs());
        match entry {
            Entry::File(content) => {
                header.set_entry_type(EntryType::Regular);
                header.set_mode(0o644);
                header.set_size(content.len() as u64);
                builder.append_data(&mut header, &path, content.as_slice())
            }
            Entry::Link(target) => {
                header.set_entry_type(EntryType::Symlink);
                header.set_mode(0o777);
                header.set_size(0);
                builder.append_link(&mut header, &path, target)
            }
        }
        .with_context(|| path.clone())?;
    }
    Ok(builder.into_inner()?.finish()?)
}

/// All versions of Windows can open a `.zip`, but they extract a link as a plain file, so we reject links.
fn zip(tree: &Tree, directory: &str, time: OffsetDateTime) -> Result<Vec<u8>> {
    // Zip files store UTC, because they have no time zones.
    let time = DateTime::try_from(time).context("zip files cannot represent times before 1980")?;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(time)
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, entry) in &tree.entries {
        let path = if directory.is_empty() { path.clone() } else { format!("{directory}/{path}") };
        let Entry::File(content) = entry else { bail!("{path} is a link, which zip files must not contain") };
        writer.start_file(path.as_str(), options).with_context(|| path.clone())?;
        writer.write_all(content).with_context(|| path.clone())?;
    }
    Ok(writer.finish()?.into_inner())
}
