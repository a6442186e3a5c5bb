//! Generates the reference of the public headers. It lists the nodes' categories, pins and tooltips, the
//! types' members, and the settings' ranges. Anything that this page lacks is also missing in the editor.

use std::collections::BTreeMap;
use std::fs;

use super::files::{modules, read, root, sources};
use super::generator::{Doc, Header, Kind, Parameter, Type, has, header, quoted};
use super::nodes::is_seen;

const PLUGIN: &str = "unreal_plugin/NetClock";
const PAGE: &str = "Docs/blueprint.md";
/// This parameter has no pin, because nodes pass it themselves.
pub(crate) const CONTEXT: &str = "WorldContextObject";

/// The chapters and their purposes, in the order in which newcomers need them.
const CHAPTERS: [(&str, &str); 16] = [
    ("Server Time", "Reads the clock from any object in a game world."),
    ("Wait", "Nodes that wait for an instant and then continue."),
    ("World Time", "The time of the server's world, which pauses and dilates."),
    ("Start", "Starts at the same instant on every machine, and beats that are counted from the start."),
    (
        "Order And Prediction",
        "The order of events, the instant a player was seeing, and how far ahead to predict.",
    ),
    ("Server UTC", "The server's UTC, for daily resets and dated events."),
    ("Link", "The clock's own UDP datagrams."),
    ("Latency", "Latency changes, and a speed scale that hides them."),
    ("Clock", "The clock's events and functions, on *Net Clock Subsystem*."),
    ("Players", "The server's verdicts about its players' clocks."),
    ("Units", "Conversions between ticks of 100 ns and seconds."),
    ("Host Migration", "Continues the time on another server."),
    ("Peer", "A shared clock for players who are connected through a relay, without a server."),
    ("Relay", "The relay that connects the peers."),
    ("Own Transport", "The clock exchange over your own transport."),
    ("Gameplay Effects", "The plugin *NetClock for Gameplay Abilities*."),
];

/// A node, or an event to which Blueprints can bind.
pub(crate) struct Node {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) shown: String,
    pub(crate) category: String,
    keywords: String,
    pub(crate) is_event: bool,
    tooltip: String,
    pub(crate) pins: Vec<(String, String)>,
}

#[test]
fn the_reference_is_generated_from_the_headers() {
    is_written(PAGE, &text(&public_headers()));
}

/// Asserts that the page has this text, or writes it if `NETCLOCK_WRITE_REFERENCE` is set.
pub(crate) fn is_written(page: &str, wanted: &str) {
    let path = root().join(PLUGIN).join(page);
    if std::env::var_os("NETCLOCK_WRITE_REFERENCE").is_some() {
        fs::write(&path, wanted).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|it| it == wanted),
        "NETCLOCK_WRITE_REFERENCE=1 writes {page}"
    );
}

