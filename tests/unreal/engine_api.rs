//! `engine_api/symbols.tsv` lists all Unreal symbols that the plugins and the sample use.

use std::collections::BTreeSet;

use super::files::{here, modules, read, root, sources};

mod oldest;
mod reflected;

const LIST: &str = "tests/unreal/engine_api/symbols.tsv";

#[test]
fn every_type_of_the_double_is_listed() {
    let rows = rows(&read(&root().join(LIST)));
    let symbols = rows.iter().flat_map(|row| &row.symbols);
    let known: BTreeSet<&str> = symbols.map(|it| it.rsplit("::").next().unwrap_or_default()).collect();
    let own = here("engine/Double");
    let code: String =
        modules().iter().flat_map(|it| sources(it, &["h", "cpp"])).map(|it| read(&it)).collect();
    let used: BTreeSet<&str> = code.split(|it: char| !it.is_ascii_alphanumeric()).collect();
    let mut seen = 0;
    let mut missing = BTreeSet::new();
    for header in sources(&here("engine"), &["h"]).into_iter().filter(|it| !it.starts_with(&own)) {
        for name in read(&header).lines().filter_map(declared).filter(|it| used.contains(it)) {
            seen += 1;
            if !known.contains(name) {
                missing.insert(name.to_owned());
            }
        }
    }
    assert!(seen > 50, "only {seen} types");
    assert!(
        missing.is_empty(),
        "{LIST} has no row for these; add each with its declaration, versions and the public page it was \
         checked on: {missing:?}"
    );
}

fn declared(line: &str) -> Option<&str> {
    let (_, rest) =
        ["enum class ", "class ", "struct ", "enum "].iter().find_map(|it| line.split_once(it))?;
    let is_whole =
        !line.ends_with(';') && !line.contains("friend ") && !line.trim_start().starts_with(['/', '*']);
    let name = rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next()?;
    (is_whole && !line.contains("template") && !name.contains("Double") && name.len() > 2).then_some(name)
}

#[test]
fn every_row_has_a_signature_and_a_source() {
    let text = read(&root().join(LIST));
    let rows = rows(&text);
    assert!(rows.len() > 50, "only {} rows were found", rows.len());
    let plugins = text.lines().filter_map(|line| line.strip_prefix('@')?.split('\t').next());
    let plugins: Vec<String> = plugins.map(|name| format!("{name}:")).collect();
    for row in &rows {
        assert!(row.symbols.iter().all(|symbol| !symbol.is_empty()), "{}: no symbol", row.line);
        assert!(!row.versions.is_empty(), "{}: no versions", row.line);
        let mut marks = ["epic:", "https://", "unverified", "as above"].into_iter();
        let stands = marks.any(|mark| row.checked.contains(mark))
            || plugins.iter().any(|name| row.checked.contains(name.as_str()));
        assert!(stands, "{}: neither a page nor the word \"unverified\"", row.line);
    }
    let mut seen = BTreeSet::new();
    for symbol in rows.iter().flat_map(|row| &row.symbols) {
        assert!(seen.insert(symbol), "{symbol} is listed twice");
    }
    // The engine's source is licensed and must not be used.
    assert!(!text.to_lowercase().contains("github.com/epicgames"), "the engine's source is cited");
}

struct Row {
    line: String,
    symbols: Vec<String>,
    versions: String,
    checked: String,
}

fn rows(text: &str) -> Vec<Row> {
    let rows = text.lines().filter(|line| !line.starts_with(['#', '@']) && !line.is_empty());
    let rows = rows.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [symbols, versions, checked, _declaration] = cells[..] else {
            panic!("{line}: {} cells instead of four", cells.len())
        };
        let symbols = symbols.split(' ').map(str::to_owned).collect();
        Row { line: line.to_owned(), symbols, versions: versions.to_owned(), checked: checked.to_owned() }
    });
    rows.collect()
}
