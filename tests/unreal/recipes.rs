//! Generates the page about the first nodes. Readers can paste each list of nodes into a graph.

use super::files::{here, plugin, read, sources};
use super::reference::{Node, is_written, nodes, public_headers};

/// The editor adds these pins to every node. The events that end a wait have only the last two pins.
const GIVEN: [&str; 6] = ["execute", "then", "self", "ReturnValue", "LatenessMs", "ErrorBoundMs"];

struct Made<'a> {
    name: &'a str,
    object: String,
    known: Option<Vec<String>>,
    text: String,
}

#[test]
fn the_page_of_first_nodes_is_generated_from_its_lists() {
    let page = read(&here("recipes/first-nodes.md.in"));
    let nodes = nodes(&public_headers());
    let mut parts = page.split("```text\n");
    let generated = "\n\n<!-- Generated from tests/unreal/recipes: NETCLOCK_WRITE_REFERENCE=1 -->\n\n";
    let first = parts.next().expect("there is a page").replacen("\n\n", generated, 1);
    let recipes = parts.map(|part| {
        let (recipe, rest) = part.split_once("```").expect("a recipe has an end");
        format!("```text\n{}```{rest}", pasted(recipe, &nodes))
    });
    let recipes: Vec<String> = recipes.collect();
    assert_eq!(recipes.len(), 4);
    // A graph can contain only one event of each kind, and the actor may already have one.
    assert!(recipes.iter().all(|it| !it.contains("K2Node_Event")));
    is_written("Docs/first-nodes.md", &(first + &recipes.concat()));

    let rows = page.lines().filter_map(|line| line.strip_prefix("| *")?.split_once("* | "));
    let rows: Vec<(&str, &str)> =
        rows.filter_map(|(node, rest)| Some((node, rest.split_once(" | ")?.0))).collect();
    assert_eq!(rows.len(), 12);
    for (shown, category) in rows {
        let found = nodes.iter().any(|it| it.shown == shown && it.category == category);
        assert!(found, "there is no {shown} in {category}");
    }
}

/// Each line has the form `NAME at X Y: KIND CLASS FUNCTION`, `NAME.PIN > NAME.PIN: TYPE` or `NAME.PIN =
/// VALUE: TYPE`.
fn pasted(recipe: &str, nodes: &[Node]) -> String {
    let mut made: Vec<Made> = Vec::new();
    for (number, line) in recipe.lines().enumerate() {
        // Both ends of a wire have this id, which must be unique in each node.
        let id = format!("{:032X}", number + 1);
        let (what, kind) = line.split_once(": ").expect("a line has a colon");
        if let Some((name, place)) = what.split_once(" at ") {
            made.push(Made::new(name, place, kind, number, nodes));
        } else if let Some((pin, value)) = what.split_once(" = ") {
            let (node, pin) = find(&made, pin);
            made[node].add(pin, &id, kind, &format!("DefaultValue=\"{value}\""));
        } else {
            let (from, to) = what.split_once(" > ").expect("a wire has two ends");
            let ((from, out), (to, into)) = (find(&made, from), find(&made, to));
            let link = |node: usize| format!("LinkedTo=({} {id},)", made[node].object);
            let (ahead, back) = (format!("Direction=\"EGPD_Output\",{}", link(to)), link(from));
            made[from].add(out, &id, kind, &ahead);
            made[to].add(into, &id, kind, &back);
        }
    }
    assert!(made.iter().all(|it| it.text.contains("LinkedTo=")), "a node without a wire");
    assert!(made.iter().any(|it| it.known.is_some()), "a recipe without a NetClock node");
    made.into_iter().map(|it| it.text + "End Object\n").collect()
}

fn find<'a>(made: &[Made], pin: &'a str) -> (usize, &'a str) {
    let (node, pin) = pin.split_once('.').expect("a pin of a node");
    let at = made.iter().position(|it| it.name == node);
    (at.unwrap_or_else(|| panic!("there is no {node}")), pin)
}

/// Returns the editor's path of a class `MODULE.CLASS`.
fn class(name: &str) -> String {
    if let Some((module, class)) = name.split_once('.').filter(|it| it.0.starts_with("NetClock")) {
        let declared = format!("class {}_API U{class} ", module.to_uppercase());
        let headers = sources(&plugin().join("Source").join(module).join("Public"), &["h"]);
        assert!(headers.iter().any(|it| read(it).contains(&declared)), "{module} has no {class}");
    }
    format!("/Script/CoreUObject.Class'\"/Script/{name}\"'")
}

impl<'a> Made<'a> {
    fn new(name: &'a str, place: &str, kind: &str, number: usize, nodes: &[Node]) -> Self {
        let words: Vec<&str> = kind.split(' ').chain([""; 2]).collect();
        let (of, function) = (class(words[1]), words[2]);
        let call = format!("FunctionReference=(MemberParent={of},MemberName=\"{function}\")");
        let (kind, head) = match words[0] {
            "branch" => ("IfThenElse", vec![]),
            "pure" => ("CallFunction", vec!["bIsPureFunc=True".to_owned(), call]),
            "call" => ("CallFunction", vec![call]),
            "get" => ("GetSubsystem", vec![format!("CustomClass={of}")]),
            _ => {
                let made = format!("ProxyFactoryFunctionName=\"{function}\"");
                ("AsyncAction", vec![made, format!("ProxyFactoryClass={of}"), format!("ProxyClass={of}")])
            }
        };
        let ours = words[1].split_once('.').filter(|it| it.0.starts_with("NetClock") && !function.is_empty());
        let known = ours.map(|(_, class)| {
            let of_class = || nodes.iter().filter(|it| it.class.get(1..) == Some(class));
            let node = of_class().find(|it| it.name == function);
            let node = node.unwrap_or_else(|| panic!("there is no {class}::{function}"));
            let events = of_class().filter(|it| it.is_event).map(|it| it.name.clone());
            node.pins.iter().map(|it| it.0.clone()).chain(events).chain(GIVEN.map(str::to_owned)).collect()
        });
        let object = format!("K2Node_{kind}_{number}");
        let (x, y) = place.split_once(' ').expect("a place has two numbers");
        let mut text = format!("Begin Object Class=/Script/BlueprintGraph.K2Node_{kind} Name=\"{object}\"\n");
        for line in head.into_iter().chain([format!("NodePosX={x}"), format!("NodePosY={y}")]) {
            text += &format!("   {line}\n");
        }
        Made { name, object, known, text }
    }

    fn add(&mut self, pin: &str, id: &str, kind: &str, more: &str) {
        let has = self.known.as_ref().is_none_or(|known| known.iter().any(|it| it == pin));
        assert!(has, "{} has no pin {pin}", self.name);
        assert!(!self.text.contains(&format!("\"{pin}\"")), "{}.{pin} occurs twice", self.name);
        let kind = match kind.split_once(' ') {
            None => format!("\"{kind}\""),
            Some(("object", name)) => format!("\"object\",PinType.PinSubCategoryObject={}", class(name)),
            Some((kind, sub)) => format!("\"{kind}\",PinType.PinSubCategory=\"{sub}\""),
        };
        let pin = format!("PinId={id},PinName=\"{pin}\",PinType.PinCategory={kind},{more},");
        self.text += &format!("   CustomProperties Pin ({pin})\n");
    }
}
