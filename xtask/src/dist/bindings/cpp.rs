//! The headers as types of C++: enumerations, structures with typed fields, and their conversions.
//!
//! Most of it follows from the C headers. A count of ticks is a span, a number that is 1 or 0 a truth, and a number that may be
//! unbounded or unknown is optional: comments of fields say so. The tables of `cpp/table.rs` have the rest.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::abi::{Abi, Comments, Type, Variable};
use table::{BITS, ENUMERATIONS, Enumeration, FIELDS, FLAGS, PAIRS, PICKED, WRITTEN_BY_HAND};

mod table;

/// Columns of a line.
const WIDTH: usize = 118;

/// The headers for C++ that are generated, by name, from the C headers.
pub(crate) fn types(c_headers: &[(String, String)]) -> Result<BTreeMap<String, String>> {
    let each = c_headers.iter().map(|(name, text)| {
        let part = name.trim_end_matches(".h");
        let types = of_a_header(part, text, c_headers).with_context(|| format!("for the types of {name}"))?;
        Ok((format!("{part}_types.hpp"), types))
    });
    each.collect()
}

fn of_a_header(part: &str, text: &str, all: &[(String, String)]) -> Result<String> {
    let (abi, comments) = (Abi::parse(text)?, Comments::of(text));
    let guard = format!("{}_TYPES_HPP", part.to_uppercase());
    let below = if part == "netclock" { "netclock_time" } else { "netclock_types" };
    let mut out = format!(
        "/*\n * NetClock for C++17: the types of {part}.h. Generated from it by `cargo xtask header`: do not edit.\n \
         * SPDX-License-Identifier: MIT OR Apache-2.0\n */\n\n#ifndef {guard}\n#define {guard}\n\n\
         #include \"netclock/{part}.h\"\n#include \"netclock/{below}.hpp\"\n\nnamespace netclock {{\n\n"
    );
    if part == "netclock" {
        out += &status(all)?;
    }
    for enumeration in &ENUMERATIONS {
        if abi.constants.iter().any(|(name, _)| name == enumeration.first) {
            out += &enumerators(enumeration, &abi, &comments)?;
        }
    }
    let mut conversions = String::new();
    for (name, fields) in &abi.structures {
        let cpp = name.trim_start_matches("netclock_");
        if WRITTEN_BY_HAND.contains(&cpp) {
            continue;
        }
        let fields = Field::all(cpp, fields, &comments)?;
        let about = comments.of_c(name).with_context(|| format!("{name} has no comment"))?;
        out += &comment("", &about_a_structure(&about));
        out += &format!("struct {cpp} {{\n");
        for field in &fields {
            out += &comment("    ", &field.about);
            out += &format!("    {} {}{};\n", field.kind, field.name, field.default);
        }
        out += "};\n\n";
        conversions += &conversion(cpp, &fields, fields.iter().any(|field| field.to_c.is_empty()));
    }
    if !conversions.is_empty() {
        out += &format!("namespace detail {{\n\n{conversions}}} // namespace detail\n\n");
    }
    Ok(out + &format!("}} // namespace netclock\n\n#endif /* {guard} */\n"))
}

/// The statuses of all parts: one call of a part may give a status of another.
fn status(headers: &[(String, String)]) -> Result<String> {
    let mut out = "/** Outcome of a call; the statuses of the C headers. Positive: no error, but not the usual result. Negative: an \
                   error that changed nothing. */\nenum class [[nodiscard]] status : std::int32_t {\n"
        .to_owned();
    for (_, text) in headers {
        let mut range = 1..=0;
        for line in text.lines() {
            if let Some(stated) = line.strip_prefix(" * Statuses: ") {
                let (first, last) = stated.split_once(" to ").context("a range of statuses")?;
                let last = last.split(',').next().unwrap_or_default();
                range = first.parse()?..=last.parse()?;
            } else if line.starts_with("/* ====") {
                range = 1..=0;
            }
            let defined = line.strip_prefix("#define NETCLOCK_").and_then(|rest| rest.split_once(' '));
            let Some((name, value)) = defined.filter(|(name, _)| !name.starts_with("ABI_")) else { continue };
            let value = value.trim_matches(['(', ')']).parse::<i32>();
            if let Some(value) = value.ok().filter(|value| range.contains(&value.abs())) {
                out += &format!("    {} = {value},\n", name.to_lowercase());
            }
        }
    }
    ensure!(out.contains(" ok = 0,") && out.contains(" not_synced = "), "the headers have no statuses");
    Ok(out
        + "    /** From these headers only: the library that was loaded has another ABI version, or is older than they. */\n    \
           abi_mismatch = -1000\n};\n\n")
}

