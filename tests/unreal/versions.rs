//! Engines between the oldest and the newest. Most sources are the same for all of them, or depend on only
//! one version. The others are compiled for one engine of each kind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::build::{compile, include_dirs};
use super::files::{modules, sources};
use super::generator::Version;
use super::includes::Reach;
use super::promises::{NEWEST, OLDEST};

/// The text before the minor version in version checks, in the plugins and in the double.
const CONDITIONS: [&str; 2] = ["UE_VERSION_OLDER_THAN(5, ", "DOUBLE_MINOR >= "];

#[test]
fn every_engine_compiles_what_tells_it_apart() {
    let mut wanted: BTreeMap<u32, Vec<(PathBuf, PathBuf)>> = BTreeMap::new();
    let mut changes = BTreeSet::new();
    for module in modules() {
        let dirs = include_dirs(&module, Path::new("none"));
        for source in sources(&module, &["cpp"]) {
            let found = thresholds(Reach::of(&source, &dirs).files.values());
            for minor in missing(&found) {
                wanted.entry(minor).or_default().push((module.clone(), source.clone()));
            }
            changes.extend(found);
        }
    }
    // The sources treat 5.5 like 5.8. They treat 5.1 to 5.4 like neither 5.0 nor 5.8.
    assert_eq!(changes, [1, 5].into(), "the versions that make a difference");
    assert_eq!(wanted.keys().copied().collect::<Vec<_>>(), [1], "what neither 5.0 nor 5.8 covers");

    for (minor, units) in wanted {
        compile(Version(5, minor), &units);
        println!("5.{minor}: {} sources", units.len());
    }
}

/// Returns the minor versions at which these texts change.
fn thresholds<'a>(texts: impl Iterator<Item = &'a String>) -> BTreeSet<u32> {
    let each = texts.flat_map(|text| CONDITIONS.iter().flat_map(|it| text.split(it).skip(1)));
    each.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
}

/// Returns the first engine of each kind that is equivalent to neither the oldest nor the newest.
fn missing(thresholds: &BTreeSet<u32>) -> Vec<u32> {
    let kind = |minor: u32| thresholds.iter().filter(|&&threshold| minor >= threshold).count();
    let mut known = BTreeSet::from([kind(OLDEST.0.1), kind(NEWEST.0.1)]);
    (OLDEST.0.1..=NEWEST.0.1).filter(|&minor| known.insert(kind(minor))).collect()
}
