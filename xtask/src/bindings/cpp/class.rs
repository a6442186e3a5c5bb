//! Wraps the functions of the C headers. Each handle becomes a class, and all other functions become free
//! functions.
//!
//! Each member calls one C function. Its parameters are references instead of pointers, and instants whose
//! type identifies the clock. Settings come last, and C's last pointer parameter becomes the return value.
//! Functions that these rules do not cover are written by hand in the folder `by_hand`. This folder contains
//! one file per header, in which each function follows a line `@ netclock_x`. A hand-written function without
//! a comment receives the comment of the C function.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::table::RENAMED;
use super::{WIDTH, comment, filled, uses};
use crate::bindings::c;
use crate::{Item, Kind, Room, Signature, Type, Variable, read, root};

const CLOCK: &str = "the server's time on every client of a game. Accurate, smooth, never backwards.";

const BY_HAND: &str = "xtask/src/bindings/cpp/by_hand";

struct Function<'a> {
    item: &'a Item,
    of: &'a Signature,
    /// Free functions have no class.
    class: Option<&'a str>,
    cpp: &'a str,
}

#[derive(Default)]
struct Call {
    parameters: Vec<String>,
    arguments: Vec<String>,
    settings: Option<String>,
    is_const: bool,
}

pub(super) fn header(part: &str, rooms: &[&Room]) -> Result<String> {
    let others: String = uses(rooms).map(|part| format!("#include \"netclock/{part}.hpp\"\n")).collect();
    let title = if part == "netclock" { CLOCK.to_owned() } else { c::title(rooms) };
    let mut by_hand = sections(part)?;
    let guard = format!("{}_HPP", part.to_uppercase());
    let (below, conventions) = match part {
        "netclock" => ("netclock_call", ""),
        _ => ("netclock", " * Uses netclock.hpp and follows its conventions.\n"),
    };
    let mut section = |name: &str| by_hand.remove(name).unwrap_or_default();
    let (about, begin) = (section("about"), section("begin"));
    let items = || rooms.iter().flat_map(|room| &room.items);
    let functions: Vec<Function<'_>> = items().filter_map(|item| Function::of(item, items())).collect();
    let mut body = String::new();
    for group in functions.chunk_by(|one, next| one.class == next.class) {
        let each = group.iter().map(|it| it.written(by_hand.remove(&it.item.name)));
        let members = each.collect::<Result<String>>()?;
        let Some(class) = group[0].class else {
            body += &members;
            continue;
        };
        let handle = items().find(|item| plain(&item.name) == class).context("no handle")?;
        body += &comment("", &handle.text());
        body += &format!(
            "class {class} : public owned<netclock_{class}, netclock_{class}_destroy> {{\n\
                 public:\n    using owned::owned;\n\n{}\n}};\n\n",
            members.trim_end()
        );
    }
    ensure!(by_hand.is_empty(), "{BY_HAND}/{part}.hpp: C has no {:?}", by_hand.keys());
    Ok(format!(
        "/*\n * NetClock for C++17: {title}\n * SPDX-License-Identifier: MIT OR Apache-2.0\n *\n \
             * Generated from {part}.h by `cargo xtask header`: do not edit.\n{conventions}{about} */\n\n\
             #ifndef {guard}\n#define {guard}\n\n#include \"netclock/{part}_types.hpp\"\n\
             #include \"netclock/{below}.hpp\"\n{others}\nnamespace netclock {{\n\n\
             {begin}{body}}} // namespace netclock\n\n#endif /* {guard} */\n"
    ))
}

impl<'a> Function<'a> {
    fn of(item: &'a Item, items: impl Iterator<Item = &'a Item>) -> Option<Self> {
        let Kind::Function(of) = &item.kind else { return None };
        let handles = items.filter(|it| matches!(it.kind, Kind::Handle { .. }));
        let owners = handles.filter(|handle| item.name.starts_with(&format!("{}_", handle.name)));
        let class = owners.map(|it| plain(&it.name)).max_by_key(|it| it.len());
        // If another part's header declares a function of the client, it becomes a free function.
        let prefix = class.unwrap_or("client").to_owned() + "_";
        let renamed = RENAMED.iter().find(|(from, _)| *from == item.name).map(|(_, to)| *to);
        let name = plain(&item.name);
        let cpp = renamed.unwrap_or(name.strip_prefix(&prefix).unwrap_or(name));
        Some(Self { item, of, class, cpp })
    }

    fn written(&self, by_hand: Option<String>) -> Result<String> {
        match by_hand {
            Some(text) if text.is_empty() || text.trim_start().starts_with("/**") => Ok(text),
            Some(text) => Ok(self.comment() + &text),
            None if self.item.name.ends_with("_destroy") => Ok(String::new()),
            None => self.generated().with_context(|| format!("for {}", self.item.name)),
        }
    }

