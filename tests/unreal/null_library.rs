//! What the plugin is built with where there is no library: the C headers without their comments, as far as
//! the plugin uses them, with functions that return an error.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::files::{read, repositorys, sources};
use super::reference::is_written;

const NULL: &str = "Source/ThirdParty/NetClockLibrary/null/NetClockNullLibrary.h";
const LINK: &str = "netclock_link";
/// What its functions return.
const ERROR: &str = "NETCLOCK_UNKNOWN_HANDLE";

#[test]
fn the_null_library_has_what_the_plugin_calls() {
    let folder = repositorys("NetClock");
    let code: String = sources(&folder.join("Source"), &["cpp"]).iter().map(|it| read(it)).collect();
    let mut used: BTreeSet<&str> = words(&code).chain([ERROR]).collect();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock");
    let mut headers: Vec<(String, String)> = sources(&include, &["h"])
        .iter()
        .map(|it| (it.file_stem().unwrap_or_default().to_string_lossy().into_owned(), bare(&read(it))))
        .collect();
    // The link comes last: it uses the clock.
    headers.sort_by_key(|it| (it.0 == LINK, it.0.clone()));
    let declared: Vec<Vec<Declared>> = headers.iter().map(|it| declarations(&it.1)).collect();
    // What is kept uses others.
    loop {
        let before = used.clone();
        let kept = declared.iter().flatten().filter(|it| before.contains(it.name));
        used.extend(kept.flat_map(|it| words(&it.text)));
        if used == before {
            break;
        }
    }
    let part = |is_link: bool| -> String {
        let each = headers.iter().zip(&declared).filter(|it| (it.0.0 == LINK) == is_link);
        let each = each.flat_map(|it| it.1).filter(|it| used.contains(it.name));
        each.map(Declared::null).collect()
    };
    let wanted = format!(
        "// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
         // Generated from include/netclock. Do not edit:\n\
         // NETCLOCK_WRITE_REFERENCE=1 cargo test --test unreal null_library\n\
         #pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n\n#if !WITH_NETCLOCK_LIBRARY\n{}#endif\n\n\
         #if !WITH_NETCLOCK_LINK\n{}#endif\n",
        part(false),
        part(true)
    );
    assert!(wanted.matches("inline ").count() > 80 && part(true).contains("inline netclock_status"));
    is_written(NULL, &wanted);
}

/// A constant, a type or a function, as it is declared, in one line.
struct Declared<'a> {
    name: &'a str,
    text: String,
}

impl Declared<'_> {
    /// A function with a body, anything else as it is.
    fn null(&self) -> String {
        let text = &self.text;
        let Some((head, parameters)) = text.strip_suffix(");").and_then(|it| it.split_once('(')) else {
            return format!("{text}\n");
        };
        if text.starts_with("typedef") {
            return format!("{text}\n");
        }
        let result = head.trim_end_matches(self.name).trim();
        let types = parameters.split(", ").map(|it| it.trim_end_matches(is_word).trim_end());
        let types: Vec<&str> = types.collect();
        let types = if parameters == "void" { String::new() } else { types.join(", ") };
        let value = match result {
            "netclock_status" => ERROR,
            "const char *" => "\"\"",
            _ => "0",
        };
        format!("inline {result} {}({types}) {{ return {value}; }}\n", self.name)
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The library's names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it| !is_word(it)).filter(|it| it.starts_with("netclock_") || it.starts_with("NETCLOCK_"))
}

/// Without comments and what belongs to C alone.
fn bare(text: &str) -> String {
    let mut code = String::new();
    for part in text.split("/*").enumerate() {
        code += if part.0 == 0 { part.1 } else { part.1.split_once("*/").map_or("", |it| it.1) };
    }
    code.replace("NETCLOCK_NODISCARD", "")
}

fn declarations(code: &str) -> Vec<Declared<'_>> {
    let mut found = Vec::new();
    let mut open = String::new();
    for line in code.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            let name = rest.split(' ').next().unwrap_or_default();
            // A guard has no value.
            if rest.len() > name.len() && !name.is_empty() {
                found.push(Declared { name, text: line.trim_end().to_owned() });
            }
        }
        if line.starts_with('#') || line.starts_with("extern \"C\"") || line.trim().is_empty() {
            continue;
        }
        let _ = write!(open, "{} ", line.trim());
        if open.ends_with("; ") && open.matches('{').count() == open.matches('}').count() {
            let text = std::mem::take(&mut open).trim_end().to_owned();
            let name = if text.starts_with("typedef") && !text.contains("(*") {
                text.trim_end_matches(';').rsplit(' ').next()
            } else {
                text.split_once("(*")
                    .map_or(text.as_str(), |it| it.1)
                    .split(['(', ')'])
                    .next()
                    .and_then(|it| it.rsplit([' ', '*']).next())
            };
            // As it stands in the header, so that the name lives as long.
            let name = name.and_then(|it| code.find(it).map(|at| &code[at..at + it.len()]));
            found.push(Declared { name: name.unwrap_or_default(), text });
        } else if open.trim() == "}" {
            open.clear();
        }
    }
    found
}
