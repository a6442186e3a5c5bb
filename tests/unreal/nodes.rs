//! Each Blueprint node, pin and property of the plugin must have a tooltip and a category. The C++ name and
//! the display name of a number must state its unit.

use super::files::{modules, read, sources};
use super::generator::{Header, has, quoted};
use super::reference::{CONTEXT, public_headers};

/// The units at the end of C++ names, and how display names spell them.
const UNITS: [(&str, &str); 4] = [("Seconds", "(s)"), ("Ms", "(ms)"), ("Ppm", "(ppm)"), ("Ticks", "(ticks)")];

/// If a C++ name ends in one of these units, the display name needs no unit.
const SPELLED_OUT: [&str; 2] = ["Seconds", "Ticks"];

/// Only these number types hold measurements.
const NUMBERS: [&str; 3] = ["double", "float", "int64"];

/// Identifiers and ratios have no unit.
const NAMES: &str = "Id Epoch ServerEpoch Timescale Game Connection Rate Confidence Probability Beat Alpha \
                     GetSuggestedSpeedScale";

#[test]
fn everything_in_blueprint_is_documented() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for header in public_headers() {
        for delegate in &header.delegates {
            let silent = delegate.parameters.iter().filter(|it| is_silent(&it.written, &it.name));
            wrong.extend(silent.map(|it| format!("{}: {} has no unit", delegate.name, it.name)));
        }
        for declared in &header.types {
            for it in declared.functions.iter().filter(|it| is_seen(&it.specifiers)) {
                let of = it.parameters.iter().map(|it| (it.written.as_str(), it.name.as_str()));
                let of: Vec<(&str, &str)> = of.chain([(&*it.result, &*it.name)]).collect();
                wrong.extend(check(&header, &it.specifiers, it.line, &of, true));
                seen += 1;
            }
            for it in declared.properties.iter().filter(|it| is_seen(&it.specifiers)) {
                let of = [(it.written.as_str(), it.name.as_str())];
                wrong.extend(check(&header, &it.specifiers, it.line, &of, false));
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "only {seen} nodes and properties were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each consumer evaluates a pure node again, so reading the machine's clock would give different times.
#[test]
fn pure_nodes_do_not_read_the_machines_clock() {
    let files = modules().into_iter().flat_map(|module| sources(&module, &["cpp"]));
    let texts: String = files.map(|path| read(&path)).collect();
    let mut seen = 0;
    for declared in public_headers().iter().flat_map(|header| &header.types) {
        for it in declared.functions.iter().filter(|it| has(&it.specifiers, "BlueprintPure")) {
            let name = format!("{}::{}(", declared.name, it.name);
            let Some((_, rest)) = texts.split_once(&name) else { continue };
            let body = rest.split("\n}\n").next().unwrap_or_default();
            assert!(!body.contains("LocalTicks()"), "{name}) reads the clock");
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} pure nodes were found");
}

/// The engine replicates object parameters by name. A receiver that lacks the object gets null.
#[test]
fn remote_calls_carry_bytes_and_no_objects() {
    let headers = public_headers();
    let functions = headers.iter().flat_map(|header| &header.types).flat_map(|it| &it.functions);
    let mut seen = 0;
    for it in functions.filter(|it| it.remote().is_some()) {
        let types: Vec<&str> = it.parameters.iter().map(|it| it.written.as_str()).collect();
        assert_eq!(types, ["const TArray<uint8>&"], "{}", it.name);
        seen += 1;
    }
    assert_eq!(seen, 4, "remote calls");
}

pub(crate) fn is_seen(specifiers: &[String]) -> bool {
    specifiers.iter().any(|it| it.starts_with("Blueprint"))
}

/// Lists the mistakes in a node or property.
fn check(
    header: &Header,
    specifiers: &[String],
    line: usize,
    of: &[(&str, &str)],
    is_node: bool,
) -> Vec<String> {
    let name = of.last().map_or("", |it| it.1);
    let silent = of.iter().filter(|it| is_silent(it.0, it.1));
    let mut wrong: Vec<String> = silent.map(|it| format!("{} has no unit", it.1)).collect();
    if header.doc(line).is_none() {
        wrong.push("no tooltip".to_owned());
    }
    if !quoted(specifiers, "Category").is_some_and(|it| it.starts_with("NetClock")) {
        wrong.push("no category".to_owned());
    }
    if of.iter().any(|it| it.1 == CONTEXT) && quoted(specifiers, "WorldContext") != Some(CONTEXT) {
        wrong.push("no world context".to_owned());
    }
    // The editor shows a property or a pin of a structure by its own name, because only nodes have a display
    // name.
    let shown = quoted(specifiers, "DisplayName");
    if let Some((unit, sign)) = UNITS.iter().find(|it| is_node && name.ends_with(it.0)) {
        let spelled_out = shown.is_none() && SPELLED_OUT.contains(unit);
        if !spelled_out && !shown.unwrap_or_default().ends_with(sign) {
            wrong.push(format!("{shown:?} does not show {sign}"));
        }
    }
    wrong.into_iter().map(|it| format!("{}.h: {name}: {it}", header.name)).collect()
}

/// Returns true if the name of a numeric parameter or field lacks a unit.
fn is_silent(written: &str, name: &str) -> bool {
    NUMBERS.contains(&written.trim_start_matches("const ").trim_end_matches('&'))
        && !NAMES.split(' ').any(|it| it == name)
        && !UNITS.iter().any(|(unit, _)| name.ends_with(unit))
}
