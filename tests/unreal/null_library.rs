//! Platforms without a library use the null library, whose functions all return an error.

use std::collections::BTreeSet;
use std::path::Path;

use super::abi::{ABI, Item, Kind};
use super::files::{read, repositorys, sources};
use super::reference::is_written;

const NULL: &str = "Source/ThirdParty/NetClockLibrary/null/NetClockNullLibrary.h";
/// The plugin includes the clock's headers first, and then the link's.
const INCLUDED: [&str; 6] = [
    "netclock_handover.hpp",
    "netclock_order.hpp",
    "netclock_peer.hpp",
    "netclock_saved.hpp",
    "netclock_session.hpp",
    "netclock_link.hpp",
];
const LINK: &str = "netclock_link";
const ERROR: &str = "NETCLOCK_UNKNOWN_HANDLE";

#[test]
fn the_null_library_has_every_function_that_the_plugin_calls() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock");
    let source = repositorys("NetClock").join("Source");
    let wrapper = read(&source.join("ThirdParty/NetClockLibrary/null/NetClockCLibrary.h"));
    let mut cpp = Vec::new();
    for name in INCLUDED {
        assert!(wrapper.contains(name), "NetClockCLibrary.h does not include {name}");
        with_included(&include, name, &mut cpp);
    }
    let mut code: String = sources(&source, &["cpp"]).iter().map(|it| read(it)).collect();
    cpp.iter().for_each(|it| code += &it.1);
    let mut used: BTreeSet<&str> = words(&code).chain([ERROR]).collect();
    // Declarations may use other declarations, so add those until all are present.
    loop {
        let before = used.clone();
        let kept = ABI.iter().filter(|it| before.contains(it.name));
        used.extend(kept.flat_map(|it| words(it.declaration)));
        if used == before {
            break;
        }
    }
    // The link uses the clock, so its part comes second.
    let part = |is_link: bool| -> String {
        let is_of = |header: &str| header.starts_with(LINK) == is_link;
        let each = ABI.iter().filter(|it| is_of(it.header) && used.contains(it.name));
        let c: String = each.map(null).collect();
        c + &cpp.iter().filter(|it| is_of(&it.0)).map(|it| it.1.as_str()).collect::<String>()
    };
    let wanted = format!(
        "// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
         // Generated from include/netclock. Do not edit. To regenerate it, run\n\
         // NETCLOCK_WRITE_REFERENCE=1 cargo test --test unreal null_library\n\
         #pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n\n#if !WITH_NETCLOCK_LIBRARY\n{}#endif\n\n\
         #if !WITH_NETCLOCK_LINK\n{}#endif\n",
        part(false),
        part(true)
    );
    assert!(wanted.matches("inline ").count() > 80 && part(true).contains("inline netclock_status"));
    is_written(NULL, &wanted);
}

/// Appends a C++ header to `found` after the headers that it includes, without comments, guards and blank
/// lines.
fn with_included(include: &Path, name: &str, found: &mut Vec<(String, String)>) {
    if found.iter().any(|it| it.0 == name) {
        return;
    }
    let text = read(&include.join(name));
    let others = text.lines().filter_map(|line| line.strip_prefix("#include \"netclock/"));
    for other in others.map(|it| it.trim_end_matches('"')).filter(|it| it.ends_with(".hpp")) {
        with_included(include, other, found);
    }
    let mut code = String::new();
    for line in without_comments(&text).lines() {
        let line = line.split("//").next().unwrap_or_default().trim_end();
        if !line.is_empty() && (!line.starts_with('#') || line.starts_with("#include <")) {
            code += line;
            code.push('\n');
        }
    }
    found.push((name.to_owned(), code));
}

fn without_comments(text: &str) -> String {
    let parts = text.split("/*").enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once("*/").map_or("", |it| it.1) }).collect()
}

fn null(item: &Item) -> String {
    let Kind::Function { result, parameters } = &item.kind else { return format!("{}\n", item.declaration) };
    let types: Vec<&str> = parameters.iter().map(|it| it.1).collect();
    let value = match *result {
        "netclock_status" => ERROR,
        "const char *" => "\"\"",
        _ => "0",
    };
    let body = if *result == "void" { String::new() } else { format!("return {value}; ") };
    format!("inline {result} {}({}) {{ {body}}}\n", item.name, types.join(", "))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it| !is_word(it)).filter(|it| it.starts_with("netclock_") || it.starts_with("NETCLOCK_"))
}
