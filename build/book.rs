//! Binds the header: the banner, then a chapter for each room, in the order of the folders and files.

use std::collections::HashSet;
use std::env;

use crate::lists;
use crate::sources::{Source, Sources};
use crate::spelling::snake_case;

/// Columns of the line under and above a heading.
const LINE: usize = 98;

/// The whole header, from what cbindgen wrote.
pub(crate) fn bind(banner: &str, plain: &str, sources: &Sources) -> Result<String, String> {
    let mut pages = pages(plain, sources)?;
    pages.sort_by_key(|page| page.place);
    let mut text = format!("{banner}\n{}", opening()?);
    let (mut chapter, mut defined) = (usize::MAX, HashSet::new());
    for page in &pages {
        let (file, _) = page.place;
        let room = sources.0[..=file].iter().rposition(Source::is_module_of_a_room).unwrap_or(0);
        if room != chapter {
            chapter = room;
            text += &heading(&sources.0[room], sources)?;
        }
        for ahead in page.structures().filter(|&name| defined.insert(name)) {
            if !page.declares(ahead) {
                text += &format!("struct {ahead};\n\n");
            }
        }
        text = text + page.text + "\n\n";
    }
    Ok(text + CLOSING)
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
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']) && *line != "NETCLOCK_NODISCARD";
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
    for words in words {
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

/// What stands before the first chapter.
fn opening() -> Result<String, String> {
    let cargo =
        |key: &str| env::var(format!("CARGO_PKG_VERSION{key}")).map_err(|error| format!("{key}: {error}"));
    Ok(format!(
        "#ifndef NETCLOCK_H\n#define NETCLOCK_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n\
         /** Version of this header, as numbers and as text. */\n\
         #define NETCLOCK_VERSION_MAJOR {}\n#define NETCLOCK_VERSION_MINOR {}\n#define NETCLOCK_VERSION_PATCH {}\n\
         #define NETCLOCK_VERSION_STRING \"{}\"\n\n{NODISCARD}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
        cargo("_MAJOR")?,
        cargo("_MINOR")?,
        cargo("_PATCH")?,
        cargo("")?
    ))
}

/// What cbindgen puts before functions that are `#[must_use]`.
const NODISCARD: &str = "\
/**
 * Before each call that fills outputs: they hold something only if its status says so, and the compiler warns if you
 * do not look. Define it as nothing before you include this header to have no such warnings.
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

const CLOSING: &str = "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* NETCLOCK_H */\n";
