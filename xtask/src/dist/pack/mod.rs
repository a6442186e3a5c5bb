//! Archives whose bytes depend on their content alone: sorted entries, one time, no owner.

use anyhow::Result;

use super::tree::Tree;

mod tar_gz;
mod zip;

/// The form that is usual on a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    TarGz,
    Zip,
}

impl Format {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::TarGz => "tar.gz",
            Self::Zip => "zip",
        }
    }

    /// Packs a tree below one directory; a zip without a name has none. `time` is that of all entries
    /// (seconds since 1970).
    pub(super) fn pack(self, tree: &Tree, directory: &str, time: u64) -> Result<Vec<u8>> {
        match self {
            Self::TarGz => tar_gz::pack(tree, directory, time),
            Self::Zip => zip::pack(tree, directory, time),
        }
    }

    /// The tree that was packed, with the directory that it lies in as a part of its paths.
    pub(super) fn unpack(self, archive: &[u8]) -> Result<Tree> {
        match self {
            Self::TarGz => tar_gz::unpack(archive),
            Self::Zip => zip::unpack(archive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In November 2026.
    const TIME: u64 = 1_795_293_613;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.add("lib/libnetclock.so.1", vec![7; 100_000]);
        // Longer than the 100 bytes that the oldest form of tar has for a path.
        tree.add(&format!("include/{}/netclock.h", "deep/".repeat(30)), "int x;\n");
        tree
    }

    #[test]
    fn unpacks_what_was_packed() {
        for format in [Format::TarGz, Format::Zip] {
            let mut tree = tree();
            if format == Format::TarGz {
                tree.link("lib/libnetclock.so", "libnetclock.so.1");
            }
            let archive = format.pack(&tree, "netclock-1", TIME).expect("it is in memory");
            let unpacked = format.unpack(&archive).expect("it was just packed");
            let below = tree.entries.into_iter().map(|(path, entry)| (format!("netclock-1/{path}"), entry));
            assert_eq!(unpacked.entries, below.collect());
        }
    }

    #[test]
    fn the_same_tree_gives_the_same_bytes() {
        for format in [Format::TarGz, Format::Zip] {
            let pack = || format.pack(&tree(), "netclock-1", TIME).expect("it is in memory");
            assert_eq!(pack(), pack());
        }
    }

    #[test]
    fn a_zip_takes_no_links() {
        let mut tree = tree();
        tree.link("lib/libnetclock.so", "libnetclock.so.1");
        assert!(Format::Zip.pack(&tree, "netclock-1", TIME).is_err());
    }
}
