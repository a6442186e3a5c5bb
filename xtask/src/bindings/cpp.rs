//! Generates the C++ headers, which declare the types and wrap the functions of each handle in a class.
//!
//! Ticks become durations, and the type of an instant identifies its clock. The tables in `cpp/table.rs` list
//! all other fields that are not plain numbers. Comments are those of the C headers.

use anyhow::{Context, Result, ensure};

use crate::{Abi, Kind, Room};
use field::Field;
use table::{Enumeration, WRITTEN_BY_HAND, enumerations};

mod class;
mod field;
mod table;

const WIDTH: usize = 110;

pub(crate) fn headers(abi: &Abi) -> Result<Vec<(String, String)>> {
    let mut made = Vec::new();
    for rooms in abi.headers() {
        let name = &rooms[0].header;
        let part = name.trim_end_matches(".h");
        let types = types(part, &rooms, abi).with_context(|| format!("for the types of {name}"))?;
        made.push((format!("{part}_types.hpp"), types));
        made.push((format!("{part}.hpp"), class::header(part, &rooms)?));
    }
    Ok(made)
}

fn uses<'a>(rooms: &'a [&Room]) -> impl Iterator<Item = &'a str> {
    rooms.iter().flat_map(|room| &room.uses).map(|name| name.trim_end_matches(".h"))
}

