//! Tests that the list marks each symbol without proof that the oldest supported engine has it. A page about
//! 5.6 may have been changed later, so only plugins count as proof. A plugin for 5.6 is enough, and so are
//! two plugins for an older and a newer engine.

use super::{LIST, read, root, rows};
use crate::promises::{NEWEST, OLDEST};

#[test]
fn rows_without_proof_for_the_oldest_engine_are_marked() {
    let text = read(&root().join(LIST));
    let releases = releases(&text);
    assert!(releases.len() > 20, "{releases:?}");
    let (oldest, mut proved_above) = (OLDEST.0.1, false);
    for row in rows(&text).iter().filter(|row| row.versions.starts_with("all")) {
        let cited = || releases.iter().filter(|it| row.checked.contains(&it.0));
        let in_use = cited().any(|it| it.1 <= oldest) && cited().any(|it| it.2 >= oldest);
        proved_above = in_use || row.checked.starts_with("as above") && proved_above;
        let marked = row.versions.starts_with("all?");
        assert!(marked != proved_above, "{}: \"all\" with proof for 5.{oldest}, \"all?\" without", row.line);
    }
}

/// Returns the plugin releases that rows cite as `NAME:PLACE:`, each with its first and last minor engine
/// version. Both engine 4 and engine 5 without a minor version count as 0.
fn releases(text: &str) -> Vec<(String, u32, u32)> {
    let plugins = text.lines().filter_map(|line| line.strip_prefix('@'));
    let releases = plugins.flat_map(|line| {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap_or_default();
        let releases = cells.nth(1).unwrap_or_default().split("; ");
        releases.filter_map(|it| it.split_once(' ')).map(move |(place, versions)| (name, place, versions))
    });
    let range = |versions: &str| {
        let words = versions.split([' ', ',']).filter(|it| it.starts_with(['4', '5']));
        let minors = words.map(|it| it.strip_prefix("5.").and_then(|it| it.parse().ok()).unwrap_or(0));
        let minors: Vec<u32> = minors.chain(versions.ends_with(" on").then_some(NEWEST.0.1)).collect();
        (minors.iter().copied().min().unwrap_or(0), minors.iter().copied().max().unwrap_or(0))
    };
    releases
        .map(|(name, place, versions)| (format!("{name}:{place}:"), range(versions).0, range(versions).1))
        .collect()
}
