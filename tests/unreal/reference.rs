//! The reference of the Blueprint nodes, written from the headers: every node with its category, its pins and
//! its tooltip. What it lacks, a node lacks in the editor.

use std::collections::BTreeMap;
use std::fs;

use super::files::{joined, read, root, sources};

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
    let mut names: BTreeMap<(&str, String), &str> = BTreeMap::new();
    let mut wrong = Vec::new();
    for node in &nodes {
        let mut say = |what: &str| wrong.push(format!("{}::{}: {what}", node.class, node.name));
        if !CHAPTERS.iter().any(|(chapter, _)| *chapter == node.category) {
            say(&format!("{} is no chapter", node.category));
        }
        // Of an object, a node shows its target; all others stand beside each other.
        let target = if OBJECTS.contains(&&*node.class) { &*node.class } else { "" };
        if let Some(other) = names.insert((target, meaning(&node.shown)), &node.shown) {
            say(&format!("{:?} and {other:?} are one thing", node.shown));
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

/// Classes of objects that Blueprints hold.
const OBJECTS: [&str; 4] = ["UNetClockPeer", "UNetClockRelay", "UNetClockWaitUntil", "UNetClockWaitForStart"];

/// What a name says, with the words that say nothing left out, and each unit in one spelling.
fn meaning(shown: &str) -> String {
    let words = shown.to_lowercase().replace(['(', ')'], "").replace("seconds", "s");
    let silent = ["get", "current", "the", "of", "now", "stamp"];
    words.split(' ').filter(|it| !silent.contains(it)).collect::<Vec<_>>().join(" ")
}

/// What somebody pastes into a graph: text in the editor's own form.
struct Pasted<'a> {
    name: &'a str,
    /// The class and the name of the function that it calls.
    calls: Option<(&'a str, &'a str)>,
    pins: Vec<PastedPin<'a>>,
}

struct PastedPin<'a> {
    name: &'a str,
    id: &'a str,
    /// The nodes and the ids of the pins at the other ends.
    wires: Vec<(&'a str, &'a str)>,
}

impl<'a> Pasted<'a> {
    fn read(object: &'a str) -> Self {
        let between = |text: &'a str, from: &str, to: &str| -> Option<&'a str> {
            text.split_once(from)?.1.split_once(to).map(|it| it.0)
        };
        let calls =
            |class: &str, name: &str| Some((between(object, class, "\"'")?, between(object, name, "\"")?));
        let call = calls("FunctionReference=(MemberParent=/Script/CoreUObject.Class'\"", "MemberName=\"");
        let wait = calls("ProxyFactoryClass=/Script/CoreUObject.Class'\"", "ProxyFactoryFunctionName=\"");
        let pins = object.lines().filter_map(|line| {
            let (name, id) = (between(line, "PinName=\"", "\"")?, between(line, "PinId=", ",")?);
            let wires = between(line, "LinkedTo=(", "),").unwrap_or_default();
            let wires = wires.split(',').filter_map(|it| it.split_once(' ')).collect();
            Some(PastedPin { name, id, wires })
        });
        Pasted {
            name: between(object, "Name=\"", "\"").expect("it has a name"),
            calls: call.or(wait),
            pins: pins.collect(),
        }
    }
}

#[test]
fn the_recipes_use_nodes_and_pins_that_there_are() {
    let page = read(&root().join(PLUGIN).join("Docs/first-nodes.md"));
    let nodes = nodes();
    // Pins that the editor gives nodes, and those of the events that waits end by.
    let given = ["execute", "then", "self", "ReturnValue", "LatenessMs", "ErrorBoundMs"];
    let recipes: Vec<&str> =
        page.split("```text\n").skip(1).filter_map(|it| it.split("```").next()).collect();
    assert_eq!(recipes.len(), 3);
    for recipe in recipes {
        let all: Vec<Pasted> =
            recipe.split("End Object\n").filter(|it| !it.is_empty()).map(Pasted::read).collect();
        let mut ours = 0;
        for (class, name, pasted) in
            all.iter().filter_map(|it| it.calls.map(|(class, name)| (class, name, it)))
        {
            let Some(class) = class.strip_prefix("/Script/NetClock.") else { continue };
            let class = format!("U{class}");
            let node = nodes.iter().find(|it| it.class == class && it.name == name);
            let node = node.unwrap_or_else(|| panic!("there is no {class}::{name}"));
            let is_event =
                |pin: &str| nodes.iter().any(|it| it.is_event && it.class == class && it.name == pin);
            for pin in pasted.pins.iter().map(|it| it.name) {
                let there = given.contains(&pin) || is_event(pin) || node.pins.iter().any(|it| it.0 == pin);
                assert!(there, "{class}::{name} has no pin {pin}");
            }
            ours += 1;
        }
        assert!(ours > 0, "a recipe without a node of ours");
        // Every wire leads to a pin, from which it leads back.
        for from in &all {
            for (pin, (name, end)) in
                from.pins.iter().flat_map(|pin| pin.wires.iter().map(move |it| (pin, *it)))
            {
                let to = all.iter().find(|it| it.name == name);
                let back = to.and_then(|it| it.pins.iter().find(|it| it.id == end));
                let back = back.unwrap_or_else(|| panic!("{name} has no pin {end}"));
                assert!(back.wires.contains(&(from.name, pin.id)), "{} and {name}: one end", from.name);
            }
        }
        assert!(
            all.iter().all(|it| it.pins.iter().any(|pin| !pin.wires.is_empty())),
            "a node without a wire"
        );
    }
}

#[test]
fn the_twelve_nodes_are_nodes() {
    let page = read(&root().join(PLUGIN).join("Docs/first-nodes.md"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| *")?.split_once("* | "));
    let rows: Vec<(&str, &str)> =
        rows.filter_map(|(node, rest)| Some((node, rest.split_once(" | ")?.0))).collect();
    assert_eq!(rows.len(), 12);
    for (shown, category) in rows {
        let found = nodes().iter().any(|it| it.shown == shown && it.category == category);
        assert!(found, "there is no {shown} in {category}");
    }
}

fn nodes() -> Vec<Node> {
    let headers = ["NetClock", "NetClockPeers"].map(|it| format!("Source/{it}/Public"));
    let headers = headers.iter().flat_map(|it| sources(&root().join(PLUGIN).join(it), &["h"]));
    headers.flat_map(|header| read_nodes(&joined(&read(&header)))).collect()
}

fn read_nodes(header: &str) -> Vec<Node> {
    let lines: Vec<&str> = header.lines().map(str::trim).collect();
    let mut class = String::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let api = ["class NETCLOCK_API ", "class NETCLOCKPEERS_API "];
        if let Some(rest) = api.iter().find_map(|it| line.strip_prefix(it)) {
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
    let mut text =
        "# Blueprint nodes\n\nEvery node and event, by its category below *NetClock*: generated from the \
                    headers, and compared by a test.\nThe [reference](reference.md) says more.\n"
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
