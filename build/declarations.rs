use std::iter::once;
use std::path::Path;

use super::{Item, Kind, Signature, Source, Type, Variable};

pub(super) struct Names(Vec<(String, Named)>);

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Named {
    Status,
    Time,
    Callback,
    Structure,
    Handle,
}

impl Names {
    pub(super) fn of(sources: &[Source]) -> Self {
        let blocks = sources.iter().flat_map(|source| source.text.split("\n\n"));
        Names(blocks.flat_map(|block| block.lines().filter_map(|line| Self::declared(block, line))).collect())
    }

    /// Returns the type declared on this line. C sees its fields only if the attributes in `block` include
    /// `repr(C)`.
    fn declared(block: &str, line: &str) -> Option<(String, Named)> {
        let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
        let name = word(rest);
        let named = match kind {
            "type" if name.ends_with("Callback") => Named::Callback,
            "type" => Named::Time,
            "struct" if block.contains("#[repr(transparent)]") => Named::Status,
            "struct" if block.contains("#[repr(C)]") => Named::Structure,
            "struct" => Named::Handle,
            _ => return None,
        };
        name.starts_with("Netclock").then(|| (name.to_owned(), named))
    }

    fn kind(&self, name: &str) -> Option<Named> {
        self.0.iter().find(|(known, _)| known == name).map(|it| it.1)
    }

    fn variable(&self, name: &str, rust: &str) -> Result<Variable, String> {
        let (mut rest, mut stars, mut is_const) = (rust.trim(), String::new(), false);
        loop {
            let inner = rest.strip_prefix("*const ").inspect(|_| is_const = true);
            let Some(inner) = inner.or_else(|| rest.strip_prefix("*mut ")) else { break };
            rest = inner;
            stars.push('*');
        }
        let (spelled, kind) = match rest {
            "" | "c_void" => ("void".to_owned(), Type::Void),
            "c_char" => ("char".to_owned(), Type::Text),
            "f64" => ("double".to_owned(), Type::Number("double".to_owned())),
            "usize" => ("size_t".to_owned(), Type::Number("size_t".to_owned())),
            _ if rest.starts_with("[u8; ") => {
                let length = rest["[u8; ".len()..].trim_end_matches(']').to_owned();
                ("uint8_t".to_owned(), Type::Bytes(length, 0))
            }
            _ => match (self.kind(rest), snake_case(rest)) {
                (Some(Named::Status), c) => (c.clone(), Type::Number(c)),
                (Some(Named::Time), c) => (c, Type::Number("int64_t".to_owned())),
                (Some(Named::Callback), c) => (c.clone(), Type::Callback(c)),
                (Some(Named::Structure), c) => (format!("struct {c}"), Type::Structure(c)),
                (Some(Named::Handle), c) => (format!("struct {c}"), Type::Opaque(c)),
                (None, _) => {
                    let c = integer(rest).ok_or_else(|| format!("C has no `{rest}` for {name}"))?;
                    (c.clone(), Type::Number(c))
                }
            },
        };
        let pointers = if kind == Type::Text { 1 } else { 0 };
        let kind = stars.chars().skip(pointers).fold(kind, |kind, _| Type::Pointer(Box::new(kind)));
        let before = if is_const { "const " } else { "" };
        let spelled = format!("{before}{spelled} {stars}").trim_end().to_owned();
        Ok(Variable { name: name.to_owned(), comment: Vec::new(), spelled, kind })
    }

