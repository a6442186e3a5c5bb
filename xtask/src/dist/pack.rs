//! Packs reproducible archives. Their entries are sorted, have no owner, and share one modification time.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::Time;

/// Paths contain `/` on all systems.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) entries: BTreeMap<String, Entry>,
}

#[derive(Clone)]
pub(super) enum Entry {
    File(Vec<u8>),
    Link(String),
}

impl Tree {
    pub(super) fn add(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.entries.insert(path.to_owned(), Entry::File(content.into()));
    }

    pub(super) fn link(&mut self, path: &str, target: &str) {
        self.entries.insert(path.to_owned(), Entry::Link(target.to_owned()));
    }
}

/// The extension of `name` selects the format. All entries are put into `directory` unless it is empty.
pub(super) fn pack(name: &str, tree: &Tree, directory: &str, time: &Time) -> Result<Vec<u8>> {
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

fn tar_gz(tree: &Tree, directory: &str, time: &Time) -> Result<Vec<u8>> {
    // The header contains neither the file's name nor the time.
    let compressed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut builder = tar::Builder::new(compressed);
    for (path, entry) in &tree.entries {
        let path = format!("{directory}/{path}");
        let mut header = Header::new_gnu();
        header.set_mtime(time.seconds);
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
fn zip(tree: &Tree, directory: &str, time: &Time) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(time.for_zip)
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
