//! A game can omit any module of the plugin except `NetClock`.

use std::collections::BTreeSet;
use std::process::Command;

use super::build::{Kind, build, uses};
use super::compiler::Compiler;
use super::files::{modules_of, plugin, printed_by, read, sources};
use super::promises::NEWEST;

/// A module can include only the modules in its Build.cs.
const COMBINATIONS: [&[&str]; 6] = [
    &[],
    &["NetClockGame"],
    &["NetClockLink"],
    &["NetClockPeers"],
    &["NetClockDebug"],
    &["NetClockDebug", "NetClockGame", "NetClockLink", "NetClockPeers"],
];

#[test]
#[ignore = "takes minutes: cargo xtask unreal"]
fn the_clock_runs_alone_and_with_each_other_module() {
    let compiler = &Compiler::all(NEWEST.1)[0];
    for modules in COMBINATIONS {
        let program = build(compiler, NEWEST.0, Kind::Modules(modules));
        let printed = printed_by(&mut Command::new(&program));
        println!("{modules:?}\n{printed}");
        assert!(printed.contains("NetClock.Clock:"), "{modules:?}: {printed}");
        assert_eq!(printed.contains("NetClock.Game:"), modules.contains(&"NetClockGame"), "{modules:?}");
        assert_eq!(printed.contains("NetClock.Peers:"), modules.contains(&"NetClockPeers"), "{modules:?}");
    }
}

#[test]
fn modules_use_the_modules_below_them() {
    let used = |name: &str| -> Vec<String> {
        let module = modules_of(&plugin()).into_iter().find(|it| it.ends_with(name));
        uses(&module.unwrap_or_else(|| panic!("there is no {name}"))).into_iter().collect()
    };
    assert_eq!(used("NetClock"), [""; 0]);
    for name in ["NetClockDebug", "NetClockGame", "NetClockLink", "NetClockPeers"] {
        assert_eq!(used(name), ["NetClock"], "{name}");
    }
    assert_eq!(used("NetClockTests"), ["NetClock", "NetClockGame", "NetClockPeers"]);
}

#[test]
fn sources_of_the_clock_do_not_mention_other_modules() {
    let all = modules_of(&plugin());
    let (clock, others): (Vec<_>, Vec<_>) = all.iter().partition(|it| it.ends_with("NetClock"));
    let mut subjects = BTreeSet::new();
    for header in others.iter().flat_map(|module| sources(module, &["h"])) {
        let text = read(&header);
        subjects.insert(header.file_name().unwrap_or_default().to_string_lossy().into_owned());
        for line in text.lines().filter(|it| !it.ends_with(';')) {
            let words: Vec<&str> = line.split([' ', ':']).filter(|it| !it.ends_with("_API")).collect();
            if let ["class" | "struct", name, ..] | ["enum", "class", name, ..] = words[..] {
                subjects.insert(name.to_owned());
            }
        }
    }
    assert!(subjects.contains("UNetClockStart") && subjects.contains("FNetClockStamp"), "{subjects:?}");
    for source in clock.iter().flat_map(|module| sources(module, &["h", "cpp", "cs"])) {
        let text = read(&source);
        let named = text.split(|it: char| !it.is_alphanumeric() && it != '.' && it != '_');
        let named = named.map(|it| it.trim_end_matches('.')).find(|it| subjects.contains(*it));
        assert!(named.is_none(), "{}: {named:?}", source.display());
    }
}
