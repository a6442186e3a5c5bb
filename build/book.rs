//! Binds the headers: a chapter for each room, in the order of the folders and files, in the header that its
//! module names.

use std::collections::HashSet;
use std::env;

use crate::lists;
use crate::sources::{HEADER, Source, Sources, USES};
use crate::spelling::snake_case;

/// Columns of the line under and above a heading.
const LINE: usize = 98;

/// A C header.
pub(crate) struct Header<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: String,
    /// The room whose chapter was begun last.
    chapter: usize,
    /// Structures that the reader knows by now.
    known: HashSet<&'a str>,
}

/// The headers, from what cbindgen wrote. The first has what the others include.
pub(crate) fn bind<'a>(
    banner: &str,
    plain: &'a str,
    sources: &'a Sources,
) -> Result<Vec<Header<'a>>, String> {
    // cbindgen leaves out in silence a constant that a function computes.
    let constants = sources.0.iter().flat_map(|source| source.text.lines());
    for name in constants.filter(|line| line.starts_with("pub const NETCLOCK_")).filter_map(rust_name) {
        if !plain.contains(&format!("#define {name} ")) {
            return Err(format!("cbindgen left {name} out: it has to be a literal"));
        }
    }
    let mut pages = pages(plain, sources)?;
    pages.sort_by_key(|page| page.place);
    let mut headers: Vec<Header<'a>> = Vec::new();
    for page in pages {
        let (file, _) = page.place;
        let chapter = sources.0[..=file].iter().rposition(Source::is_module_of_a_room).unwrap_or(0);
        let room = &sources.0[chapter];
        let name = sources.header_of(room)?;
        let at = headers.iter().position(|header| header.name == name).unwrap_or(headers.len());
        if at == headers.len() {
            let known = headers.first().map(|first| first.known.clone()).unwrap_or_default();
            let text =
                if at == 0 { format!("{banner}\n{}", opening(name)?) } else { opening_of_a_part(name, room) };
            headers.push(Header { name, text, chapter: usize::MAX, known });
        }
        let Header { text, chapter: begun, known, .. } = &mut headers[at];
        if *begun != chapter {
            *begun = chapter;
            *text += &heading(room, sources)?;
        }
        for ahead in page.structures().filter(|&name| known.insert(name)) {
            if !page.declares(ahead) {
                *text += &format!("struct {ahead};\n\n");
            }
        }
        *text += &page.marked();
        *text += "\n\n";
    }
    for Header { name, text, .. } in &mut headers {
        *text +=
            &format!("#ifdef __cplusplus\n}} /* extern \"C\" */\n#endif\n\n#endif /* {} */\n", guard(name));
    }
    Ok(headers)
}

/// A declaration with its comment, and where it stands in the sources: the file and the place in it.
struct Page<'a> {
    text: &'a str,
    place: (usize, usize),
}

impl<'a> Page<'a> {
    /// The names behind the word `struct`, outside of comments.
    fn structures(&self) -> impl Iterator<Item = &'a str> {
        let code = self.text.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
        code.flat_map(|line| line.split("struct ").skip(1))
            .filter_map(|rest| rest.split([' ', ';', ')', '*']).next())
    }

    /// The text. Before a call with outputs stands the mark that makes a compiler warn of an unused status.
    fn marked(&self) -> String {
        let Some((comment, code)) = self.text.split_once("\nnetclock_status netclock_") else {
            return self.text.to_owned();
        };
        let (name, parameters) = code.split_once('(').unwrap_or((code, ""));
        let is_input = |it: &str| it.contains("const ") && !it.contains("**") || it.contains("user_data");
        let mut filled =
            parameters.split(',').enumerate().filter(|(_, it)| it.contains('*') && !is_input(it));
        // The first parameter is a handle, except of a call that creates one.
        let is_handle = |at, it: &str| at == 0 && it.contains("struct ") && !name.ends_with("_create");
        let has_outputs = filled.any(|(at, it)| !is_handle(at, it));
        let mark = has_outputs || name.contains("_has_") || name.ends_with("_allow");
        let mark = if mark { "NETCLOCK_NODISCARD\n" } else { "" };
        format!("{comment}\n{mark}netclock_status netclock_{code}")
    }

    /// Whether this is the declaration of that structure.
    fn declares(&self, name: &str) -> bool {
        self.text.contains(&format!("typedef struct {name} "))
    }
}

/// The declarations, which cbindgen separates by empty lines.
fn pages<'a>(plain: &'a str, sources: &Sources) -> Result<Vec<Page<'a>>, String> {
    let mut pages = Vec::new();
    for text in plain
        .split("\n\n")
        .map(str::trim)
        .filter(|text| text.contains("netclock_") || text.contains("NETCLOCK_"))
    {
        let name = declared(text).ok_or_else(|| format!("this declares nothing: {text}"))?;
        let place =
            place(name, sources).ok_or_else(|| format!("{name} is in no file of {}", crate::FFI_DIR))?;
        pages.push(Page { text, place });
    }
    Ok(pages)
}

