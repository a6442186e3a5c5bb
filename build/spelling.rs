//! How the header spells what cbindgen makes of the sources: type names, comments, constants.

use std::collections::HashMap;

use crate::sources::Sources;

/// Columns that a comment of one line may take, as in the Rust sources.
const COMMENT_WIDTH: usize = 110;

/// Every type name `NetclockFooBar` in the sources with its C spelling `netclock_foo_bar`.
/// A rule instead of a table, so that no new type can be forgotten.
pub(crate) fn c_type_names(sources: &Sources) -> HashMap<String, String> {
    sources
        .0
        .iter()
        .flat_map(|source| source.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|word| is_abi_type_name(word))
        .map(|word| (word.to_owned(), snake_case(word)))
        .collect()
}

/// True for `NetclockStatus`; false for `Netclock` and `NETCLOCK_OK`.
fn is_abi_type_name(word: &str) -> bool {
    word.strip_prefix("Netclock")
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Puts a comment of one line of text on one line, where that fits: cbindgen takes three.
pub(crate) fn short_comments(header: &str) -> String {
    let mut short = String::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let rest: Vec<&str> = lines.clone().take(2).collect();
        match joined_comment(line, &rest) {
            Some(comment) => {
                short.push_str(&comment);
                lines.nth(1);
            }
            None => short.push_str(line),
        }
        short.push('\n');
    }
    short
}

/// `/** text */` for the three lines `/**`, ` * text`, ` */`.
fn joined_comment(first: &str, rest: &[&str]) -> Option<String> {
    let indent = first.strip_suffix("/**")?;
    let [text, end] = rest else { return None };
    let text = text.strip_prefix(indent)?.strip_prefix(" * ")?;
    let comment = format!("{first} {text} */");
    (end.strip_prefix(indent)? == " */" && comment.len() <= COMMENT_WIDTH).then_some(comment)
}

/// Gives constants the width they have in Rust, and negative ones parentheses.
///
/// cbindgen writes an `i64` of ten million as a bare `10000000`, an `int` in C, so that
/// `seconds * NETCLOCK_TICKS_PER_SECOND` would overflow from 215 seconds on.
pub(crate) fn sized_constants(header: &str, sources: &Sources) -> String {
    let mut sized = String::new();
    for line in header.lines() {
        sized.push_str(&sized_constant(line, sources).unwrap_or_else(|| line.to_owned()));
        sized.push('\n');
    }
    sized
}

/// `None` for a line that stays as it is.
fn sized_constant(line: &str, sources: &Sources) -> Option<String> {
    let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
    let number: i128 = value.parse().ok()?;
    let declared = |kind: &str| {
        let declaration = format!("pub const {name}: {kind} =");
        sources.contain(&declaration)
    };
    let value = if declared("i64") {
        format!("INT64_C({number})")
    } else if declared("u64") {
        format!("UINT64_C({number})")
    } else {
        number.to_string()
    };
    let value = if number < 0 { format!("({value})") } else { value };
    Some(format!("#define {name} {value}"))
}
