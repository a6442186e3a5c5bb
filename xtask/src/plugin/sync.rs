//! Brings the plugin in a project up to date, and touches only files that it put there.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::contents::{Contents, LIBRARIES, below, is_unreals};
use super::list::{self, List, checksum};
use crate::destination::Destination;

/// What was done, for the message to the user.
#[derive(Default)]
pub(super) struct Report {
    pub(super) written: usize,
    pub(super) unchanged: usize,
    pub(super) removed: Vec<String>,
    /// Files that were put there, then edited, and are no longer part of the plugin.
    pub(super) edited: Vec<String>,
    /// Files that this program never put there.
    pub(super) foreign: Vec<String>,
}

/// Fails with a list of names if files in the plugin's place are not this program's to replace.
pub(super) fn refuse_obstacles(dir: &Path, list: &List, contents: &Contents) -> Result<()> {
    ensure!(
        !dir.is_symlink(),
        "{} is a link: the plugin is copied, and would be copied to where it leads. Remove it first",
        dir.display()
    );
    let mut obstacles = Vec::new();
    for (name, source) in &contents.files {
        if let Some(reason) = obstacle(dir, name, list, source)? {
            obstacles.push(format!("\n  {name}: {reason}"));
        }
    }
    ensure!(
        obstacles.is_empty(),
        "nothing was changed, since these would be lost in {}:{}\nMove them away, or delete them, and run this \
         again",
        dir.display(),
        obstacles.concat()
    );
    Ok(())
}

/// Why the file there must stay, if it must.
fn obstacle(dir: &Path, name: &str, list: &List, source: &Path) -> Result<Option<&'static str>> {
    if linked_directory(dir, name).is_some() {
        return Ok(Some("in a directory that is a link"));
    }
    let path = dir.join(name);
    let Ok(metadata) = path.symlink_metadata() else { return Ok(None) };
    if !metadata.is_file() {
        return Ok(Some("not a file"));
    }
    let found = checksum(&path)?;
    if list.checksums(name).contains(&found) || found == checksum(source)? {
        return Ok(None);
    }
    Ok(Some(if list.checksums(name).is_empty() { "put there by somebody else" } else { "edited" }))
}

/// The first directory of the path that is a link.
fn linked_directory(dir: &Path, name: &str) -> Option<PathBuf> {
    let mut ways = Path::new(name).ancestors().skip(1).map(|way| dir.join(way));
    ways.find(|way| way != dir && way.is_symlink())
}

/// Brings the plugin up to date. `list` is the list of the previous installation.
pub(super) fn sync(destination: &Destination, list: &List, contents: &Contents) -> Result<Report> {
    let dir = &destination.dir;
    refuse_obstacles(dir, list, contents)?;

    let mut new = List::default();
    for (name, source) in &contents.files {
        new.add(name, checksum(source)?);
    }
    let mut report = Report::default();
    let leftovers: Vec<String> = list
        .names()
        .filter(|name| !contents.files.contains_key(*name) && !for_another_machine(name, contents))
        .map(str::to_owned)
        .collect();
    let kept = list.names().filter(|name| for_another_machine(name, contents));
    for name in kept {
        list.checksums(name).iter().for_each(|&checksum| new.add(name, checksum));
    }

    // Written first, so that an interrupted installation leaves no file outside the list.
    let mut both = list.clone();
    both.join(&new);
    write_list(destination, &both)?;
    for (name, source) in &contents.files {
        let path = dir.join(name);
        // An unchanged file keeps its time, so Unreal does not compile it again.
        if path.is_file() && checksum(&path)? == checksum(source)? {
            report.unchanged += 1;
        } else {
            destination.copy(source, name)?;
            report.written += 1;
        }
    }
    for name in leftovers {
        remove(dir, name, list, &mut report)?;
    }
    write_list(destination, &new)?;

    let ours = |name: &str| name == list::FILE || !new.checksums(name).is_empty() || is_unreals(name);
    report.foreign = below(dir)?.into_keys().filter(|name| !ours(name)).collect();
    report.foreign.retain(|name| !report.edited.contains(name));
    Ok(report)
}

/// A library for another platform, put there by this program on another machine.
fn for_another_machine(name: &str, contents: &Contents) -> bool {
    let platform =
        |name: &str| name.strip_prefix(LIBRARIES)?.split_once('/').map(|(first, _)| first.to_owned());
    platform(name)
        .is_some_and(|other| !contents.files.keys().any(|ours| platform(ours).as_ref() == Some(&other)))
}

/// Removes files of an older plugin, and directories that become empty.
fn remove(dir: &Path, name: String, list: &List, report: &mut Report) -> Result<()> {
    let path = dir.join(&name);
    if !path.is_file() || path.is_symlink() || linked_directory(dir, &name).is_some() {
        return Ok(());
    }
    if !list.checksums(&name).contains(&checksum(&path)?) {
        report.edited.push(name);
        return Ok(());
    }
    fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    report.removed.push(name);
    for way in path.ancestors().skip(1).take_while(|way| *way != dir) {
        // Not empty: it stays, and so do its parents.
        if fs::remove_dir(way).is_err() {
            break;
        }
    }
    Ok(())
}

fn write_list(destination: &Destination, list: &List) -> Result<()> {
    let text = list.text();
    let before = fs::read_to_string(destination.dir.join(list::FILE)).unwrap_or_default();
    if before == text { Ok(()) } else { destination.write(list::FILE, &text) }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("removed, of an older plugin", &self.removed),
            ("left alone: of an older plugin, but edited", &self.edited),
            ("left alone: not put there by this program", &self.foreign),
        ];
        for (what, names) in parts {
            for name in names {
                writeln!(out, "  {name} ({what})")?;
            }
        }
        write!(
            out,
            "{} files written, {} unchanged, {} removed",
            self.written,
            self.unchanged,
            self.removed.len(),
        )
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