fn enumerators(of: &Enumeration, abi: &Abi, comments: &Comments) -> Result<String> {
    let mut out = comment("", of.about) + &format!("enum class {} : std::int32_t {{\n", of.name);
    if of.with_none {
        out += "    none = 0,\n";
    }
    for (name, _) in of.constants(abi)? {
        out += &comment("    ", &about_a_constant(&format!("NETCLOCK_{name}"), comments));
        out += &format!("    {} = NETCLOCK_{name},\n", of.short(name));
    }
    Ok(out + "};\n\n")
}

/// A field in C++.
struct Field {
    name: String,
    about: String,
    kind: String,
    default: String,
    /// Statements that fill C's structure, and this one. None: what was read cannot be written.
    to_c: String,
    from_c: String,
}

impl Field {
    fn all(of: &str, fields: &[Variable], comments: &Comments) -> Result<Vec<Self>> {
        let mut made = Vec::new();
        let has = |name: &str| fields.iter().any(|field| field.name == name);
        for field in fields.iter().filter(|field| !["struct_size", "reserved"].contains(&field.name.as_str()))
        {
            let name = &field.name;
            let path = format!("{of}.{name}");
            let about =
                comments.of_c(&format!("netclock_{path}")).with_context(|| format!("{path}: no comment"))?;
            if let Some((_, prefix, bits)) = BITS.iter().find(|(from, ..)| *from == path) {
                made.extend(bits.iter().map(|bit| Self::bit(name, prefix, bit, comments)));
            } else if let Some((_, first, kind, short, members)) =
                PAIRS.iter().find(|(from, second, ..)| *from == path || *second == path)
            {
                if *first != path {
                    made.push(Self::pair(name, kind, short, members, &about));
                }
            } else if PICKED.iter().any(|(from, ..)| *from == path) {
                for (_, name, kind, event) in PICKED.iter().filter(|(from, ..)| *from == path) {
                    made.push(Self::picked(name, kind, event, &field.name));
                }
            } else if let Some((_, flag)) = FLAGS.iter().find(|(from, _)| *from == path) {
                ensure!(has(flag), "{path}: there is no {flag}");
                made.push(Self::flagged(field, flag, &about)?);
            } else if !FLAGS.iter().any(|(from, flag)| from.starts_with(&format!("{of}.")) && flag == name) {
                made.push(Self::plain(&path, field, &about)?);
            }
        }
        // Truths come last, as in a call.
        made.sort_by_key(|field| field.kind == "bool");
        Ok(made)
    }

