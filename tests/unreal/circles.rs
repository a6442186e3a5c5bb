//! Which files of the plugin's main module use which: never in circles. Folders do, in a few places that are
//! listed here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::files::{modules, read, sources};
use super::includes::included;

/// From the ground up.
const FOLDERS: [&str; 13] = [
    "Base", "Clock", "World", "Utc", "Wait", "Handover", "Link", "Exchange", "Order", "Start", "Peer",
    "Tests", "",
];

/// The one header that includes all.
const UMBRELLA: &str = "NetClock";

/// What a folder uses of those above it, and why it stays: Unreal wants one object for each of these.
const UPWARDS: [(&str, &str); 12] = [
    // One subsystem shows server and world time, and hands the time over. One library has the nodes of both.
    ("Clock/NetClockBackend", "Handover/NetClockHandoverTypes"),
    ("Clock/NetClockNodes", "Utc/NetClockUtc"),
    ("Clock/NetClockSession", "Handover/NetClockHandoverTypes"),
    ("Clock/NetClockSession", "Order/NetClockOrderBackend"),
    ("Clock/NetClockSubsystem", "Handover/NetClockHandover"),
    ("Clock/NetClockSubsystem", "World/NetClockWorldClocks"),
    ("Clock/NetClockSubsystem", "World/NetClockWorldTypes"),
    // One component carries the messages of all.
    ("Exchange/NetClockComponent", "Order/NetClockOrderBackend"),
    ("Exchange/NetClockComponent", "Start/NetClockStartLink"),
    ("Exchange/NetClockComponent", "Start/NetClockStartTypes"),
    ("Exchange/NetClockDelays", "Order/NetClockOrderBackend"),
    // One subsystem ends the server's frame for all.
    ("Exchange/NetClockExchange", "Start/NetClockStart"),
];

/// Each file without its ending, and those that it uses. A source without a header of its own belongs to the
/// header whose name begins its own: a class may have several sources.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_two_files_use_each_other() {
    let uses = uses(&netclock());
    assert!(uses.len() > 40, "only {} files", uses.len());
    let circle = circle(&uses);
    assert!(circle.is_empty(), "these use each other in a circle: {circle:?}");
}

#[test]
fn folders_use_those_below_them_but_for_a_few() {
    let level = |file: &str| {
        let folder = file.split_once('/').map_or("", |it| it.0);
        FOLDERS
            .iter()
            .position(|it| *it == folder)
            .unwrap_or_else(|| panic!("{file}: a folder without a place"))
    };
    let mut upwards = BTreeSet::new();
    for (file, used) in &uses(&netclock()) {
        for used in used.iter().filter(|used| level(used) > level(file)) {
            upwards.insert((file.clone(), used.clone()));
        }
    }
    let known = UPWARDS.map(|(file, used)| (file.to_owned(), used.to_owned())).into();
    let new: Vec<_> = upwards.difference(&known).collect();
    assert!(new.is_empty(), "these use what is above them: {new:?}");
    let gone: Vec<_> = known.difference(&upwards).collect();
    assert!(gone.is_empty(), "these do not any more: {gone:?}");
    println!("{} uses of a folder above", upwards.len());
}

#[test]
fn finds_a_circle() {
    let uses = |pairs: &[(&str, &str)]| -> Uses {
        let mut uses = Uses::new();
        for (file, used) in pairs {
            uses.entry((*file).to_owned()).or_default().insert((*used).to_owned());
            uses.entry((*used).to_owned()).or_default();
        }
        uses
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])), BTreeSet::new());
    let found = circle(&uses(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]));
    assert_eq!(found, ["b", "c"].map(str::to_owned).into());
}

fn netclock() -> PathBuf {
    modules().into_iter().find(|it| it.ends_with("NetClock")).expect("it is the plugin's main module")
}

fn uses(module: &Path) -> Uses {
    let (headers, code) = (sources(module, &["h"]), sources(module, &["cpp"]));
    let name = |file: &Path| -> String {
        let below = file.strip_prefix(module).unwrap_or(file).with_extension("");
        let parts = below.components().skip(1).map(|it| it.as_os_str().to_string_lossy());
        parts.filter(|it| it != "NetClock").collect::<Vec<_>>().join("/")
    };
    let known: BTreeSet<String> = headers.iter().map(|it| name(it)).collect();
    let mut uses = Uses::new();
    for file in headers.iter().chain(&code) {
        let text = read(file);
        let own = |it: &str| {
            let it = it.strip_prefix("NetClock/").unwrap_or(it).strip_suffix(".h");
            it.filter(|it| known.contains(*it)).map(str::to_owned)
        };
        let includes: Vec<String> = text.lines().filter_map(included).filter_map(own).collect();
        let file = name(file);
        let stem = |it: &str| it.rsplit('/').next().unwrap_or_default().to_owned();
        let begins = |it: &&String| *it != UMBRELLA && stem(&file).starts_with(&stem(it));
        let whole = known.iter().filter(begins).max_by_key(|it| it.len());
        let is_alone = known.contains(&file) || file.starts_with("Tests/");
        let unit = whole.filter(|_| !is_alone).cloned().unwrap_or(file);
        if unit != UMBRELLA {
            let used = includes.into_iter().filter(|it| *it != unit && it != UMBRELLA);
            uses.entry(unit.clone()).or_default().extend(used);
        }
    }
    uses
}

/// What is left when files that use none of the rest are taken away, and files that none of the rest use.
fn circle(uses: &Uses) -> BTreeSet<String> {
    let mut left: BTreeSet<String> = uses.keys().cloned().collect();
    loop {
        let uses_one = |file: &String| uses[file].iter().any(|it| left.contains(it));
        let is_used = |file: &String| left.iter().any(|it| uses[it].contains(file));
        let kept: BTreeSet<String> = left.iter().filter(|it| uses_one(it) && is_used(it)).cloned().collect();
        if kept.len() == left.len() {
            return kept;
        }
        left = kept;
    }
}
