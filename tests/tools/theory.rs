//! Tests that every function, field and constant mentioned in the theory exists.

use std::collections::BTreeSet;

use crate::{files_below, read, root};

#[test]
fn names_in_the_theory_exist() {
    let (mut owners, mut items) = (BTreeSet::new(), BTreeSet::new());
    for path in files_below(&root().join("src")) {
        owners.insert(path.file_stem().expect("it has a name").to_string_lossy().into_owned());
        let text = read(&path);
        let mut before = "";
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            match before {
                "struct" | "enum" | "trait" => drop(owners.insert(word.to_owned())),
                "fn" | "const" => drop(items.insert(word.to_owned())),
                _ => {}
            }
            before = word;
        }
        for line in text.lines().map(str::trim) {
            let field = line.split_once(": ").map(|(field, _)| field.trim_start_matches("pub(crate) "));
            let variant = line.strip_suffix(',').and_then(|variant| variant.split(" = ").next());
            items.extend(field.or(variant).map(str::to_owned));
        }
    }
    let page = read("docs/theory.md");
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let names: Vec<_> = page.split(|c| !is_name(c)).filter_map(|name| name.split_once("::")).collect();
    assert!(names.len() > 40, "the theory names only {} functions", names.len());
    let is_known = |(owner, item): &(&str, &str)| owners.contains(*owner) && items.contains(*item);
    let unknown: Vec<_> = names.into_iter().filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "docs/theory.md names items that do not exist: {unknown:?}");
}
