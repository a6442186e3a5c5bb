//! Updates the plugin in a project. A list in the plugin's folder has the checksum of each installed file. We
//! replace or remove a file only if it is listed and still has this checksum. All other files belong to the
//! project.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::contents::{LIBRARIES, LOADED};
use crate::tree::{Destination, Entry, Tree};

const FILE: &str = ".netclock-installed";

const HEADING: &str =
    "# Files installed by `cargo xtask plugin`, with checksums. It replaces and removes only these.\n";

/// Maps each file's name to its checksum.
pub(super) type List = BTreeMap<String, u64>;

/// The list is empty before the first installation.
pub(super) fn read_list(dir: &Path) -> Result<List> {
    let text = fs::read_to_string(dir.join(FILE)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let list: Option<List> = lines.map(entry).collect();
    list.with_context(|| {
        format!("{} is damaged: delete {} and run this again", dir.join(FILE).display(), dir.display())
    })
}

fn entry(line: &str) -> Option<(String, u64)> {
    let (checksum, name) = line.split_once(' ')?;
    // Without this check, an edited list could make us remove files outside of the plugin.
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (is_inside && !name.is_empty()).then_some((name.to_owned(), u64::from_str_radix(checksum, 16).ok()?))
}

/// Fails and lists the files if the update would replace files that must not change.
pub(super) fn refuse_obstacles(dir: &Path, list: &List, tree: &Tree) -> Result<()> {
    let mut obstacles = Vec::new();
    for (name, entry) in &tree.entries {
        if let Some(reason) = obstacle(dir, name, list, entry.content())? {
            obstacles.push(format!("\n  {name}: {reason}"));
        }
    }
    ensure!(
        obstacles.is_empty(),
        "nothing was changed, because these files in {} would be lost:{}\nMove or delete them, and run this \
         again",
        dir.display(),
        obstacles.concat()
    );
    Ok(())
}

/// Returns why an existing file must not change, or `None` if it may be replaced.
fn obstacle(dir: &Path, name: &str, list: &List, content: &[u8]) -> Result<Option<&'static str>> {
    if is_behind_a_link(dir, name) {
        return Ok(Some("in a directory that is a link"));
    }
    let path = dir.join(name);
    let Ok(metadata) = path.symlink_metadata() else { return Ok(None) };
    if !metadata.is_file() {
        return Ok(Some("not a file"));
    }
    let found = checksum(&fs::read(path)?);
    Ok(match list.get(name) {
        _ if found == checksum(content) => None,
        Some(ours) => (*ours != found).then_some("edited"),
        None => Some("not installed by this command"),
    })
}

pub(super) fn sync(destination: &Destination, tree: &Tree) -> Result<()> {
    let dir = &destination.dir;
    let list = read_list(dir)?;
    refuse_obstacles(dir, &list, tree)?;
    let mut new = List::new();
    let mut written = 0;
    for (name, entry) in &tree.entries {
        let (path, wanted) = (dir.join(name), checksum(entry.content()));
        // Unreal would compile a file again if we wrote it without a change.
        if !path.is_file() || checksum(&fs::read(path)?) != wanted {
            destination.place(name, entry)?;
            written += 1;
        }
        new.insert(name.clone(), wanted);
    }
    for (name, checksum) in list.iter().filter(|(name, _)| !tree.entries.contains_key(*name)) {
        if is_for_another_machine(name, tree) {
            new.insert(name.clone(), *checksum);
        } else {
            remove(dir, name, *checksum)?;
        }
    }
    let lines = new.iter().map(|(name, checksum)| format!("{checksum:016x} {name}\n"));
    let list = HEADING.to_owned() + &lines.collect::<String>();
    destination.place(FILE, &Entry::File(list.into_bytes()))?;
    println!("{written} files written in {}", dir.display());
    Ok(())
}

/// Returns true for a library that another machine has installed for its own platform.
fn is_for_another_machine(name: &str, tree: &Tree) -> bool {
    let platform = |name: &str| {
        let rest = name.strip_prefix(LIBRARIES).or_else(|| name.strip_prefix(LOADED))?;
        Some(rest.split_once('/')?.0.to_owned())
    };
    let other = platform(name);
    other.is_some() && !tree.entries.keys().any(|ours| platform(ours) == other)
}

fn remove(dir: &Path, name: &str, ours: u64) -> Result<()> {
    let path = dir.join(name);
    if !path.is_file() || is_behind_a_link(dir, name) {
        return Ok(());
    }
    if checksum(&fs::read(&path)?) != ours {
        println!("  {name} (kept: from an older plugin, but edited)");
        return Ok(());
    }
    fs::remove_file(&path)?;
    println!("  {name} (removed: from an older plugin)");
    for way in path.ancestors().skip(1).take_while(|way| *way != dir) {
        // If the directory is not empty, its parents are not empty, either.
        if fs::remove_dir(way).is_err() {
            break;
        }
    }
    Ok(())
}

fn is_behind_a_link(dir: &Path, name: &str) -> bool {
    Path::new(name).ancestors().skip(1).any(|way| dir.join(way).is_symlink()) || dir.is_symlink()
}

/// Computes FNV-1a, ignoring carriage returns because version control may change line endings. This checksum
/// detects edits but not forgeries.
fn checksum(content: &[u8]) -> u64 {
    let bytes = content.iter().filter(|&&byte| byte != b'\r');
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