fn types(part: &str, rooms: &[&Room], abi: &Abi) -> Result<String> {
    let items = || rooms.iter().flat_map(|room| &room.items);
    let guard = format!("{}_TYPES_HPP", part.to_uppercase());
    let below = if part == "netclock" { "netclock_time" } else { "netclock_types" };
    let others: String =
        uses(rooms).map(|part| format!("#include \"netclock/{part}_types.hpp\"\n")).collect();
    let mut out = format!(
        "/*\n * NetClock for C++17: the types of {part}.h. Generated from it by `cargo xtask header`: do \
         not edit.\n \
         * SPDX-License-Identifier: MIT OR Apache-2.0\n */\n\n#ifndef {guard}\n#define {guard}\n\n\
         #include \"netclock/{part}.h\"\n#include \"netclock/{below}.hpp\"\n{others}\n\
         namespace netclock {{\n\n"
    );
    if part == "netclock" {
        out += &status(abi)?;
    }
    for enumeration in enumerations() {
        if items().any(|item| item.name.strip_prefix("NETCLOCK_") == Some(enumeration.first)) {
            out += &enumerators(&enumeration, abi)?;
        }
    }
    let mut conversions = String::new();
    for item in items() {
        let Kind::Structure(fields) = &item.kind else { continue };
        let cpp = item.name.trim_start_matches("netclock_");
        if WRITTEN_BY_HAND.contains(&cpp) {
            continue;
        }
        let fields = Field::all(cpp, fields, abi)?;
        out += &comment("", &about_a_structure(&item.text()));
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

/// Defines the statuses of all parts in one header, because a call may return a status from another part.
fn status(abi: &Abi) -> Result<String> {
    let mut out = comment(
        "",
        "The result of a call: the status codes of the C headers. A positive status is not an error, but \
         reports an outcome other than the usual one. A negative status is an error.",
    ) + "enum class [[nodiscard]] status : std::int32_t {\n";
    for (item, value) in abi.statuses() {
        out += &format!("    {} = {value},\n", item.name.trim_start_matches("NETCLOCK_").to_lowercase());
    }
    ensure!(out.contains(" ok = 0,") && out.contains(" not_synced = "), "there are no statuses");
    Ok(out
        + "    /** Only returned by these headers: the loaded library has a different ABI version, or is \
           older. */\n    \
           abi_mismatch = -1000\n};\n\n")
}

fn enumerators(of: &Enumeration, abi: &Abi) -> Result<String> {
    let mut out = comment("", of.about) + &format!("enum class {} : std::int32_t {{\n", of.name);
    if of.with_none {
        out += "    none = 0,\n";
    }
    for item in of.constants(abi)? {
        out += &comment("    ", &item.text());
        out += &format!("    {} = {},\n", of.short(&item.name["NETCLOCK_".len()..]), item.name);
    }
    Ok(out + "};\n\n")
}

fn conversion(cpp: &str, fields: &[Field], is_read_only: bool) -> String {
    let each = |pick: fn(&Field) -> &str| -> String {
        fields.iter().map(|field| format!("    {}\n", pick(field))).collect()
    };
    let mut out = String::new();
    if !is_read_only {
        out += &format!(
            "inline netclock_{cpp} to_c(const {cpp} &from) noexcept\n{{\n    auto to = \
             sized<netclock_{cpp}>();\n{}    return to;\n}}\n\n",
            each(|field| &field.to_c)
        );
    }
    out + &format!(
        "inline {cpp} from_c(const netclock_{cpp} &from) noexcept\n{{\n    {cpp} to;\n{}    return \
         to;\n}}\n\n",
        each(|field| &field.from_c)
    )
}

/// Drops sentences about `struct_size`, which C++ structures do not have.
fn about_a_structure(about: &str) -> String {
    let sentences = about.split(". ").filter(|it| !it.contains("struct_size"));
    let kept = sentences.collect::<Vec<_>>().join(". ");
    if kept.ends_with('.') { kept } else { kept + "." }
}

fn comment(indent: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let short = format!("{indent}/** {text} */\n");
    if short.len() <= WIDTH && !text.contains("  ") {
        return short;
    }
    let mut lines = Vec::new();
    // Two spaces stand for the blank line between two paragraphs of the C comment.
    for paragraph in text.split("  ") {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(filled(paragraph.split_whitespace(), WIDTH - indent.len() - 3));
    }
    let lines = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n");
    let lines: String = lines.collect();
    format!("{indent}/**\n{lines}{indent} */\n")
}

fn filled<'a>(words: impl Iterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let mut lines = Vec::<String>::new();
    for word in words {
        match lines.last_mut().filter(|line| line.len() + word.len() < columns) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::table::{BITS, NAMES, PICKED, fields, pairs};
    use super::*;
    use crate::{abi, read};

    #[test]
    fn the_cpp_statuses_are_exactly_the_c_statuses() {
        let pins = read("tests/c_abi/pins.c").expect("the file is committed");
        let pinned =
            pins.lines().filter_map(|line| line.strip_prefix("STATUS(NETCLOCK_")?.strip_suffix(");"));
        let pinned: BTreeSet<String> = pinned.map(|it| it.to_lowercase().replace(", ", " = ")).collect();
        let text = status(&abi().expect("the ABI is parsed")).expect("it has statuses");
        let made = text.lines().filter_map(|line| Some(line.trim().strip_suffix(',')?.to_owned()));
        assert_eq!(
            made.collect::<BTreeSet<_>>(),
            pinned,
            "C++ statuses (left) differ from tests/c_abi/pins.c (right)"
        );
    }

    #[test]
    fn the_tables_name_only_existing_fields() {
        let abi = abi().expect("the ABI is parsed");
        let has = |path: &str| {
            let (of, name) = path.split_once('.').expect("a structure and a field");
            let of = abi.structures().find(|(it, _)| it.name == format!("netclock_{of}"));
            of.is_some_and(|(_, fields)| fields.iter().any(|field| field.name == name))
        };
        let paths = NAMES.iter().map(|it| it.0).chain(fields());
        let paths = paths.chain(BITS.iter().map(|it| it.0)).chain(PICKED.iter().map(|it| it.0));
        let pairs = pairs().flat_map(|it| [1, 2].map(|at| format!("{}.{}", it[0], it[at])));
        let unknown: Vec<String> = paths.map(str::to_owned).chain(pairs).filter(|path| !has(path)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
