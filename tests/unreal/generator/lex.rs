//! Splits a header into tokens and collects the comments on its declarations.

use std::collections::BTreeMap;

/// A comment that the editor shows as a tooltip.
#[derive(Debug, Default)]
pub(crate) struct Doc {
    pub(crate) text: String,
    pub(crate) parameters: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

pub(super) fn docs(text: &str) -> BTreeMap<usize, Doc> {
    let comments = text.match_indices("/**").filter_map(|(at, _)| {
        let inside = text[at + 3..].split_once("*/")?.0;
        let line = text[..at].matches('\n').count() + inside.matches('\n').count() + 2;
        let mut doc = Doc::default();
        let mut parameter: Option<String> = None;
        for words in inside.lines().map(|it| it.trim().trim_start_matches('*').trim()) {
            let named = words.strip_prefix("@param ").and_then(|it| it.split_once(' '));
            parameter = named.map(|it| it.0.to_owned()).or(parameter);
            let description = match &parameter {
                Some(name) => doc.parameters.entry(name.clone()).or_default(),
                None => &mut doc.text,
            };
            description.push(' ');
            description.push_str(named.map_or(words, |it| it.1));
        }
        for description in doc.parameters.values_mut().chain([&mut doc.text]) {
            *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        Some((line, doc))
    });
    comments.collect()
}

/// Replaces comments with spaces, so that line numbers stay the same.
pub(crate) fn without_comments(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |it| it + 2)
        } else {
            clean.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        clean.extend(rest[..skipped].chars().filter(|it| *it == '\n'));
        clean.push(' ');
        rest = &rest[skipped..];
    }
    clean
}

/// Splits the text into words, strings and single characters.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if first == '"' {
                rest[1..].find('"').map_or(rest.len(), |it| it + 2)
            } else if first.is_alphanumeric() || first == '_' {
                rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            found.push(Token { text: rest[..length].to_owned(), line: index + 1 });
            rest = rest[length..].trim_start();
        }
    }
    found
}
