//! Collects the licences of a library's components in one file, as these licences require.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Component, Origin};

pub(super) fn text(components: &[Component]) -> String {
    let mut text = String::from(
        "The components of the NetClock libraries, and their licences.\n\
         Where there is a choice of licences, you may choose any one of them.\n\n",
    );
    for component in components {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} {}: {}", component.name, component.version, component.licence);
    }
    for (licence, owners) in grouped(components) {
        let _ = write!(text, "\n\n{}\n{}\n\n{}\n", "=".repeat(100), owners.join(", "), licence.trim_end());
    }
    text
}

fn grouped(components: &[Component]) -> BTreeMap<String, Vec<String>> {
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for component in components.iter().filter(|component| component.origin != Origin::NetClock) {
        for (_, text) in &component.texts {
            let owners = grouped.entry(text.replace("\r\n", "\n")).or_default();
            if !owners.contains(&component.name) {
                owners.push(component.name.clone());
            }
        }
    }
    grouped
}
