//! Which symbols have no proof for the oldest engine of the range. A page labelled 5.0 may show a later text,
//! so only a plugin that builds there counts.

use std::collections::BTreeSet;

use super::listed::Listed;
use super::{LIST, read};

/// The part of the list that names them.
const HEADING: &str = "\n## Without proof for 5.0\n";

#[test]
fn what_has_no_proof_for_the_oldest_engine_is_named() {
    let text = read(LIST.as_ref());
    let proving = proving(&text);
    assert!(proving.len() > 8, "{proving:?}");
    let mut unproved = BTreeSet::new();
    let mut proved_above = false;
    let listed = Listed::parse(&text);
    for row in listed.rows.iter().filter(|row| row.cells[2].starts_with("all")) {
        let checked = &row.cells[3];
        let in_use = proving.iter().any(|(name, read_at)| {
            checked.contains(&format!("github.com/{name}/")) && checked.contains(read_at)
        });
        proved_above = in_use || checked.starts_with("as above") && proved_above;
        if !proved_above {
            unproved.extend(row.symbols.iter().map(String::as_str));
        }
    }
    let (_, part) = text.split_once(HEADING).expect("the list has that part");
    let part = part.split("\n## ").next().unwrap_or_default();
    let named: BTreeSet<&str> = part.split('`').skip(1).step_by(2).flat_map(str::split_whitespace).collect();
    let new: Vec<_> = unproved.difference(&named).collect();
    let stale: Vec<_> = named.difference(&unproved).collect();
    assert!(new.is_empty() && stale.is_empty(), "{LIST} lacks {new:?}, and needs no {stale:?}");
}

/// Repositories, and where they were read, that build with 5.0 by the table of plugins.
fn proving(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').collect();
        let name = cells[0].split_once("](https://github.com/")?.1.split(')').next()?;
        Some((name, cells.get(1)?.split(','), cells.get(2)?.split(',')))
    });
    let read_at = rows.flat_map(|(name, places, versions)| {
        places.zip(versions).map(move |(place, version)| (name, place.trim(), version.trim()))
    });
    let builds = |version: &str| {
        let oldest = version.split(' ').next().unwrap_or_default();
        oldest == "5.0" || oldest.starts_with("4.") && version.contains(" to 5")
    };
    read_at.filter(|it| builds(it.2)).map(|(name, place, _)| (name, place)).collect()
}
