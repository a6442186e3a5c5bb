//! Generates the C headers. A header contains a chapter for each module of its folder, and a chapter with
//! these modules' status codes.

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::{Result, bail, ensure};

use crate::{Abi, Item, Kind, Room, Signature, Type, VERSION, Variable, read};

const BANNER: &str = "src/ffi/banner.h";

/// The width of the rules above and below a heading.
const LINE: usize = 95;

pub(crate) fn headers(abi: &Abi) -> Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    let mut known = HashSet::new();
    for rooms in abi.headers() {
        let name = &rooms[0].header;
        ensure!(!name.is_empty(), "{}: there is no line `Header: NAME.h`", rooms[0].folder);
        let mut text = if headers.is_empty() { opening(name)? } else { opening_of_a_part(name, &rooms) };
        let mut declared = known.clone();
        for Chapter { title, about, items } in chapters(&rooms) {
            text += &heading(&title, &about);
            for item in items {
                for ahead in structures(item).filter(|&it| it != item.name && declared.insert(it)) {
                    let _ = writeln!(text, "struct {ahead};\n");
                }
                declared.insert(&item.name);
                text += &marked(item, true);
                text += "\n\n";
            }
        }
        let guard = guard(name);
        text += &format!("#ifdef __cplusplus\n}} /* extern \"C\" */\n#endif\n\n#endif /* {guard} */\n");
        if headers.is_empty() {
            known = declared;
        }
        headers.push((name.clone(), text));
    }
    Ok(headers)
}

pub(crate) struct Chapter<'a> {
    pub(crate) title: String,
    pub(crate) about: Vec<String>,
    pub(crate) items: Vec<&'a Item>,
}

pub(crate) fn chapters<'a>(rooms: &[&'a Room]) -> Vec<Chapter<'a>> {
    let chapter = |room: &&'a Room| Chapter {
        title: room.title.clone(),
        about: room.about.clone(),
        items: room.items.iter().filter(|item| !item.is_status()).collect(),
    };
    let mut chapters: Vec<Chapter<'a>> = rooms.iter().map(chapter).collect();
    let range = |room: &&Room| {
        let range = room.statuses.as_ref()?;
        let (first, last, title) = (range.start(), range.end(), room.title.to_lowercase());
        Some(format!("{first} to {last}, positive and negative: {title}."))
    };
    chapters.push(Chapter {
        title: "Codes".to_owned(),
        about: [String::new()].into_iter().chain(rooms.iter().filter_map(range)).collect(),
        items: rooms.iter().flat_map(|room| &room.items).filter(|item| item.is_status()).collect(),
    });
    chapters.retain(|chapter| !chapter.items.is_empty());
    chapters
}

pub(super) fn title(rooms: &[&Room]) -> String {
    let (first, rest) = rooms[0].title.split_at(1);
    format!("{}{rest}.", first.to_lowercase())
}

fn heading(title: &str, about: &[String]) -> String {
    let line = "=".repeat(LINE);
    let about: String =
        about.iter().map(|words| format!(" * {words}").trim_end().to_owned() + "\n").collect();
    format!("/* {line}\n * {title}\n{about} * {line} */\n\n")
}

fn structures(item: &Item) -> impl Iterator<Item = &str> {
    let variables: Vec<&Variable> = match &item.kind {
        Kind::Function(Signature { parameters, .. }) | Kind::Callback(Signature { parameters, .. }) => {
            parameters.iter().collect()
        }
        _ => Vec::new(),
    };
    variables.into_iter().filter_map(|variable| match variable.kind.target() {
        Type::Structure(name) | Type::Opaque(name) => Some(name.as_str()),
        _ => None,
    })
}

/// Marks functions that have outputs, so that compilers warn about callers that ignore the status.
pub(crate) fn marked(item: &Item, with_comments: bool) -> String {
    let declaration = item.declaration();
    let text = if with_comments { item.commented() } else { declaration.clone() };
    let Kind::Function(Signature { result, parameters }) = &item.kind else { return text };
    let is_filled = |it: &Variable| match &it.kind {
        Type::Pointer(to) => !it.is_const() || matches!(**to, Type::Pointer(_)),
        _ => false,
    };
    // Except in calls that create a handle, the first parameter is the handle.
    let is_handle = |at, it: &Variable| {
        let is_structure = matches!(it.kind.target(), Type::Structure(_) | Type::Opaque(_));
        at == 0 && is_structure && !item.name.ends_with("_create")
    };
    let mut filled = parameters.iter().enumerate().filter(|(_, it)| is_filled(it) && it.name != "user_data");
    let has_outputs = filled.any(|(at, it)| !is_handle(at, it));
    let is_question = item.name.contains("_has_") || item.name.ends_with("_allow");
    if result.is_status() && (has_outputs || is_question) {
        text.replace(&declaration, &format!("NETCLOCK_NODISCARD\n{declaration}"))
    } else {
        text
    }
}

fn opening(name: &str) -> Result<String> {
    let numbers: Vec<&str> = VERSION.split('.').collect();
    let [major, minor, patch] = numbers[..] else { bail!("{VERSION} does not consist of three numbers") };
    Ok(format!(
        "{}\n{}#include <stddef.h>\n#include <stdint.h>\n\n\
         /** Version of this header, as numbers and as text. */\n\
         #define NETCLOCK_VERSION_MAJOR {major}\n#define NETCLOCK_VERSION_MINOR {minor}\n\
         #define NETCLOCK_VERSION_PATCH {patch}\n#define NETCLOCK_VERSION_STRING \"{VERSION}\"\n\n\
         {NODISCARD}\n{BEGIN}",
        read(BANNER)?,
        guarded(name),
    ))
}

fn opening_of_a_part(name: &str, rooms: &[&Room]) -> String {
    let folder = &rooms[0].folder;
    let includes: String = rooms
        .iter()
        .flat_map(|room| &room.uses)
        .map(|name| format!("#include \"netclock/{name}\"\n"))
        .collect();
    format!(
        "/*\n * NetClock: {}\n * SPDX-License-Identifier: MIT OR Apache-2.0\n *\n * Generated from \
         {folder}. Do not edit: run `cargo xtask header`.\n * The contract in netclock.h applies to all \
         functions.\n */\n{}#include \"netclock/netclock.h\"\n{includes}\n{BEGIN}",
        title(rooms),
        guarded(name)
    )
}

fn guard(name: &str) -> String {
    name.replace('.', "_").to_uppercase()
}

fn guarded(name: &str) -> String {
    let guard = guard(name);
    format!("#ifndef {guard}\n#define {guard}\n\n")
}

const BEGIN: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

const NODISCARD: &str = "\
/**
 * Marks functions whose outputs are valid only if the status is NETCLOCK_OK or the comment states so.
 * Compilers warn if the status is ignored. To disable these warnings, define the macro as empty before you
 * include this header.
 */
#ifndef NETCLOCK_NODISCARD
#if defined(__cplusplus) && __cplusplus >= 201703L
#define NETCLOCK_NODISCARD [[nodiscard]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define NETCLOCK_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define NETCLOCK_NODISCARD __attribute__((__warn_unused_result__))
#else
#define NETCLOCK_NODISCARD
#endif
#endif
";
