//! `.tar.gz`, which keeps links.

use std::io::Read;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{Archive, Builder, EntryType, Header};

use crate::dist::tree::{Entry, Tree};

pub(super) fn pack(tree: &Tree, directory: &str, time: u64) -> Result<Vec<u8>> {
    // Neither the name of a file nor a time is in the header.
    let compressed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut builder = Builder::new(compressed);
    for (path, entry) in &tree.entries {
        let path = format!("{directory}/{path}");
        let mut header = Header::new_gnu();
        header.set_mtime(time);
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
        .with_context(|| format!("packing {path}"))?;
    }
    let compressed = builder.into_inner().context("ending the archive")?;
    compressed.finish().context("ending the compression")
}

pub(super) fn unpack(archive: &[u8]) -> Result<Tree> {
    let mut tree = Tree::default();
    let mut archive = Archive::new(GzDecoder::new(archive));
    for entry in archive.entries().context("reading the archive")? {
        let mut entry = entry.context("reading the archive")?;
        let path = entry.path().context("reading a path")?.to_string_lossy().into_owned();
        match entry.header().entry_type() {
            EntryType::Regular => {
                let mut content = Vec::new();
                entry.read_to_end(&mut content).with_context(|| format!("reading {path}"))?;
                tree.add(&path, content);
            }
            EntryType::Symlink => {
                let target = entry.link_name().context("reading a link")?.context("a link leads nowhere")?;
                tree.link(&path, &target.to_string_lossy());
            }
            other => bail!("{path} is neither a file nor a link but {other:?}"),
        }
    }
    Ok(tree)
}