    /// One field of C as one of C++.
    fn plain(path: &str, field: &Variable, about: &str) -> Result<Self> {
        let entry = FIELDS.iter().find(|(known, ..)| *known == path);
        let name = entry.and_then(|(_, _, name)| *name).unwrap_or(&field.name).to_owned();
        let c = &field.name;
        if let Type::Bytes(length) = field.kind {
            return Ok(Self {
                about: about_a_field(about),
                kind: format!("std::array<std::byte, {length}>"),
                default: "{}".to_owned(),
                to_c: format!("std::memcpy(to.{c}, from.{name}.data(), sizeof to.{c});"),
                from_c: format!("std::memcpy(to.{name}.data(), from.{c}, sizeof from.{c});"),
                name,
            });
        }
        let Type::Number(number) = &field.kind else { anyhow::bail!("{path} is no number") };
        let may_be_unknown = about.contains("NETCLOCK_UNBOUNDED") || about.contains("NETCLOCK_UNKNOWN_TIME");
        let is_truth = ["1 if ", "1 while ", "1 in "].iter().any(|it| about.starts_with(it));
        let stated = entry.map(|(_, kind, _)| *kind);
        let (kind, default, to, from) = match (number.as_str(), stated) {
            ("netclock_status", _) => (
                "status".to_owned(),
                " = status::ok".to_owned(),
                format!("static_cast<netclock_status>(from.{name})"),
                format!("status{{from.{c}}}"),
            ),
            ("int64_t", stated) => {
                let kind = stated.unwrap_or("ticks");
                if kind == "std::int64_t" {
                    (kind.to_owned(), " = 0".to_owned(), format!("from.{name}"), format!("from.{c}"))
                } else if may_be_unknown {
                    let value = if about.contains("NETCLOCK_UNBOUNDED") {
                        "NETCLOCK_UNBOUNDED"
                    } else {
                        "NETCLOCK_UNKNOWN_TIME"
                    };
                    (
                        format!("std::optional<{kind}>"),
                        "{}".to_owned(),
                        format!("count(from.{name}, {value})"),
                        format!("known<{kind}>(from.{c}, {value})"),
                    )
                } else {
                    (
                        kind.to_owned(),
                        "{}".to_owned(),
                        format!("count(from.{name})"),
                        format!("from_count<{kind}>(from.{c})"),
                    )
                }
            }
            ("int32_t", Some(kind)) if kind.ends_with('?') => {
                let kind = kind.trim_end_matches('?');
                (
                    format!("std::optional<{kind}>"),
                    "{}".to_owned(),
                    format!("from.{name} ? static_cast<std::int32_t>(*from.{name}) : 0"),
                    format!(
                        "from.{c} != 0 ? std::optional<{kind}>{{static_cast<{kind}>(from.{c})}} : std::nullopt"
                    ),
                )
            }
            ("int32_t", Some(kind)) => {
                let first = ENUMERATIONS
                    .iter()
                    .find(|it| it.name == kind)
                    .with_context(|| format!("{path}: no {kind}"))?;
                let first = if first.with_none { "none".to_owned() } else { first.short(first.first) };
                (
                    kind_beside(kind, &name),
                    format!(" = {}::{first}", kind_beside(kind, &name)),
                    format!("static_cast<std::int32_t>(from.{name})"),
                    format!("static_cast<{}>(from.{c})", kind_beside(kind, "")),
                )
            }
            ("int32_t", None) if is_truth => (
                "bool".to_owned(),
                " = false".to_owned(),
                format!("from.{name} ? 1 : 0"),
                format!("from.{c} != 0"),
            ),
            ("int32_t", None) => {
                anyhow::bail!("{path}: is it a truth, or which enumeration? The table does not say")
            }
            ("double", _) => {
                ("double".to_owned(), " = 0.0".to_owned(), format!("from.{name}"), format!("from.{c}"))
            }
            (other, _) => {
                (format!("std::{other}"), " = 0".to_owned(), format!("from.{name}"), format!("from.{c}"))
            }
        };
        let (to_c, from_c) = (format!("to.{c} = {to};"), format!("to.{name} = {from};"));
        Ok(Self { about: about_a_field(about), kind, default, to_c, from_c, name })
    }

    /// A truth that C has as one bit of a number.
    fn bit(flags: &str, prefix: &str, bit: &str, comments: &Comments) -> Self {
        let constant = format!("NETCLOCK_{prefix}{bit}");
        let name = bit.to_lowercase();
        Self {
            about: about_a_constant(&constant, comments),
            kind: "bool".to_owned(),
            default: " = false".to_owned(),
            to_c: format!("to.{flags} |= from.{name} ? {constant} : 0U;"),
            from_c: format!("to.{name} = (from.{flags} & {constant}) != 0;"),
            name,
        }
    }

    /// Two fields of C as one structure.
    fn pair(first: &str, kind: &str, name: &str, [one, other]: &[[&str; 2]; 2], about: &str) -> Self {
        debug_assert_eq!(one[0], first);
        Self {
            about: about_a_field(about),
            kind: kind.to_owned(),
            default: "{}".to_owned(),
            to_c: format!(
                "to.{} = from.{name}.{};\n    to.{} = from.{name}.{};",
                one[0], one[1], other[0], other[1]
            ),
            from_c: format!("to.{name} = {{from.{}, from.{}}};", one[0], other[0]),
            name: name.to_owned(),
        }
    }

    /// A number of C that means this enumeration with one kind of event, and something else with the others.
    fn picked(name: &str, kind: &str, event: &str, field: &str) -> Self {
        Self {
            about: format!("Why, for event_kind::{}; else none.", event.to_lowercase()),
            kind: kind.to_owned(),
            default: format!(" = {kind}::none"),
            to_c: String::new(),
            from_c: format!(
                "to.{name} = from.kind == NETCLOCK_EVENT_{event} ? static_cast<{kind}>(from.{field}) : {kind}::none;"
            ),
            name: name.to_owned(),
        }
    }

    /// A number that another field says is there.
    fn flagged(field: &Variable, flag: &str, about: &str) -> Result<Self> {
        let Type::Number(number) = &field.kind else { anyhow::bail!("{} is no number", field.name) };
        let kind = if number == "double" { number.clone() } else { format!("std::{number}") };
        let name = &field.name;
        Ok(Self {
            about: about_a_field(about)
                .replace("Zero if not known", "Empty if not known")
                .replace("if there is one", "empty if there is none"),
            kind: format!("std::optional<{kind}>"),
            default: "{}".to_owned(),
            to_c: format!(
                "to.{flag} = from.{name} ? 1 : 0;\n    to.{name} = from.{name}.value_or({kind}{{}});"
            ),
            from_c: format!(
                "to.{name} = from.{flag} != 0 ? std::optional<{kind}>{{from.{name}}} : std::nullopt;"
            ),
            name: name.clone(),
        })
    }
}

