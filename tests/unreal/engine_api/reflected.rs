//! Compares the listed reflected names with Epic's Python API for 5.6 from PyPI's `unreal-stub`.
//! `unreflected.txt` lists the names that the API cannot contain. A name that is in neither the API nor this
//! file is misspelt.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use super::{LIST, read, root, rows};

/// Path of a Python with this package, if the default Python does not have it.
const PYTHON: &str = "NETCLOCK_UNREAL_STUB_PYTHON";
const UNREFLECTED: &str = "tests/unreal/engine_api/unreflected.txt";

/// Maps each class, structure or enum to its base and its members, all with their Python names.
type Api = BTreeMap<String, (String, BTreeSet<String>)>;

#[test]
fn reflected_names_exist_in_the_python_api() {
    let Some(file) = installed() else {
        crate::tools::missing("no unreal-stub: install PyPI's unreal-stub");
        return;
    };
    let api = parse(&read(&file));
    assert!(api.len() > 8_000, "only {} types in {}", api.len(), file.display());
    let rows = rows(&read(&root().join(LIST)));
    let unreflected = read(&root().join(UNREFLECTED));
    let known: BTreeSet<&str> =
        unreflected.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    let symbols: BTreeSet<&str> =
        rows.iter().flat_map(|row| &row.symbols).map(String::as_str).filter(is_of_a_type).collect();
    let (held, missing): (Vec<&str>, Vec<&str>) = symbols.iter().partition(|symbol| holds(&api, symbol));
    // If the API lacks a type, report only the type and not its members.
    let missing: BTreeSet<&str> =
        missing.into_iter().map(|it| if api.contains_key(python(it).0) { it } else { type_of(it) }).collect();
    assert!(held.len() > 50, "only {} names are in both: {held:?}", held.len());
    let new: Vec<_> = missing.difference(&known).collect();
    let stale: Vec<_> = known.difference(&missing).collect();
    assert!(new.is_empty() && stale.is_empty(), "{UNREFLECTED} lacks {new:?} and does not need {stale:?}");
}

/// Finds the package without importing the module, because the module is large.
fn installed() -> Option<PathBuf> {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let ask = "import importlib.util as it; print(it.find_spec('unreal').submodule_search_locations[0])";
    let output = Command::new(python).args(["-c", ask]).output().ok().filter(|it| it.status.success())?;
    let folder = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(folder.trim_end()).join("unreal.py"))
}

fn parse(text: &str) -> Api {
    let mut api = Api::new();
    let mut current = None;
    for line in text.lines() {
        if let Some((name, rest)) = line.strip_prefix("class ").and_then(|rest| rest.split_once('(')) {
            let base = rest.split([')', ',']).next().unwrap_or_default();
            current = Some(name.to_owned());
            api.insert(name.to_owned(), (base.to_owned(), BTreeSet::new()));
        } else if let (Some(class), Some(member)) = (&current, member(line)) {
            api.entry(class.clone()).or_default().1.insert(member.to_owned());
        }
    }
    api
}

/// The line may declare a method, a property or an enum value.
fn member(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("    ").filter(|it| !it.starts_with(' '))?;
    let (name, end) = match (inner.strip_prefix("def "), inner.strip_prefix("- ``")) {
        (Some(method), _) => (method, '('),
        (_, Some(property)) => (property, '`'),
        _ => (inner, ':'),
    };
    let name = name.split_once(end)?.0;
    name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_').then_some(name)
}

/// Returns true if the name looks like that of a class, structure, enum or member.
fn is_of_a_type(symbol: &&str) -> bool {
    let name = type_of(symbol).as_bytes();
    let starts = name.len() > 2 && b"UAFE".contains(&name[0]) && name[1].is_ascii_uppercase();
    starts && (name.iter().any(u8::is_ascii_lowercase) || symbol.contains("::"))
}

fn type_of(symbol: &str) -> &str {
    symbol.split("::").next().unwrap_or_default()
}

fn python(symbol: &str) -> (&str, Option<&str>) {
    (type_of(symbol).get(1..).unwrap_or_default(), symbol.rsplit_once("::").map(|it| it.1))
}

fn holds(api: &Api, symbol: &str) -> bool {
    let (mut class, name) = python(symbol);
    let Some(name) = name else { return api.contains_key(class) };
    let name = snake(name);
    while let Some((base, members)) = api.get(class) {
        if members.contains(&name) || members.contains(&name.to_uppercase()) {
            return true;
        }
        class = base;
    }
    false
}

/// Python names are in lower case with underscores, without the `b` of a `bool`.
fn snake(name: &str) -> String {
    let bytes = name.as_bytes();
    let is_bool = bytes.first() == Some(&b'b') && bytes.get(1).is_some_and(u8::is_ascii_uppercase);
    let bytes = if is_bool { &bytes[1..] } else { bytes };
    let mut spelled = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let before = index.checked_sub(1).map_or(b'_', |it| bytes[it]);
        let is_last_capital =
            before.is_ascii_uppercase() && bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase);
        if byte.is_ascii_uppercase() && before != b'_' && (!before.is_ascii_uppercase() || is_last_capital) {
            spelled.push('_');
        }
        spelled.push(char::from(byte.to_ascii_lowercase()));
    }
    spelled
}
