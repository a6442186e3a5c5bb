//! Names that Unreal Header Tool refuses: those that stand for two things.

use std::collections::{BTreeMap, BTreeSet};

use super::parse::{Header, Kind, Type};

/// What is wrong, as `Name.h:12: what is wrong`.
pub(super) fn check(headers: &[Header]) -> Vec<String> {
    let types: BTreeMap<&str, &Type> =
        headers.iter().flat_map(|it| &it.types).map(|it| (it.name.as_str(), it)).collect();
    let mut wrong = Vec::new();
    let mut stripped: BTreeMap<&str, &str> = BTreeMap::new();
    for header in headers {
        let mut say = |line: usize, what: String| wrong.push(format!("{}.h:{line}: {what}", header.name));
        for declared in &header.types {
            let names = stripped_name(declared).and_then(|it| stripped.insert(it, &declared.name));
            if let Some(other) = names {
                say(
                    declared.line,
                    format!("{} and {other} have one name without their prefix", declared.name),
                );
            }
            members(declared, &types, &mut say);
        }
    }
    wrong
}

/// The engine's own name of a class or structure.
fn stripped_name(declared: &Type) -> Option<&str> {
    (declared.kind != Kind::Enum).then(|| declared.name.get(1..)).flatten()
}

fn members(declared: &Type, types: &BTreeMap<&str, &Type>, say: &mut dyn FnMut(usize, String)) {
    let mut properties: BTreeSet<&str> = BTreeSet::new();
    let mut functions: BTreeSet<&str> = BTreeSet::new();
    let mut at = Some(declared);
    while let Some(class) = at {
        properties.extend(class.properties.iter().map(|it| it.name.as_str()));
        at = class.base.as_deref().and_then(|base| types.get(base).copied());
    }
    for function in &declared.functions {
        if !functions.insert(&function.name) {
            say(function.line, format!("{}: a UFUNCTION cannot be overloaded", function.name));
        }
        for parameter in function.parameters.iter().filter(|it| properties.contains(it.name.as_str())) {
            say(function.line, format!("{}: parameter {} hides a UPROPERTY", function.name, parameter.name));
        }
    }
}