/// A field may have the name of its type, which then needs its namespace.
fn kind_beside(kind: &str, name: &str) -> String {
    if kind == name { format!("netclock::{kind}") } else { kind.to_owned() }
}

fn conversion(cpp: &str, fields: &[Field], is_read_only: bool) -> String {
    let each = |pick: fn(&Field) -> &str| -> String {
        fields.iter().map(|field| format!("    {}\n", pick(field))).collect()
    };
    let mut out = String::new();
    if !is_read_only {
        out += &format!(
            "inline netclock_{cpp} to_c(const {cpp} &from) noexcept\n{{\n    auto to = sized<netclock_{cpp}>();\n{}    return to;\n}}\n\n",
            each(|field| &field.to_c)
        );
    }
    out + &format!(
        "inline {cpp} from_c(const netclock_{cpp} &from) noexcept\n{{\n    {cpp} to;\n{}    return to;\n}}\n\n",
        each(|field| &field.from_c)
    )
}

/// What a C++ structure does by itself is not said.
fn about_a_structure(about: &str) -> String {
    let sentences = about.split(". ").filter(|it| !it.contains("struct_size") && !it.contains("ticks"));
    let kept = sentences.collect::<Vec<_>>().join(". ");
    if kept.ends_with('.') { kept } else { kept + "." }
}

/// Without what it is a constant of: `Level: ` says nothing in an enumeration of levels.
fn about_a_constant(name: &str, comments: &Comments) -> String {
    let about = comments.of_c(name).unwrap_or_default();
    let rest =
        about.split_once(": ").filter(|(of, _)| of.split(' ').count() < 5).map_or(&*about, |(_, rest)| rest);
    let mut letters = rest.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The words for C's numbers in those for the types of C++.
fn about_a_field(about: &str) -> String {
    let mut text = about.to_owned();
    for (from, to) in table::WORDS {
        text = match (from.strip_prefix('^'), text.strip_prefix(from.trim_start_matches('^'))) {
            (Some(_), Some(rest)) => format!("{to}{rest}"),
            (Some(_), None) => text,
            (None, _) => text.replace(from, to),
        };
    }
    // The type says which constants there are.
    match text.split_once(": one of `NETCLOCK_").or_else(|| text.split_once(", one of `NETCLOCK_")) {
        Some((before, after)) => format!("{before}.{}", after.split_once(". ").map_or("", |(_, rest)| rest)),
        None if text.starts_with("One of `NETCLOCK_") => {
            text.split_once("`: ").map_or("", |(_, rest)| rest).to_owned()
        }
        None => text,
    }
}

/// A comment in lines that fit. None for no text.
fn comment(indent: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let short = format!("{indent}/** {text} */\n");
    if short.len() <= WIDTH {
        return short;
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always one");
        if line.len() + word.len() + indent.len() + 4 > WIDTH {
            lines.push(word.to_owned());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    let lines: String = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
    format!("{indent}/**\n{lines}{indent} */\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{HEADERS, c_headers};
    use crate::cargo::read;

    #[test]
    fn the_committed_types_are_those_of_the_c_headers() {
        for (name, text) in types(&c_headers().expect("they are there")).expect("they are understood") {
            let committed = read(format!("{HEADERS}/{name}")).unwrap_or_default();
            assert!(
                committed == text,
                "{name} is not what the C headers say: run `cargo xtask header` and commit it"
            );
        }
    }

    #[test]
    fn the_tables_name_fields_that_there_are() {
        let abi = Abi::of_the_headers().expect("they are understood");
        let has = |path: &str| {
            let (of, name) = path.split_once('.').expect("a structure and a field");
            let fields = abi.structures.iter().find(|(known, _)| *known == format!("netclock_{of}"));
            fields.is_some_and(|(_, fields)| fields.iter().any(|field| field.name == name))
        };
        let paths =
            FIELDS.iter().map(|it| it.0).chain(BITS.iter().map(|it| it.0)).chain(FLAGS.iter().map(|it| it.0));
        let paths = paths.chain(PAIRS.iter().flat_map(|it| [it.0, it.1])).chain(PICKED.iter().map(|it| it.0));
        let unknown: Vec<&str> = paths.filter(|path| !has(path)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