    fn indent(&self) -> &'static str {
        if self.class.is_some() { "    " } else { "" }
    }

    fn comment(&self) -> String {
        comment(self.indent(), &self.item.text())
    }

    fn generated(&self) -> Result<String> {
        let Self { item, of, class, cpp } = *self;
        ensure!(of.result.is_status(), "the function does not return a status");
        let is_create = class.is_some() && is_create(item);
        let (inputs, way, value) = match &of.parameters[..] {
            [inputs @ .., _] if is_create => (inputs, "create", class.map(str::to_owned)),
            [inputs @ .., bytes, _] if bytes.is_buffer() => (inputs, "fill", Some(datagram(&item.name))),
            [inputs @ .., last] if is_output(last) => (inputs, "ask", Some(kind(last)?)),
            inputs => (inputs, "call", None),
        };
        let mut call = Call::default();
        let inputs = match inputs {
            [handle, inputs @ ..] if class.is_some() && !is_create => {
                call.is_const = handle.is_const();
                call.arguments.push("*this".to_owned());
                inputs
            }
            inputs => inputs,
        };
        for input in inputs {
            call.add(input, kind(input)?);
        }
        call.parameters.extend(call.settings.take());

        // If a member has the same name as its result type, the type must be qualified.
        let value = value.map(|value| if value == cpp { format!("netclock::{value}") } else { value });
        let linkage = match (is_create, class) {
            (true, _) => "static ",
            (false, None) => "inline ",
            (false, Some(_)) => "",
        };
        let (result, of_value) = match value {
            Some(value) => (format!("[[nodiscard]] {linkage}result<{value}>"), format!("<{value}>")),
            None => (format!("{linkage}status"), String::new()),
        };
        let indent = self.indent();
        let after = if call.is_const { " const noexcept" } else { " noexcept" };
        call.arguments.insert(0, item.name.clone());
        Ok(format!(
            "{}{}\n{indent}{{\n{}\n{indent}}}\n\n",
            self.comment(),
            listed(indent, &format!("{result} {cpp}"), &call.parameters, after),
            listed(
                &format!("{indent}    "),
                &format!("return detail::{way}{of_value}"),
                &call.arguments,
                ";"
            )
        ))
    }
}

impl Call {
    fn add(&mut self, input: &Variable, kind: String) {
        let constant = if input.is_const() { "const " } else { "" };
        match (input.name.as_str(), &input.kind) {
            ("seed_high", _) => {
                self.parameters.push("const seed &random".to_owned());
                self.arguments.push("random.high".to_owned());
            }
            ("seed_low", _) => self.arguments.push("random.low".to_owned()),
            ("config", _) => {
                self.settings = Some(format!("const {kind} &settings = {{}}"));
                self.arguments.push("settings".to_owned());
            }
            (name, of) => {
                let name = match name {
                    "client" => "clock",
                    "datagram" => "data",
                    _ if name != kind => name,
                    _ => name.split_once('_').map_or("given", |(_, last)| last),
                };
                self.arguments.push(name.to_owned());
                self.parameters.push(match of {
                    Type::Text => format!("const char *{name}"),
                    Type::Pointer(to) if **to == Type::Void => format!("{constant}void *{name}"),
                    Type::Pointer(_) => format!("{constant}{kind} &{name}"),
                    _ => format!("{kind} {name}"),
                });
            }
        }
    }
}

/// Splits a hand-written file into its functions. The section `about` belongs to the header's first comment,
/// and `begin` comes before the generated code.
fn sections(part: &str) -> Result<BTreeMap<String, String>> {
    let path = format!("{BY_HAND}/{part}.hpp");
    let text = if root().join(&path).exists() { format!("\n{}", read(path)?) } else { String::new() };
    let named = text.split("\n@ ").skip(1).map(|it| it.split_once('\n').unwrap_or((it, "")));
    let ended = |name, text: &str| {
        if name == "about" || text.is_empty() { text.to_owned() } else { format!("{}\n\n", text.trim_end()) }
    };
    Ok(named.map(|(name, text)| (name.to_owned(), ended(name, text))).collect())
}

fn plain(name: &str) -> &str {
    name.trim_start_matches("netclock_")
}

fn is_create(item: &Item) -> bool {
    item.name.ends_with("_create")
}

fn is_output(last: &Variable) -> bool {
    matches!(&last.kind, Type::Pointer(to) if !matches!(**to, Type::Opaque(_) | Type::Void))
        && !last.is_const()
}

fn kind(parameter: &Variable) -> Result<String> {
    let path = &parameter.name;
    Ok(match parameter.kind.target() {
        Type::Structure(name) | Type::Opaque(name) => plain(name).to_owned(),
        Type::Callback(name) => name.clone(),
        Type::Number(name) => match (parameter.time(), name.as_str()) {
            (Some(time), _) => time.to_owned(),
            (None, "int64_t") => "ticks".to_owned(),
            (None, "double") => "double".to_owned(),
            (None, "int32_t") => bail!("{path}: write this call by hand"),
            (None, name) => format!("std::{name}"),
        },
        Type::Void | Type::Text => String::new(),
        Type::Bytes(..) | Type::Pointer(_) => bail!("{path}: write this call by hand"),
    })
}

fn datagram(function: &str) -> String {
    let part = ["link_", "peer_"].into_iter().find(|part| function[9..].starts_with(part));
    format!("{}datagram", part.unwrap_or_default())
}

fn listed(indent: &str, before: &str, list: &[String], after: &str) -> String {
    let line = format!("{indent}{before}({}){after}", list.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let items = format!("{}){after}", list.join(",\n"));
    let lines = filled(items.split('\n'), WIDTH - indent.len() - 4);
    format!("{indent}{before}(\n{indent}    {}", lines.join(&format!("\n{indent}    ")))
}
