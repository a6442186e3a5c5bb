//! What the plugin is built with where there is no library: the C headers without their comments, as far as
//! the plugin uses them, with functions that return an error.

use std::collections::BTreeSet;

use super::abi::{ABI, Item, Kind};
use super::files::{read, repositorys, sources};
use super::reference::is_written;

const NULL: &str = "Source/ThirdParty/NetClockLibrary/null/NetClockNullLibrary.h";
const LINK: &str = "netclock_link.h";
/// What its functions return.
const ERROR: &str = "NETCLOCK_UNKNOWN_HANDLE";

#[test]
fn the_null_library_has_what_the_plugin_calls() {
    let folder = repositorys("NetClock");
    let code: String = sources(&folder.join("Source"), &["cpp"]).iter().map(|it| read(it)).collect();
    let mut used: BTreeSet<&str> = words(&code).chain([ERROR]).collect();
    // What is kept uses others.
    loop {
        let before = used.clone();
        let kept = ABI.iter().filter(|it| before.contains(it.name));
        used.extend(kept.flat_map(|it| words(it.declaration)));
        if used == before {
            break;
        }
    }
    // The link comes last: it uses the clock.
    let part = |is_link: bool| -> String {
        let each = ABI.iter().filter(|it| (it.header == LINK) == is_link && used.contains(it.name));
        each.map(null).collect()
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

/// A function with a body, anything else as it is.
fn null(item: &Item) -> String {
    let Kind::Function { result, parameters } = &item.kind else { return format!("{}\n", item.declaration) };
    let types: Vec<&str> = parameters.iter().map(|it| it.1).collect();
    let value = match *result {
        "netclock_status" => ERROR,
        "const char *" => "\"\"",
        _ => "0",
    };
    format!("inline {result} {}({}) {{ return {value}; }}\n", item.name, types.join(", "))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The library's names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it| !is_word(it)).filter(|it| it.starts_with("netclock_") || it.starts_with("NETCLOCK_"))
}