/// The name that a piece of the header declares.
fn declared(text: &str) -> Option<&str> {
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
    let code = text.lines().find(is_code)?;
    let word =
        |text: &'_ str| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().map(str::len);
    let named = |at: usize| Some(&code[at..at + word(&code[at..])?]);
    if let Some(rest) = code.strip_prefix("#define ") {
        named(code.len() - rest.len())
    } else if let Some(rest) = code.strip_prefix("typedef struct ") {
        named(code.len() - rest.len())
    } else if code.starts_with("typedef") {
        named(code.find("(*").map_or_else(|| code.rfind(' ').map(|at| at + 1), |at| Some(at + 2))?)
    } else {
        let before = code.split_once('(')?.0;
        named(before.rfind([' ', '*'])? + 1)
    }
}

/// Where the sources declare what C calls `name`.
fn place(name: &str, sources: &Sources) -> Option<(usize, usize)> {
    let in_file = |text: &str| {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if rust_name(line).is_some_and(|declared| declared == name) {
                return Some(start);
            }
            start += line.len();
        }
        None
    };
    sources.0.iter().enumerate().find_map(|(file, source)| Some((file, in_file(&source.text)?)))
}

/// The C name of what a line of Rust declares.
fn rust_name(line: &str) -> Option<String> {
    let until =
        |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().map(str::to_owned);
    if let Some((_, rest)) = line.split_once("extern \"C\" fn ") {
        return until(rest);
    }
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    match kind {
        "const" => until(rest),
        "struct" | "type" => until(rest).map(|name| snake_case(&name)),
        _ => None,
    }
}

/// The heading of a room: what the comment of its module says.
fn heading(room: &Source, sources: &Sources) -> Result<String, String> {
    let comment = room.module_comment();
    let (title, words) =
        comment.split_first().ok_or_else(|| format!("{}: no comment", room.path.display()))?;
    check_statuses(room, &comment, sources)?;
    let line = "=".repeat(LINE - 3);
    let mut text = format!("/* {line}\n * {}\n", title.trim_end_matches('.'));
    for words in words.iter().filter(|line| !line.starts_with(HEADER) && !line.starts_with(USES)) {
        text = text + format!(" * {words}").trim_end() + "\n";
    }
    Ok(format!("{text} * {line} */\n\n"))
}

/// The statuses of a room are in the range that the comment of its module gives: `Statuses: 201 to 299`.
fn check_statuses(room: &Source, comment: &[&str], sources: &Sources) -> Result<(), String> {
    let range = comment.iter().find_map(|line| {
        let (first, rest) = line.split_once("Statuses: ")?.1.split_once(" to ")?;
        let last: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(first.parse::<i32>().ok()?..=last.parse().ok()?)
    });
    let file = room.path.with_file_name("status.rs");
    for source in sources.0.iter().filter(|source| source.path == file) {
        let range = range.clone().ok_or_else(|| format!("{}: no range of statuses", room.path.display()))?;
        for status in lists::statuses(source)? {
            if !range.contains(&status.value.abs()) {
                return Err(format!("{} is {}, but its room has {range:?}", status.name, status.value));
            }
        }
    }
    Ok(())
}

/// What stands before the first chapter of the header that the others include.
fn opening(name: &str) -> Result<String, String> {
    let cargo =
        |key: &str| env::var(format!("CARGO_PKG_VERSION{key}")).map_err(|error| format!("{key}: {error}"));
    Ok(format!(
        "{}#include <stddef.h>\n#include <stdint.h>\n\n\
         /** Version of this header, as numbers and as text. */\n\
         #define NETCLOCK_VERSION_MAJOR {}\n#define NETCLOCK_VERSION_MINOR {}\n#define \
         NETCLOCK_VERSION_PATCH {}\n\
         #define NETCLOCK_VERSION_STRING \"{}\"\n\n{NODISCARD}\n{BEGIN}",
        guarded(name),
        cargo("_MAJOR")?,
        cargo("_MINOR")?,
        cargo("_PATCH")?,
        cargo("")?
    ))
}

/// The same of another header, which begins with this room.
fn opening_of_a_part(name: &str, room: &Source) -> String {
    let title = room.module_comment().first().copied().unwrap_or_default();
    let (first, rest) = title.split_at_checked(1).unwrap_or_default();
    let uses = room.module_comment().into_iter().filter_map(|line| line.strip_prefix(USES));
    let includes: String =
        uses.flat_map(str::split_whitespace).map(|name| format!("#include \"netclock/{name}\"\n")).collect();
    let folder = room.path.parent().unwrap_or(&room.path).display().to_string().replace('\\', "/");
    format!(
        "/*\n * NetClock: {}{}\n * SPDX-License-Identifier: MIT OR Apache-2.0\n *\n * Generated from \
         {folder}. Do not edit: run `cargo xtask header`.\n * netclock.h says what holds for all \
         calls.\n */\n{}\
         #include \"netclock/netclock.h\"\n{includes}\n{BEGIN}",
        first.to_lowercase(),
        rest,
        guarded(name)
    )
}

/// `NETCLOCK_WORLD_H` for `netclock_world.h`.
fn guard(name: &str) -> String {
    name.replace('.', "_").to_uppercase()
}

fn guarded(name: &str) -> String {
    let guard = guard(name);
    format!("#ifndef {guard}\n#define {guard}\n\n")
}

/// Declarations in C++ are those of C, from here on.
const BEGIN: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

/// What stands before calls with outputs.
const NODISCARD: &str = "\
/**
 * Before each call that fills outputs: they hold something only if its status says so, and the compiler warns
 * if you do not look. Define it as nothing before you include this header to have no such warnings.
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
