//! Rows that have no proof for the oldest supported engine are marked. A page labelled 5.0 may show a later
//! text, so only a plugin that builds with that engine is proof.

use super::{LIST, read, rows};

#[test]
fn what_has_no_proof_for_the_oldest_engine_is_marked() {
    let text = read(LIST.as_ref());
    let proving = proving(&text);
    assert!(proving.len() > 8, "{proving:?}");
    let mut proved_above = false;
    for row in rows(&text).iter().filter(|row| row.versions.starts_with("all")) {
        let in_use = proving.iter().any(|release| row.checked.contains(release));
        proved_above = in_use || row.checked.starts_with("as above") && proved_above;
        let marked = row.versions.starts_with("all?");
        assert!(marked != proved_above, "{}: \"all\" with proof for 5.0, \"all?\" without", row.line);
    }
}

/// Plugin releases whose lines show that they build with 5.0, as rows refer to them: `NAME:PLACE:`.
fn proving(text: &str) -> Vec<String> {
    let builds = |versions: &str| {
        let oldest = versions.split([' ', ',']).next().unwrap_or_default();
        oldest == "5.0" || oldest.starts_with("4.") && versions.contains(" to 5")
    };
    let plugins = text.lines().filter_map(|line| line.strip_prefix('@'));
    let releases = plugins.flat_map(|line| {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap_or_default();
        let releases = cells.nth(1).unwrap_or_default().split("; ");
        releases.filter_map(|it| it.split_once(' ')).map(move |(place, versions)| (name, place, versions))
    });
    releases.filter(|it| builds(it.2)).map(|(name, place, _)| format!("{name}:{place}:")).collect()
}
