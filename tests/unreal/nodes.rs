//! What Blueprint sees of the Unreal plugin explains itself: each node, pin and property has a tooltip and a
//! category, and each number says its unit, in its name in C++ and in the one that is shown.

use super::generator::{Header, quoted};
use super::reference::{CONTEXT, public_headers};

/// How the name of a number ends, and how a shown name says the same.
const UNITS: [(&str, &str); 4] = [("Seconds", "(s)"), ("Ms", "(ms)"), ("Ppm", "(ppm)"), ("Ticks", "(ticks)")];

/// Spelled out in the name, these units need no other sign of them.
const SPELLED_OUT: [&str; 2] = ["Seconds", "Ticks"];

/// Types of numbers that measure something.
const NUMBERS: [&str; 3] = ["double", "float", "int64"];

/// Numbers that name something, and shares: they measure nothing.
const NAMES: &str = "Id Epoch ServerEpoch Timescale Game Connection Rate Confidence Probability Beat Alpha \
                     GetSuggestedSpeedScale";

#[test]
fn everything_that_blueprint_sees_explains_itself() {
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

pub(crate) fn is_seen(specifiers: &[String]) -> bool {
    specifiers.iter().any(|it| it.starts_with("Blueprint"))
}

/// What is wrong with a node or a property of these types and names, its own last.
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
    // A property is shown by its name, as a pin of a structure; only nodes have another.
    let shown = quoted(specifiers, "DisplayName");
    if let Some((unit, sign)) = UNITS.iter().find(|it| is_node && name.ends_with(it.0)) {
        let spelled_out = shown.is_none() && SPELLED_OUT.contains(unit);
        if !spelled_out && !shown.unwrap_or_default().ends_with(sign) {
            wrong.push(format!("{shown:?} does not show {sign}"));
        }
    }
    wrong.into_iter().map(|it| format!("{}.h: {name}: {it}", header.name)).collect()
}

/// A number that should say its unit and does not.
fn is_silent(written: &str, name: &str) -> bool {
    NUMBERS.contains(&written.trim_start_matches("const ").trim_end_matches('&'))
        && !NAMES.split(' ').any(|it| it == name)
        && !UNITS.iter().any(|(unit, _)| name.ends_with(unit))
}
