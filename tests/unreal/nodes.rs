//! What Blueprint sees of the Unreal plugin explains itself: each node, pin and property has a tooltip and a
//! category, and each number says its unit, in its name in C++ and in the one that is shown.

use std::fs;
use std::path::{Path, PathBuf};

const HEADERS: [&str; 2] =
    ["unreal_plugin/NetClock/Source/NetClock/Public", "unreal_plugin/NetClockGAS/Source/NetClockGAS/Public"];

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
    for header in HEADERS.iter().flat_map(|dir| headers(&Path::new(env!("CARGO_MANIFEST_DIR")).join(dir))) {
        let text =
            fs::read_to_string(&header).unwrap_or_else(|error| panic!("{}: {error}", header.display()));
        let (count, complaints) = check(&text);
        seen += count;
        let name = header.file_name().unwrap_or_default().to_string_lossy().into_owned();
        wrong.extend(complaints.into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(seen > 40, "only {seen} nodes and properties were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn finds_what_does_not_explain_itself() {
    let good = "\
        /** How old it is, in seconds. */\n\
        UFUNCTION(BlueprintPure, Category = \"NetClock\", meta = (WorldContext = \"WorldContextObject\", DisplayName = \"Get Age (s)\"))\n\
        static double GetAgeSeconds(const UObject* WorldContextObject, int64 ServerTicks);\n\
        /** The bound, in ms. */\n\
        UPROPERTY(BlueprintReadOnly, Category = \"NetClock\")\n\
        double ErrorBoundMs = 0.0;\n\
        DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FIt, double, JumpMs);\n";
    assert_eq!(check(good), (3, vec![]));
    let complaints = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        check(&good.replacen(from, to, 1)).1
    };
    assert_eq!(complaints("/** How old it is, in seconds. */", ""), ["GetAgeSeconds: no tooltip"]);
    assert_eq!(complaints("/** How old", "/* How old"), ["GetAgeSeconds: no tooltip"]);
    assert_eq!(complaints(", Category = \"NetClock\"", ""), ["GetAgeSeconds: no category"]);
    assert_eq!(complaints("Get Age (s)", "Get Age"), ["GetAgeSeconds: \"Get Age\" does not show (s)"]);
    assert_eq!(
        complaints("WorldContext = \"WorldContextObject\", ", ""),
        ["GetAgeSeconds: no world context"]
    );
    assert_eq!(complaints("GetAgeSeconds", "GetAge"), ["GetAge: GetAge has no unit"]);
    assert_eq!(complaints("ServerTicks", "ServerTime"), ["GetAgeSeconds: ServerTime has no unit"]);
    assert_eq!(complaints("ErrorBoundMs", "ErrorBound"), ["ErrorBound: ErrorBound has no unit"]);
    assert_eq!(complaints("JumpMs", "Jump"), ["FIt: Jump has no unit"]);
    assert_eq!(complaints("int64 ServerTicks", "double DelayMs = 0.5"), [""; 0]);
    assert_eq!(complaints("int64 ServerTicks", "double Delay = 0.5"), ["GetAgeSeconds: Delay has no unit"]);
    let shown_as_it_is = good.replace(", DisplayName = \"Get Age (s)\"", "");
    assert_eq!(check(&shown_as_it_is), (3, vec![]));
    let unclear = shown_as_it_is.replace("GetAgeSeconds", "GetAgeMs");
    assert_eq!(check(&unclear).1, ["GetAgeMs: \"GetAgeMs\" does not show (ms)"]);
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

/// All headers below, in any folder.
fn headers(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
        if path.is_dir() {
            found.extend(headers(&path));
        } else if path.extension().is_some_and(|it| it == "h") {
            found.push(path);
        }
    }
    found.sort();
    found
}
