//! The reference of the Blueprint nodes, written from the headers: every node with its category, its pins and its tooltip.
//! What it lacks, a node lacks in the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::files::{read, sources};

const PLUGIN: &str = "unreal_plugin/NetClock";
const PAGE: &str = "Docs/blueprint.md";

/// The chapters, in the order in which a newcomer needs them, and what each is for.
const CHAPTERS: [(&str, &str); 15] = [
    ("Server Time", "The clock in anything that has a world."),
    ("Wait", "Nodes that continue later."),
    ("World Time", "The time of the server's world, through pauses and slow motion."),
    ("Start", "Starts that every machine makes at one instant, and beats from there."),
    ("Order And Prediction", "Who was first, what a player saw, how far ahead to predict."),
    ("Server UTC", "Dates by the server's UTC: daily resets and dated events."),
    ("Link", "Datagrams beside the game's connection."),
    ("Latency", "Changes of the latency, and the speed that hides them."),
    ("Clock", "All that the clock knows, and its events: nodes of *Net Clock Subsystem*."),
    ("Players", "What the server knows about its players' clocks."),
    ("Units", "Ticks of 100 ns, seconds, and time spans."),
    ("Host Migration", "The time goes on with another server."),
    ("Peer", "A shared clock for players who meet at a relay, without a server."),
    ("Relay", "The relay at which they meet."),
    ("Own Transport", "The exchange by a transport of your own."),
];

/// A node, or an event that a Blueprint can bind.
struct Node {
    class: String,
    name: String,
    shown: String,
    category: String,
    keywords: String,
    is_event: bool,
    tooltip: String,
    /// Each with what its tooltip says; nothing if there is none.
    pins: Vec<(String, Option<String>)>,
}

#[test]
fn the_reference_is_what_the_headers_say() {
    let page = root().join(PLUGIN).join(PAGE);
    let wanted = text(&nodes());
    if std::env::var_os("NETCLOCK_WRITE_REFERENCE").is_some() {
        fs::write(&page, &wanted).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    }
    assert!(
        fs::read_to_string(&page).is_ok_and(|it| it == wanted),
        "NETCLOCK_WRITE_REFERENCE=1 writes {PAGE}"
    );
}

#[test]
fn every_node_is_found_by_what_people_look_for() {
    let nodes = nodes();
    assert!(nodes.len() > 60, "only {} nodes", nodes.len());
    let mut names: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut wrong = Vec::new();
    for node in &nodes {
        let mut say = |what: &str| wrong.push(format!("{}::{}: {what}", node.class, node.name));
        if !CHAPTERS.iter().any(|(chapter, _)| *chapter == node.category) {
            say(&format!("{} is no chapter", node.category));
        }
        if !names.insert((&node.category, &node.shown)) {
            say(&format!("there are two {:?} in {}", node.shown, node.category));
        }
        if !node.is_event && node.keywords.split(' ').count() < 3 {
            say("fewer than three keywords");
        }
        for (pin, _) in node.pins.iter().filter(|(_, tooltip)| tooltip.is_none()) {
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
            "nothing is found by {word}"
        );
    }
}

#[test]
fn reads_nodes_with_their_pins() {
    let header = "class NETCLOCK_API UMine : public UObject\n{\n\t/**\n\t * How old it is,\n\t * in seconds.\n\t *\n\
        \t * @param Ticks When it was.\n\t */\n\
        \tUFUNCTION(BlueprintPure, Category = \"NetClock|Units\", meta = (WorldContext = \"WorldContextObject\", Keywords = \"a b c\"))\n\
        \tstatic double GetAge(const UObject* WorldContextObject, int64 Ticks = 3, const TMap<int32, bool>& More);\n\
        \t/** It came. */\n\tUPROPERTY(BlueprintAssignable, Category = \"NetClock|Units\")\n\tFMineCame OnCame;\n};\n";
    let found = read_nodes(header);
    assert_eq!(found.len(), 2);
    let node = &found[0];
    assert_eq!(
        (node.class.as_str(), node.shown.as_str(), node.category.as_str()),
        ("UMine", "Get Age", "Units")
    );
    assert_eq!(node.tooltip, "How old it is, in seconds.");
    let pins = [("Ticks".to_owned(), Some("When it was.".to_owned())), ("More".to_owned(), None)];
    assert_eq!(node.pins, pins);
    assert!(found[1].is_event && found[1].shown == "On Came");
}