    fn signature(&self, text: &str) -> Result<Signature, String> {
        let (parameters, result) = text.split_once(')').ok_or("a signature has no end")?;
        let result = result.trim().strip_prefix("->").unwrap_or_default();
        let parameters = parameters.split(',').filter_map(|it| it.split_once(':'));
        Ok(Signature {
            result: self.variable("", result)?,
            parameters: parameters
                .map(|(name, kind)| self.variable(name.trim(), kind))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Returns `uint32_t` for `u32`.
fn integer(rust: &str) -> Option<String> {
    let (sign, bits) = rust.split_at_checked(1)?;
    let sign = match sign {
        "u" => "u",
        "i" => "",
        _ => return None,
    };
    bits.parse::<u32>().ok().map(|bits| format!("{sign}int{bits}_t"))
}

pub(super) fn items(source: &Source, names: &Names) -> Result<Vec<Item>, String> {
    let module = module_of(&source.path);
    let is_status = source.path.ends_with("status.rs");
    let (mut items, mut comment, mut start) = (Vec::new(), Vec::new(), 0);
    for line in source.text.split_inclusive('\n') {
        let rest = &source.text[start..];
        start += line.len();
        let line = line.trim_end();
        if let Some(words) = line.strip_prefix("///") {
            comment.push(words.strip_prefix(' ').unwrap_or(words).to_owned());
        } else if !line.starts_with("#[") && !line.starts_with(' ') {
            let found = declared(line, rest, names, is_status)?;
            items.extend(found.map(|(name, kind)| Item {
                path: format!("{module}::{name}"),
                name: if name.starts_with("Netclock") { snake_case(name) } else { name.to_owned() },
                comment: std::mem::take(&mut comment),
                kind,
            }));
            comment.clear();
        }
    }
    Ok(items)
}

fn declared<'a>(
    line: &'a str,
    rest: &str,
    names: &Names,
    is_status: bool,
) -> Result<Option<(&'a str, Kind)>, String> {
    if let Some((_, after)) = line.split_once("extern \"C\" fn ").filter(|_| line.starts_with("pub ")) {
        let signature = rest.split_once('(').and_then(|it| it.1.split_once(" {\n")).ok_or("no body")?.0;
        return Ok(Some((word(after), Kind::Function(names.signature(signature)?))));
    }
    let Some((kind, after)) = line.strip_prefix("pub ").and_then(|it| it.split_once(' ')) else {
        return Ok(None);
    };
    let name = word(after);
    let kind = match (kind, names.kind(name)) {
        ("const", _) if name.starts_with("NETCLOCK_") => {
            let (rust, value) = after
                .strip_suffix(';')
                .and_then(|it| it.split_once(": ")?.1.split_once(" = "))
                .ok_or_else(|| format!("{name} is not a literal on one line"))?;
            let (number, spelled) =
                constant(rust, value).ok_or_else(|| format!("{name} is not a number: {value}"))?;
            Kind::Constant { number, spelled, is_status }
        }
        (_, Some(Named::Status)) => Kind::Alias("int32_t".to_owned()),
        (_, Some(Named::Time)) => Kind::Alias("int64_t".to_owned()),
        (_, Some(Named::Callback)) => {
            let signature = rest.split_once("fn(").and_then(|it| it.1.split_once(">;")).ok_or("no end")?.0;
            Kind::Callback(names.signature(signature)?)
        }
        (_, Some(Named::Handle)) => Kind::Handle { owned: line.contains("(Owned<") },
        (_, Some(Named::Structure)) => {
            let body = rest.split_once("\n}").and_then(|it| it.0.split_once('\n')).ok_or("no end")?.1;
            Kind::Structure(fields(body, names)?)
        }
        _ => return Ok(None),
    };
    Ok(Some((name, kind)))
}

fn fields(body: &str, names: &Names) -> Result<Vec<Variable>, String> {
    let (mut fields, mut comment) = (Vec::new(), Vec::new());
    for line in body.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            comment.push(words.strip_prefix(' ').unwrap_or(words).to_owned());
        } else if let Some((name, kind)) = line.strip_prefix("pub ").and_then(|it| it.split_once(": ")) {
            let field = names.variable(name, kind.trim_end_matches(','))?;
            fields.push(Variable { comment: std::mem::take(&mut comment), ..field });
        }
    }
    Ok(fields)
}

/// Returns the value of a constant and its C spelling, which keeps the width of the Rust type. Otherwise,
/// multiplying ticks per second by a number of seconds would overflow an `int`.
fn constant(rust: &str, value: &str) -> Option<(i128, String)> {
    let plain = value.replace('_', "");
    let number = match (plain.as_str(), plain.strip_prefix("0x")) {
        ("i64::MAX", _) => return Some((i64::MAX.into(), "INT64_MAX".to_owned())),
        ("i64::MIN", _) => return Some((i64::MIN.into(), "INT64_MIN".to_owned())),
        (_, Some(digits)) => i128::from_str_radix(digits, 16).ok()?,
        (digits, None) => digits.parse().ok()?,
    };
    let spelled = match rust {
        "i64" => format!("INT64_C({number})"),
        "u64" => format!("UINT64_C({number})"),
        _ if number < 0 => format!("({number})"),
        _ => number.to_string(),
    };
    Some((number, spelled))
}

fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Returns `netclock_foo_bar` for `NetclockFooBar`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Returns `crate::ffi::client::event` for `src/ffi/client/event.rs`.
pub(super) fn module_of(path: &Path) -> String {
    let inside = path.with_extension("");
    let names = inside.components().skip(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
    once("crate".to_owned()).chain(names).filter(|name| name != "mod").collect::<Vec<_>>().join("::")
}
