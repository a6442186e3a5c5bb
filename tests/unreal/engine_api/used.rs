//! Which words of a source are the engine's.

use std::collections::BTreeSet;
use std::fmt;

use super::source::Source;

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A type, macro, enumerator, function or member.
    Name,
    /// `Type::Member`, of a type of the engine.
    Qualified,
    /// A function that the plugin overrides.
    Overridden,
}

pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) line: usize,
}

impl fmt::Display for Symbol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remark = if matches!(self.kind, Kind::Overridden) { " (overridden)" } else { "" };
        write!(out, "{}{remark}", self.name)
    }
}

/// Of C's headers, spelled as the engine spells its own.
const OF_C: [&str; 6] = ["NULL", "INT64_MIN", "INT64_MAX", "UINT64_MAX", "INT64_C", "UINT64_C"];

/// The engine's symbols in a source, where `own` is what the plugin declares in all of its sources.
pub(crate) fn used(source: &Source, own: &BTreeSet<String>) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let engines = |word: &str| is_spelled_so(word) && !is_own(word, own);
    for (index, word) in source.words.iter().enumerate() {
        let mut add = |name: String, kind| symbols.push(Symbol { name, kind, line: word.line });
        if word.text == "override" {
            if let Some(name) = overridden(source, index) {
                add(name, Kind::Overridden);
            }
            continue;
        }
        let of = source.before(index, 2);
        if source.before(index, 1) == "::" && engines(of) && of != "Super" {
            add(format!("{of}::{}", word.text), Kind::Qualified);
        } else if engines(&word.text) && !is_only_named(source, index) {
            add(word.text.clone(), Kind::Name);
        }
    }
    symbols
}

/// Begins with a capital, or with the `b` of a boolean; is more than a letter.
fn is_spelled_so(word: &str) -> bool {
    let camel = word.strip_prefix('b').unwrap_or(word);
    word.len() > 1 && camel.starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_own(word: &str, own: &BTreeSet<String>) -> bool {
    // Unreal Header Tool makes these of a remote function, and Unreal Build Tool the macro of a module.
    let base =
        word.strip_suffix("_Implementation").or_else(|| word.strip_suffix("_Validate")).unwrap_or(word);
    own.contains(base)
        || OF_C.contains(&word)
        || word.starts_with("NETCLOCK_")
        || word == "WITH_NETCLOCK_LIBRARY"
        || word.ends_with("_API")
}

/// `class UTheirs;` says that there is such a type; only its use counts.
fn is_only_named(source: &Source, index: usize) -> bool {
    matches!(source.before(index, 1), "class" | "struct") && source.text(index + 1) == ";"
}

/// The name before the parentheses that `override` follows.
fn overridden(source: &Source, index: usize) -> Option<String> {
    let mut at = index.checked_sub(1)?;
    while source.text(at) != ")" {
        at = at.checked_sub(1)?;
    }
    let mut depth = 0;
    loop {
        match source.text(at) {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        at = at.checked_sub(1)?;
        if depth == 0 {
            let name = source.text(at);
            // Destructors are everybody's.
            return (source.before(at, 1) != "~").then(|| name.to_owned());
        }
    }
}
