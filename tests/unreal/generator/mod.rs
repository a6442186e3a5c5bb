//! A small Unreal Header Tool that rejects the same mistakes and generates code for the double.

mod check;
mod conditions;
mod emit;
mod lex;
mod parse;

use std::collections::BTreeMap;

pub(crate) use emit::Generated;
pub(crate) use lex::{Doc, Token, tokens, without_comments};
pub(crate) use parse::{Header, Kind, Parameter, Type, has, header, quoted};

/// The engine version, on which some rules depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32);

/// Generates the code for all headers at once, because they use each other's types. `sources` maps header
/// names without `.h` to their texts. Errors list one mistake per line, as `Name.h:12: error`.
pub(crate) fn generate(
    sources: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Generated>, Vec<String>> {
    let mut headers = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in sources {
        errors.extend(conditions::check(name, text));
        match header(name, text) {
            Ok(header) => headers.push(header),
            Err(error) => errors.push(error),
        }
    }
    errors.extend(check::all(&headers));
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(headers.iter().filter(|it| it.is_reflected()).map(|it| (it.name.clone(), emit::header(it))).collect())
}
