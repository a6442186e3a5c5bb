//! What Blueprint sees of the Unreal plugin explains itself: each node, pin and property has a tooltip and a
//! category, and each number says its unit, in its name in C++ and in the one that is shown.

use super::files::{joined, modules, read, sources};

/// How the name of a number ends, and how a shown name says the same.
const UNITS: [(&str, &str); 4] = [("Seconds", "(s)"), ("Ms", "(ms)"), ("Ppm", "(ppm)"), ("Ticks", "(ticks)")];

/// Spelled out in the name, these units need no other sign of them.
const SPELLED_OUT: [&str; 2] = ["Seconds", "Ticks"];

/// Types of numbers that measure something.
const NUMBERS: [&str; 3] = ["double", "float", "int64"];

/// Numbers that name something, and shares: they measure nothing.
const NAMES: [&str; 12] = [
    "Id",
    "Epoch",
    "ServerEpoch",
    "Timescale",
    "Game",
    "Connection",
    "Rate",
    "Confidence",
    "Probability",
    "Beat",
    "Alpha",
    "GetSuggestedSpeedScale",
];

#[test]
fn everything_that_blueprint_sees_explains_itself() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    let public = modules().into_iter().map(|it| it.join("Public")).filter(|it| it.is_dir());
    for header in public.flat_map(|it| sources(&it, &["h"])) {
        let (count, complaints) = check(&joined(&read(&header)));
        seen += count;
        let name = header.file_name().unwrap_or_default().to_string_lossy().into_owned();
        wrong.extend(complaints.into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(seen > 40, "only {seen} nodes and properties were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many things of a header Blueprint sees, and what is wrong with them.
fn check(header: &str) -> (usize, Vec<String>) {
    let lines: Vec<&str> = header.lines().map(str::trim).collect();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(delegate) = line.strip_prefix("DECLARE_DYNAMIC_") {
            seen += 1;
            wrong.extend(check_delegate(delegate));
        } else if line.starts_with("UFUNCTION(Blueprint") || line.starts_with("UPROPERTY(Blueprint") {
            seen += 1;
            let declaration = lines.get(at + 1).copied().unwrap_or_default();
            wrong.extend(check_one(line, declaration, has_tooltip(&lines[..at])));
        }
    }
    (seen, wrong)
}

fn check_one(specifiers: &str, declaration: &str, tooltip: bool) -> Vec<String> {
    let declaration = declaration.trim_start_matches("static ").trim_start_matches("virtual ");
    let (head, parameters) = declaration.split_once('(').unwrap_or((declaration, ""));
    let head = head.split(['=', ';']).next().unwrap_or_default();
    let (name, quantities) = (last_word(head), std::iter::once(head).chain(parameters.split(',')));
    let mut wrong: Vec<String> =
        quantities.filter_map(without_unit).map(|it| format!("{it} has no unit")).collect();
    if !tooltip {
        wrong.push("no tooltip".to_owned());
    }
    if !specifiers.contains("Category = \"NetClock") {
        wrong.push("no category".to_owned());
    }
    if parameters.contains("WorldContextObject")
        && !specifiers.contains("WorldContext = \"WorldContextObject\"")
    {
        wrong.push("no world context".to_owned());
    }
    let shown = specifiers.split("DisplayName = \"").nth(1).and_then(|it| it.split('"').next());
    if let Some((unit, sign)) = UNITS.iter().find(|(unit, _)| name.ends_with(unit)) {
        let spelled_out = shown.is_none() && SPELLED_OUT.contains(unit);
        // A property is shown by its name, as a pin of a structure; only nodes have another.
        if specifiers.starts_with("UFUNCTION") && !spelled_out && !shown.unwrap_or_default().ends_with(sign) {
            wrong.push(format!("\"{}\" does not show {sign}", shown.unwrap_or(name)));
        }
    }
    wrong.into_iter().map(|it| format!("{name}: {it}")).collect()
}

/// `MULTICAST_DELEGATE_TwoParams(FName, Type1, Name1, Type2, Name2);`
fn check_delegate(declared: &str) -> Vec<String> {
    let inside = declared.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches([')', ';']));
    let words: Vec<&str> = inside.split(',').map(str::trim).collect();
    let pairs = words.get(1..).unwrap_or_default().chunks(2);
    pairs
        .filter_map(|pair| without_unit(&pair.join(" ")).map(|it| format!("{}: {it} has no unit", words[0])))
        .collect()
}

/// The name of what is declared, if it is a number that should say its unit and does not.
fn without_unit(declared: &str) -> Option<String> {
    let declared = declared.split([')', '=']).next()?.trim().trim_start_matches("const ");
    let kind = declared.split([' ', '&']).next()?;
    let name = last_word(declared);
    let silent = NUMBERS.contains(&kind)
        && !NAMES.contains(&name)
        && !UNITS.iter().any(|(unit, _)| name.ends_with(unit));
    silent.then(|| name.to_owned())
}

fn last_word(text: &str) -> &str {
    text.trim().rsplit([' ', '&', '*']).next().unwrap_or_default()
}

/// True if a `/** ... */` ends in the line before.
fn has_tooltip(before: &[&str]) -> bool {
    let Some(last) = before.last() else { return false };
    let begin = before.iter().rev().find(|line| line.starts_with("/*"));
    last.ends_with("*/") && begin.is_some_and(|line| line.starts_with("/**"))
}