#[test]
fn likely_search_words_find_every_node() {
    let nodes = nodes(&public_headers());
    assert!(nodes.len() > 60, "only {} nodes", nodes.len());
    let functions = nodes.iter().filter(|it| !it.is_event).count();
    assert!(functions <= 60, "{functions} functions are too many for newcomers");
    let mut names: BTreeMap<(&str, String), &str> = BTreeMap::new();
    let mut wrong = Vec::new();
    for node in &nodes {
        let mut say = |what: &str| wrong.push(format!("{}::{}: {what}", node.class, node.name));
        if !CHAPTERS.iter().any(|(chapter, _)| *chapter == node.category) {
            say(&format!("{} is not a chapter", node.category));
        }
        // The editor shows the target of an object's nodes, and lists all other nodes side by side.
        let target = if OBJECTS.contains(&&*node.class) { &*node.class } else { "" };
        if let Some(other) = names.insert((target, meaning(&node.shown)), &node.shown) {
            say(&format!("{:?} and {other:?} mean the same", node.shown));
        }
        if !node.is_event && node.keywords.split(' ').count() < 3 {
            say("fewer than three keywords");
        }
        for (pin, _) in node.pins.iter().filter(|(_, tooltip)| tooltip.is_empty()) {
            say(&format!("pin {pin} has no tooltip"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (chapter, _) in CHAPTERS {
        assert!(nodes.iter().any(|node| node.category == chapter), "{chapter} is empty");
    }
    for word in ["ping", "sync", "ntp", "latency"] {
        assert!(
            nodes.iter().any(|node| node.keywords.split(' ').any(|it| it == word)),
            "{word} finds no node"
        );
    }
}

/// A Blueprint can hold objects of these classes.
const OBJECTS: [&str; 4] = ["UNetClockPeer", "UNetClockRelay", "UNetClockWaitUntil", "UNetClockWaitForStart"];

/// Removes filler words and normalises units, so that names with the same meaning compare equal.
fn meaning(shown: &str) -> String {
    let words = shown.to_lowercase().replace(['(', ')'], "").replace("seconds", "s");
    let silent = ["get", "current", "the", "of", "now", "stamp"];
    words.split(' ').filter(|it| !silent.contains(it)).collect::<Vec<_>>().join(" ")
}

/// The sample's headers are not public.
pub(crate) fn public_headers() -> Vec<Header> {
    let modules = modules().into_iter().filter(|it| !it.ends_with("NetClockSample"));
    let public = modules.map(|it| it.join("Public")).filter(|it| it.is_dir());
    let each = public.flat_map(|dir| sources(&dir, &["h"])).map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        header(&name, &read(&path)).unwrap_or_else(|error| panic!("{error}"))
    });
    each.collect()
}

pub(crate) fn nodes(headers: &[Header]) -> Vec<Node> {
    let mut found = Vec::new();
    for (header, class) in types(headers) {
        let none = Doc::default();
        let node = |name: &str, specifiers: &[String], line: usize, parameters: &[Parameter]| {
            let doc = header.doc(line).unwrap_or(&none);
            let parameters = parameters.iter().map(|it| &it.name).filter(|it| *it != CONTEXT);
            let pins = parameters.map(|it| (it.clone(), doc.parameters.get(it).cloned().unwrap_or_default()));
            let category = quoted(specifiers, "Category").unwrap_or_default();
            let node = Node {
                class: class.name.clone(),
                name: name.to_owned(),
                shown: quoted(specifiers, "DisplayName").map_or_else(|| spaced(name), str::to_owned),
                category: category.trim_start_matches("NetClock|").to_owned(),
                keywords: quoted(specifiers, "Keywords").unwrap_or_default().to_owned(),
                is_event: has(specifiers, "BlueprintAssignable"),
                tooltip: doc.text.clone(),
                pins: pins.collect(),
            };
            (line, node)
        };
        let calls = class.functions.iter().filter(|it| is_seen(&it.specifiers));
        let calls = calls.map(|it| node(&it.name, &it.specifiers, it.line, &it.parameters));
        let events = class.properties.iter().filter(|it| has(&it.specifiers, "BlueprintAssignable"));
        let events = events.map(|it| node(&it.name, &it.specifiers, it.line, &[]));
        let mut of_class: Vec<(usize, Node)> = calls.chain(events).collect();
        of_class.sort_by_key(|it| it.0);
        found.extend(of_class.into_iter().map(|it| it.1));
    }
    found
}

fn types(headers: &[Header]) -> impl Iterator<Item = (&Header, &Type)> {
    headers.iter().flat_map(|it| it.types.iter().chain(&it.plain).map(move |declared| (it, declared)))
}

/// Formats a name as the editor does if there is no display name. `GetServerTime` becomes *Get Server Time*.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

fn text(headers: &[Header]) -> String {
    let mut text = "# Nodes, types and settings\n\nThis page is generated from the headers. It lists all \
                    nodes and events by category, then\nall types and all settings. The \
                    [reference](reference.md) explains them.\n"
        .to_owned();
    let nodes = nodes(headers);
    for (chapter, what) in CHAPTERS {
        text += &format!("\n## {chapter}\n\n{what}\n\n| node | description | pins |\n|---|---|---|\n");
        for node in nodes.iter().filter(|node| node.category == chapter) {
            let pins = named(node.pins.iter().map(|(pin, tooltip)| (pin, tooltip.as_str())));
            let kind = if node.is_event { "event " } else { "" };
            let (shown, class, name) = (&node.shown, &node.class, &node.name);
            text += &format!("| {kind}*{shown}*<br>`{class}::{name}` | {} | {pins} |\n", node.tooltip);
        }
    }
    text += "\n## Types\n\nMembers without a description are explained by their names.\n\n\
             | type | description | members |\n|---|---|---|\n";
    for (header, declared) in types(headers) {
        if let Some(doc) = header.doc(declared.line) {
            text += &format!("| `{}` | {} | {} |\n", declared.name, doc.text, members(header, declared));
        }
    }
    text += "\n## Settings\n\nThe pages in *Project Settings > Plugins*, stored in \
             `Config/DefaultGame.ini`.\n\
             \n| setting | default | range | description |\n|---|---:|---|---|\n";
    for (header, declared) in types(headers) {
        for setting in declared.properties.iter().filter(|it| has(&it.specifiers, "Config")) {
            let limit = |key| quoted(&setting.specifiers, key);
            let range =
                limit("ClampMin").zip(limit("ClampMax")).map(|(least, most)| format!("{least} to {most}"));
            let tooltip = header.doc(setting.line).map_or("", |it| it.text.as_str());
            let initial = setting.initial.trim_end_matches('f').trim_end_matches(".0");
            let range = range.unwrap_or_default();
            text += &format!("| `{}` | {initial} | {range} | {tooltip} |\n", setting.name);
        }
    }
    text
}

fn members(header: &Header, declared: &Type) -> String {
    let tooltip = |line: usize| header.doc(line).map_or("", |it| it.text.as_str());
    match declared.kind {
        Kind::Class => String::new(),
        Kind::Struct => named(declared.properties.iter().map(|it| (&it.name, tooltip(it.line)))),
        Kind::Enum => named(declared.values.iter().map(|it| (&it.0, tooltip(it.1)))),
    }
}

fn named<'a>(each: impl Iterator<Item = (&'a String, &'a str)>) -> String {
    let each = each
        .map(|(name, tooltip)| format!("`{name}`{}{tooltip}", if tooltip.is_empty() { "" } else { ": " }));
    each.collect::<Vec<_>>().join("<br>")
}
