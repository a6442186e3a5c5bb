//! Converts a structure's fields between their C and C++ types.

use anyhow::{Context, Result, bail, ensure};

use super::table::{BITS, NAMES, PICKED, enumerations, none_of, pairs, type_of};
use crate::{Abi, Type, Variable};

const FIRST: &str = " = $::first";
/// An optional enumeration without a value is zero in C.
const CHOSEN: &str = "@ != 0 ? std::optional<$>{static_cast<$>(@)} : std::nullopt";

pub(super) struct Field {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) kind: String,
    pub(super) default: String,
    /// Statements that fill the C structure, or nothing if the field is read-only.
    pub(super) to_c: String,
    pub(super) from_c: String,
}

impl Field {
    pub(super) fn all(of: &str, fields: &[Variable], abi: &Abi) -> Result<Vec<Self>> {
        let mut made = Vec::new();
        for field in fields.iter().filter(|field| !["struct_size", "reserved"].contains(&field.name.as_str()))
        {
            let name = &field.name;
            let path = format!("{of}.{name}");
            let about = field.text();
            if let Some((_, prefix, bits)) = BITS.iter().find(|(from, ..)| *from == path) {
                for bit in *bits {
                    made.push(Self::bit(name, prefix, bit, abi)?);
                }
            } else if let Some(pair) = pairs().find(|it| it[0] == of && it[1..3].contains(&name.as_str())) {
                if pair[1] == name {
                    made.push(Self::pair(pair, &about));
                }
            } else if PICKED.iter().any(|(from, ..)| *from == path) {
                for (_, name, kind, event) in PICKED.iter().filter(|(from, ..)| *from == path) {
                    made.push(Self::picked(name, kind, event, &field.name));
                }
            } else {
                made.push(Self::plain(&path, field, &about)?);
            }
        }
        // As in parameter lists, booleans come last.
        made.sort_by_key(|field| field.kind == "bool");
        Ok(made)
    }

    fn plain(path: &str, field: &Variable, about: &str) -> Result<Self> {
        let name = NAMES.iter().find(|it| it.0 == path).map_or(&*field.name, |it| it.1);
        let stated = type_of(path).or(field.time());
        let none = none_of(path);
        if let Type::Bytes(_, length) = field.kind {
            let kind = format!("std::array<std::byte, {length}>");
            let c = &field.name;
            let to_c = format!("std::memcpy(to.{c}, from.{name}.data(), sizeof to.{c});");
            let from_c = format!("std::memcpy(to.{name}.data(), from.{c}, sizeof from.{c});");
            return Ok(Self::new(name, about, &kind, "{}", to_c, from_c));
        }
        let Type::Number(number) = &field.kind else { bail!("{path} is not a number") };
        // The default value and the conversions to C and from C. `$` stands for the type, `@` for the value,
        // and `#` for the C number of a missing value.
        let (kind, [wrapped, default, to, from]) = match (number.as_str(), stated) {
            ("netclock_status", _) => {
                ("status", ["$", " = $::ok", "static_cast<netclock_status>(@)", "${@}"])
            }
            ("int64_t", Some("std::int64_t")) => ("std::int64_t", ["$", " = 0", "@", "@"]),
            ("int64_t", kind) if none.is_some() => {
                (kind.unwrap_or("ticks"), ["std::optional<$>", "{}", "count(@, #)", "known<$>(@, #)"])
            }
            ("int64_t", kind) => (kind.unwrap_or("ticks"), ["$", "{}", "count(@)", "from_count<$>(@)"]),
            ("int32_t", Some(kind)) if kind.ends_with('?') => (
                kind.trim_end_matches('?'),
                ["std::optional<$>", "{}", "@ ? static_cast<std::int32_t>(*@) : 0", CHOSEN],
            ),
            ("int32_t", Some("bool")) => ("bool", ["$", " = false", "@ ? 1 : 0", "@ != 0"]),
            ("int32_t", Some(kind)) => {
                (kind, ["$", FIRST, "static_cast<std::int32_t>(@)", "static_cast<$>(@)"])
            }
            ("int32_t", None) => bail!("{path} may be a boolean or an enumeration: add it to the table"),
            ("double", _) => ("double", ["$", " = 0.0", "@", "@"]),
            (other, _) => (other, ["std::$", " = 0", "@", "@"]),
        };
        // If a field has the same name as its type, the type must be qualified.
        let qualified = if kind == name { format!("netclock::{kind}") } else { kind.to_owned() };
        let default = match enumerations().find(|it| it.name == kind) {
            Some(enumeration) => default.replace(FIRST, &format!(" = $::{}", enumeration.begin())),
            None => default.to_owned(),
        };
        ensure!(default != FIRST, "{path}: there is no enumeration {kind}");
        let made = |way: &str, value: String| {
            way.replace('$', kind).replace('@', &value).replace('#', none.unwrap_or_default())
        };
        let (kind, default) = (wrapped.replace('$', &qualified), default.replace('$', &qualified));
        let to_c = format!("to.{} = {};", field.name, made(to, format!("from.{name}")));
        let from_c = format!("to.{name} = {};", made(from, format!("from.{}", field.name)));
        Ok(Self::new(name, about, &kind, &default, to_c, from_c))
    }

    fn new(name: &str, about: &str, kind: &str, default: &str, to_c: String, from_c: String) -> Self {
        let [name, kind, default] = [name, kind, default].map(str::to_owned);
        Self { name, about: about.to_owned(), kind, default, to_c, from_c }
    }

    fn bit(flags: &str, prefix: &str, bit: &str, abi: &Abi) -> Result<Self> {
        let constant = format!("NETCLOCK_{prefix}{bit}");
        let found = abi.constants().find(|(item, _)| item.name == constant);
        let about = found.with_context(|| format!("there is no {constant}"))?.0.text();
        let name = bit.to_lowercase();
        let to_c = format!("to.{flags} |= from.{name} ? {constant} : 0U;");
        let from_c = format!("to.{name} = (from.{flags} & {constant}) != 0;");
        Ok(Self::new(&name, &about, "bool", " = false", to_c, from_c))
    }

    fn pair([_, one, other, kind, name, first, second]: [&str; 7], about: &str) -> Self {
        let to_c = format!("to.{one} = from.{name}.{first};\n    to.{other} = from.{name}.{second};");
        Self::new(name, about, kind, "{}", to_c, format!("to.{name} = {{from.{one}, from.{other}}};"))
    }

    /// The number is a value of this enumeration only for events of this kind.
    fn picked(name: &str, kind: &str, event: &str, field: &str) -> Self {
        let about = format!("Why, for event_kind::{}; else none.", event.to_lowercase());
        let from_c = format!(
            "to.{name} = from.kind == NETCLOCK_EVENT_{event} ? static_cast<{kind}>(from.{field}) : \
             {kind}::none;"
        );
        Self::new(name, &about, kind, &format!(" = {kind}::none"), String::new(), from_c)
    }
}
