//! The plugin's graph must use the workbench's words and colours.

use super::files::{read, root};

const PLUGIN: &str = "unreal_plugin/NetClock/Source/NetClockDebug/Private/NetClockGraph.cpp";
/// The workbench does not have these events and labels.
const OWN: [&str; 5] = [
    "the world time jumped",
    "a new connection, perhaps to another server",
    "1 shows the last 30 s of a client's clock: bound, expected error, round trip, corrections.",
    "NetClock: this is not a client",
    ": not synced",
];

fn text(path: &str) -> String {
    read(&root().join(path))
}

#[test]
fn words_are_the_same_as_in_the_workbench() {
    // A long text may be split over several lines.
    let source = text(PLUGIN);
    let source = source.lines().map(str::trim).collect::<Vec<_>>().join("\n").replace("\"\n\"", "");
    let lab = ["net/sync/events.rs", "report/session/verdict/route.rs"]
        .map(|file| text(&format!("lab/src/{file}")))
        .concat();
    let lab = lab.split("\\\n").map(str::trim_start).collect::<String>();
    let words: Vec<&str> =
        source.split("TEXT(\"").skip(1).filter_map(|rest| Some(rest.split_once("\")")?.0)).collect();
    let sentences: Vec<&&str> =
        words.iter().filter(|words| words.contains(' ') && !words.contains('%')).collect();
    assert!(sentences.len() > 12, "only {} sentences", sentences.len());
    for sentence in sentences.into_iter().filter(|sentence| !OWN.contains(sentence)) {
        assert!(lab.contains(&format!("\"{sentence}\"")), "the workbench has no \"{sentence}\"");
    }
    let weights = text("lab/src/report/page/mod.rs");
    for word in ["FINE", "NOTE", "ATTENTION"] {
        assert!(words.contains(&word) && weights.contains(&format!("\"{}\"", word.to_lowercase())), "{word}");
    }
}

#[test]
fn colours_are_the_same_as_on_dark_pages() {
    let source = text(PLUGIN);
    let style = text("lab/src/report/page/page.css");
    let dark = style.split_once("[data-theme=\"dark\"]").expect("pages have a dark theme").1;
    let colours = source.lines().filter_map(|line| line.trim().strip_prefix("const FLinearColor "));
    let colours: Vec<(&str, &str)> =
        colours.filter_map(|line| line.strip_suffix(");")?.split_once(" = Rgb(0x")).collect();
    assert_eq!(colours.len(), 7);
    for (name, digits) in colours {
        let rule = format!("--{}: #{digits};", name.to_lowercase());
        assert!(dark.contains(&rule), "no {rule} in the dark theme");
    }
}