fn nodes() -> Vec<Node> {
    let headers: Vec<PathBuf> = sources(&root().join(PLUGIN).join("Source/NetClock/Public"), &["h"]);
    headers.iter().flat_map(|header| read_nodes(&read(header))).collect()
}

fn read_nodes(header: &str) -> Vec<Node> {
    let lines: Vec<&str> = header.lines().map(str::trim).collect();
    let mut class = String::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(rest) = line.strip_prefix("class NETCLOCK_API ") {
            class = rest.split([' ', ':']).next().unwrap_or_default().to_owned();
        }
        let is_event = line.starts_with("UPROPERTY(BlueprintAssignable");
        if is_event || line.starts_with("UFUNCTION(Blueprint") {
            let declaration = lines.get(at + 1).copied().unwrap_or_default();
            found.push(read_node(&class, is_event, line, declaration, &comment(&lines[..at])));
        }
    }
    found
}

fn read_node(class: &str, is_event: bool, specifiers: &str, declaration: &str, comment: &[String]) -> Node {
    let quoted = |key: &str| -> Option<String> {
        let rest = specifiers.split(&format!("{key} = \"")).nth(1)?;
        rest.split('"').next().map(str::to_owned)
    };
    let head = declaration.split(['(', ';']).next().unwrap_or_default();
    let name = head.rsplit([' ', '*', '&']).next().unwrap_or_default().to_owned();
    let said = comment.iter().filter_map(|line| line.strip_prefix("@param ")?.split_once(' '));
    let said: BTreeMap<&str, &str> = said.collect();
    let pins = parameters(declaration).into_iter().filter(|it| it != "WorldContextObject");
    let pins = pins.map(|pin| (pin.clone(), said.get(pin.as_str()).map(|&it| it.to_owned())));
    let words = comment.iter().filter(|line| !line.starts_with("@param ") && !line.is_empty());
    Node {
        class: class.to_owned(),
        shown: quoted("DisplayName").unwrap_or_else(|| spaced(&name)),
        category: quoted("Category").unwrap_or_default().trim_start_matches("NetClock|").to_owned(),
        keywords: quoted("Keywords").unwrap_or_default(),
        is_event,
        tooltip: words.cloned().collect::<Vec<_>>().join(" "),
        pins: pins.collect(),
        name,
    }
}

/// The lines of the comment that ends before a declaration, without its marks.
fn comment(before: &[&str]) -> Vec<String> {
    let begin = before.iter().rposition(|line| line.starts_with("/**")).unwrap_or(before.len());
    let lines = before[begin..].iter();
    lines
        .map(|line| line.trim_start_matches(['/', '*']).trim_end_matches(['/', '*']).trim().to_owned())
        .collect()
}

/// The names of the parameters of a function.
fn parameters(declaration: &str) -> Vec<String> {
    let Some((_, rest)) = declaration.split_once('(') else { return Vec::new() };
    let inside = rest.split(')').next().unwrap_or_default();
    let mut depth = 0;
    let parts = inside.split(|it: char| {
        depth += i32::from(it == '<') - i32::from(it == '>');
        it == ',' && depth == 0
    });
    let names = parts.filter_map(|it| it.split('=').next()?.trim().rsplit([' ', '&', '*']).next());
    names.filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// As the editor shows a name without another: `GetServerTime` is *Get Server Time*.
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

fn text(nodes: &[Node]) -> String {
    let mut text = "# Blueprint nodes\n\nEvery node and event, by its category below *NetClock*. This page is written from the \
                    headers, and a test\ncompares it; the [pages of the headers](README.md) say more.\n"
        .to_owned();
    for (chapter, what) in CHAPTERS {
        text += &format!("\n## {chapter}\n\n{what}\n\n| node | does | pins |\n|---|---|---|\n");
        for node in nodes.iter().filter(|node| node.category == chapter) {
            let pins: Vec<String> = node
                .pins
                .iter()
                .map(|(pin, said)| format!("`{pin}`: {}", said.as_deref().unwrap_or_default()))
                .collect();
            let kind = if node.is_event { "event " } else { "" };
            text += &format!(
                "| {kind}*{}*<br>`{}::{}` | {} | {} |\n",
                node.shown,
                node.class,
                node.name,
                node.tooltip,
                pins.join("<br>")
            );
        }
    }
    text
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
