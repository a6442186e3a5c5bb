//! Lists for the sources and tests: statuses with their texts, structures with their fields.

use std::path::Path;

use crate::sources::{Source, Sources};
use crate::spelling::snake_case;

/// A status as it is declared.
pub(crate) struct Status<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: i32,
    /// The first sentence of its documentation.
    text: String,
}

/// The statuses of a file. A status is an `i32` of a file `status.rs`.
pub(crate) fn statuses(source: &Source) -> Result<Vec<Status<'_>>, String> {
    let (mut statuses, mut comment) = (Vec::new(), String::new());
    for line in source.text.lines().filter(|_| source.path.ends_with("status.rs")) {
        if let Some(words) = line.strip_prefix("///") {
            comment += words;
            continue;
        }
        if let Some((name, value)) = declared(line) {
            let sentence = comment.trim().split(". ").next().unwrap_or_default().trim_end_matches('.');
            let value: i32 = value.parse().map_err(|error| format!("{name} is {value}: {error}"))?;
            statuses.push(Status { name, value, text: in_a_line(sentence) });
        }
        comment.clear();
    }
    Ok(statuses)
}

/// The name and the value in `pub const NETCLOCK_OK: i32 = 0;`.
fn declared(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("pub const ")?.strip_suffix(';')?.split_once(": i32 = ")
}

/// A sentence as it follows "netclock_client_tick: ".
fn in_a_line(sentence: &str) -> String {
    let plain = sentence.replace('`', "");
    let mut letters = plain.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// Every status with its text, as an array of pairs.
pub(crate) fn status_texts(sources: &Sources) -> Result<String, String> {
    let mut pairs = String::new();
    for source in &sources.0 {
        for Status { value, text, .. } in statuses(source)? {
            pairs += &format!("    ({value}, c{text:?}),\n");
        }
    }
    Ok(format!("&[\n{pairs}]\n"))
}

/// The names of all statuses, as an array.
pub(crate) fn status_names(sources: &Sources) -> Result<String, String> {
    let mut names = String::new();
    for source in &sources.0 {
        names.extend(statuses(source)?.iter().map(|status| format!("{:?}, ", status.name)));
    }
    Ok(format!("&[{names}]\n"))
}

/// A call of the macro `layout` for every structure that C sees into, as an array.
pub(crate) fn layouts(sources: &Sources) -> String {
    let mut calls = String::new();
    for (module, name, rest) in declarations(sources, "#[repr(C)]", "pub struct ", " {\n") {
        let body = rest.split_once("\n}").map_or(rest, |(body, _)| body);
        let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(": "));
        let fields: Vec<&str> = fields.map(|(field, _)| field).collect();
        let c_name = snake_case(name);
        calls += &format!("layout!({c_name:?}, {module}::{name} {{ {} }}),\n", fields.join(", "));
    }
    format!("[\n{calls}]\n")
}

/// Every function that C can call: its name, and a pointer to it for tests that call them all alike.
pub(crate) fn functions(sources: &Sources) -> String {
    let mut pairs = String::new();
    for (module, name, rest) in declarations(sources, "#[unsafe(no_mangle)]", "extern \"C\" fn ", "(") {
        let parameters = rest.split_once(')').map_or(rest, |(parameters, _)| parameters);
        let blanks = "_, ".repeat(parameters.matches(": ").count());
        pairs += &format!("({name:?}, &({module}::{name} as unsafe extern \"C\" fn({blanks}) -> _)),\n");
    }
    format!("&[\n{pairs}]\n")
}

/// How tests look at each handle that is a value under a lock. A link holds a socket, and is not looked into.
pub(crate) fn handles(sources: &Sources) -> String {
    let mut kinds = String::new();
    for (module, name, _) in declarations(sources, "\nowned! { ", "", "(") {
        let look = if module.contains("::link::") { "plain" } else { "seen" };
        kinds += &format!("{look}::<{module}::{name}>(), ");
    }
    format!("&[{kinds}]\n")
}

/// Every function that C can call, as a program without headers declares it: structures are plain memory.
pub(crate) fn entries(sources: &Sources) -> String {
    let mut declared = String::new();
    for (_, name, rest) in declarations(sources, "#[unsafe(no_mangle)]", "extern \"C\" fn ", "(") {
        declared += &format!("pub fn {name}(");
        let signature = rest.split_once(" {\n").map_or(rest, |(signature, _)| signature);
        for part in signature.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            declared += match word.strip_prefix("Netclock") {
                Some("Status") => "i32",
                Some(time) if time.ends_with("Time") => "i64",
                Some(callback) if callback.ends_with("Callback") => "*const c_void",
                Some(_) => "c_void",
                None => word,
            };
            declared += &part[word.len()..];
        }
        declared += ";\n";
    }
    format!("unsafe extern \"C\" {{\n{declared}}}\n")
}

/// Module and name of each item with this attribute, whose name stands between `before` and `after`, and the
/// text from there on.
fn declarations<'a>(
    sources: &'a Sources,
    attribute: &'a str,
    before: &'a str,
    after: &'a str,
) -> impl Iterator<Item = (String, &'a str, &'a str)> {
    sources.0.iter().flat_map(move |source| {
        source.text.split(attribute).skip(1).filter_map(move |item| {
            let (name, rest) = item.split_once(before)?.1.split_once(after)?;
            Some((module_of(&source.path), name, rest))
        })
    })
}

/// `crate::ffi::client::event` of `src/ffi/client/event.rs`.
fn module_of(path: &Path) -> String {
    let inside = path.with_extension("");
    let names = inside.components().skip(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once("crate".to_owned()).chain(names).collect::<Vec<_>>().join("::")
}
