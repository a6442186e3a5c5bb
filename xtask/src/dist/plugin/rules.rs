//! What holds for every file of a packed plugin.

use anyhow::{Result, ensure};

use crate::dist::tree::{Entry, Tree};

/// The limit of paths below the plugin's directory, as the public rules for plugins have it (characters).
const LONGEST: usize = 170;

/// Ends of names of programs and scripts, which no plugin may bring.
const PROGRAMS: [&str; 8] = [".exe", ".msi", ".bat", ".cmd", ".com", ".ps1", ".sh", ".scr"];

/// What must be there: without any one of them the plugin does nothing.
const WANTED: [&str; 5] = [
    "NetClock.uplugin",
    "Source/NetClock/NetClock.Build.cs",
    "Source/ThirdParty/NetClockLibrary/NetClockLibrary.Build.cs",
    "Source/ThirdParty/NetClockLibrary/include/netclock/netclock.h",
    "Source/ThirdParty/NetClockLibrary/null/NetClockCLibrary.h",
];

pub(super) fn check(tree: &Tree) -> Result<()> {
    for wanted in WANTED {
        ensure!(tree.entries.contains_key(wanted), "the plugin has no {wanted}");
    }
    check_paths(tree, "NetClock")
}

/// What holds for every file of any plugin, by the name of its directory.
pub(super) fn check_paths(tree: &Tree, directory: &str) -> Result<()> {
    for (path, entry) in &tree.entries {
        let length = path.chars().count() + "/".len() + directory.len();
        ensure!(length < LONGEST, "{path} has {length} characters: fewer than {LONGEST} are allowed");
        ensure!(path.is_ascii(), "{path} has characters that some disks do not take");
        let lower = path.to_lowercase();
        ensure!(!PROGRAMS.iter().any(|end| lower.ends_with(end)), "{path} is a program");
        let Entry::File(content) = entry else {
            anyhow::bail!("{path} is a link, which a zip does not keep")
        };
        ensure!(!content.starts_with(b"#!"), "{path} is a script");
    }
    let mut folded: Vec<String> = tree.paths().map(str::to_lowercase).collect();
    folded.sort_unstable();
    let twice = folded.windows(2).find(|pair| pair[0] == pair[1]);
    ensure!(twice.is_none(), "two paths differ in case alone: {twice:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Tree {
        let mut tree = Tree::default();
        WANTED.iter().for_each(|path| tree.add(path, "text"));
        tree
    }

    #[test]
    fn refuses_what_no_plugin_may_have() {
        assert!(check(&good()).is_ok());
        let long = format!("Docs/{}", "x".repeat(160));
        for path in ["Tools/setup.EXE", "netclock.uplugin", "Docs/\u{e9}.md", &long] {
            let mut tree = good();
            tree.add(path, "text");
            assert!(check(&tree).is_err(), "{path}");
        }
        let mut script = good();
        script.add("Tools/setup", "#!/bin/sh\n");
        assert!(check(&script).is_err());
        let mut link = good();
        link.link("Source/lib.so", "lib.so.1");
        assert!(check(&link).is_err());
        let mut incomplete = good();
        incomplete.entries.remove("NetClock.uplugin");
        assert!(check(&incomplete).is_err());
    }
}
