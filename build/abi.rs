//! A model of the ABI, with everything that `src/ffi` declares for C, in the order of the headers.
//!
//! The sources are parsed as text, because their form is regular: an item starts at the beginning of a line,
//! after its comment and its attributes. The build script, the tests and `xtask` all use this model, and
//! nothing parses C.

use std::iter::once;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The ABI's folder, with which the module path of each file starts.
const FOLDER: &str = "src/ffi";

/// Prefix of the line in a module's comment that names the header for the module and its submodules.
const HEADER: &str = "Header: ";
/// Prefix of the line that lists the headers to include.
const USES: &str = "Uses: ";
/// Prefix of the line that states the range of the module's status codes.
const STATUSES: &str = "Statuses: ";

/// All modules with their items.
#[derive(Debug, Default)]
pub(crate) struct Abi {
    pub(crate) rooms: Vec<Room>,
}

/// A chapter of a header: a module with its files.
#[derive(Debug)]
pub(crate) struct Room {
    /// The folder, with `/`.
    pub(crate) folder: String,
    pub(crate) header: String,
    pub(crate) uses: Vec<String>,
    pub(crate) title: String,
    pub(crate) about: Vec<String>,
    /// Absolute values of the status codes, as stated in the module's comment.
    pub(crate) statuses: Option<RangeInclusive<i32>>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) struct Item {
    /// The C name.
    pub(crate) name: String,
    /// The Rust path.
    pub(crate) path: String,
    /// The lines of the comment.
    pub(crate) comment: Vec<String>,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Constant {
        number: i128,
        /// The number as C writes it.
        spelled: String,
        is_status: bool,
    },
    /// Another name for this C type.
    Alias(String),
    Callback(Signature),
    Structure(Vec<Variable>),
    /// A structure whose fields only the library knows. `owned` is set if it is a value under a lock.
    Handle {
        owned: bool,
    },
    Function(Signature),
}

#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) result: Variable,
    pub(crate) parameters: Vec<Variable>,
}

/// A parameter, a field, or a result, which has no name.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) comment: Vec<String>,
    /// The type as the header spells it, including `const`. For a time, it identifies the clock.
    pub(crate) spelled: String,
    pub(crate) kind: Type,
}

/// A C type that the headers use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    /// A number, with the C name of its type.
    Number(String),
    /// An array of bytes, with the name and value of the constant for its length.
    Bytes(String, usize),
    /// `const char *`, terminated by a zero.
    Text,
    Structure(String),
    Opaque(String),
    Callback(String),
    Pointer(Box<Type>),
}

/// A Rust file.
struct Source {
    path: PathBuf,
    text: String,
}

impl Abi {
    /// Builds the model from the sources. `read` returns a file's text.
    pub(crate) fn of(read: impl Fn(&Path) -> Result<String, String>) -> Result<Self, String> {
        let mut sources = Vec::new();
        add(&mut sources, &read, &Path::new(FOLDER).join("mod.rs"))?;
        let mut abi = Abi::default();
        for source in sources.iter().filter(|source| source.path.ends_with("mod.rs")) {
            abi.rooms.push(Room::of(source, &sources)?);
        }
        // Collect the names first, because a type may be declared after its uses.
        let names = Names::of(&sources);
        for source in &sources {
            let items =
                items(source, &names).map_err(|error| format!("{}: {error}", source.path.display()))?;
            let folder = folder(&source.path);
            let room = abi.rooms.iter_mut().find(|room| room.folder == folder);
            room.ok_or_else(|| format!("{folder} has no mod.rs"))?.items.extend(items);
        }
        let sizes: Vec<(String, usize)> = abi
            .constants()
            .filter_map(|(item, number)| Some((item.name.clone(), usize::try_from(number).ok()?)))
            .collect();
        for item in abi.rooms.iter_mut().flat_map(|room| &mut room.items) {
            let Kind::Structure(fields) = &mut item.kind else { continue };
            for Variable { kind, .. } in fields {
                if let Type::Bytes(name, length) = kind {
                    let known = sizes.iter().find(|(known, _)| known == name);
                    *length = known.ok_or_else(|| format!("{}: how long is {name}?", item.name))?.1;
                }
            }
        }
        abi.rooms.retain(|room| !room.items.is_empty());
        abi.check_statuses()?;
        Ok(abi)
    }

    /// The modules of each header. The headers are in the order of their first modules.
    pub(crate) fn headers(&self) -> Vec<Vec<&Room>> {
        let mut headers: Vec<Vec<&Room>> = Vec::new();
        for room in &self.rooms {
            match headers.iter_mut().find(|rooms| rooms[0].header == room.header) {
                Some(rooms) => rooms.push(room),
                None => headers.push(vec![room]),
            }
        }
        headers
    }

    /// The declarations in a file.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.rooms.iter().flat_map(|room| &room.items)
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = (&Item, &Signature)> {
        self.items().filter_map(|item| match &item.kind {
            Kind::Function(signature) => Some((item, signature)),
            _ => None,
        })
    }

    pub(crate) fn callbacks(&self) -> impl Iterator<Item = (&Item, &Signature)> {
        self.items().filter_map(|item| match &item.kind {
            Kind::Callback(signature) => Some((item, signature)),
            _ => None,
        })
    }

    pub(crate) fn structures(&self) -> impl Iterator<Item = (&Item, &[Variable])> {
        self.items().filter_map(|item| match &item.kind {
            Kind::Structure(fields) => Some((item, &fields[..])),
            _ => None,
        })
    }

    pub(crate) fn constants(&self) -> impl Iterator<Item = (&Item, i128)> {
        self.items().filter_map(|item| match &item.kind {
            Kind::Constant { number, .. } => Some((item, *number)),
            _ => None,
        })
    }

    pub(crate) fn statuses(&self) -> impl Iterator<Item = (&Item, i128)> {
        self.constants().filter(|(item, _)| item.is_status())
    }

    /// The value of `NETCLOCK_ABI_VERSION`.
    pub(crate) fn version(&self) -> Result<u32, String> {
        let found = self.constants().find(|(item, _)| item.name == "NETCLOCK_ABI_VERSION");
        found.and_then(|it| it.1.try_into().ok()).ok_or_else(|| "no NETCLOCK_ABI_VERSION".to_owned())
    }

    /// Fails if a status code is outside the range in its module's comment.
    fn check_statuses(&self) -> Result<(), String> {
        for room in &self.rooms {
            for item in room.items.iter().filter(|item| item.is_status()) {
                let Kind::Constant { number, .. } = item.kind else { continue };
                let is_in =
                    |it: &RangeInclusive<i32>| i32::try_from(number.abs()).is_ok_and(|it2| it.contains(&it2));
                if !room.statuses.as_ref().is_some_and(is_in) {
                    return Err(format!("{} is {number}, but its room has {:?}", item.name, room.statuses));
                }
            }
        }
        Ok(())
    }
}

impl Room {
    fn of(module: &Source, sources: &[Source]) -> Result<Self, String> {
        let comment = module_comment(module);
        let (title, rest) =
            comment.split_first().ok_or_else(|| format!("{}: no comment", module.path.display()))?;
        let stated = |key: &'static str| comment.iter().filter_map(move |line| line.strip_prefix(key));
        let statuses = stated(STATUSES).next().map(|range| {
            let (first, last) = range.split_once(" to ").ok_or_else(|| format!("`{range}` is no range"))?;
            let number = |text: &str| text.parse::<i32>().map_err(|error| format!("{text}: {error}"));
            Ok::<_, String>(number(first)?..=number(last.split(',').next().unwrap_or_default())?)
        });
        // The header is named by the module itself or by a parent module.
        let mut headers = module.path.ancestors().skip(1).filter_map(|dir| {
            let module = sources.iter().find(|source| source.path == dir.join("mod.rs"))?;
            module_comment(module).into_iter().find_map(|line| line.strip_prefix(HEADER))
        });
        Ok(Room {
            folder: folder(&module.path),
            header: headers.next().unwrap_or_default().to_owned(),
            uses: stated(USES).flat_map(str::split_whitespace).map(str::to_owned).collect(),
            title: title.trim_end_matches('.').to_owned(),
            about: rest
                .iter()
                .filter(|line| ![HEADER, USES, STATUSES].iter().any(|key| line.starts_with(key)))
                .map(|&line| line.to_owned())
                .collect(),
            statuses: statuses.transpose()?,
            items: Vec::new(),
        })
    }
}

impl Item {
    pub(crate) fn is_status(&self) -> bool {
        matches!(self.kind, Kind::Constant { is_status: true, .. })
    }

    /// The comment as one line. An empty line becomes two spaces.
    pub(crate) fn text(&self) -> String {
        self.comment.join(" ")
    }
}

impl Variable {
    /// The comment as one line, as for an item.
    pub(crate) fn text(&self) -> String {
        self.comment.join(" ")
    }

    /// The clock of an instant, such as `local_time`; `None` for other types.
    pub(crate) fn time(&self) -> Option<&str> {
        let name = self.spelled.trim_end_matches([' ', '*']).strip_prefix("netclock_")?;
        name.ends_with("_time").then_some(name)
    }

    /// Whether the target is read-only.
    pub(crate) fn is_const(&self) -> bool {
        self.spelled.starts_with("const ")
    }

    /// Whether this is the address of memory of any type that the call fills.
    pub(crate) fn is_buffer(&self) -> bool {
        !self.is_const() && matches!(&self.kind, Type::Pointer(to) if **to == Type::Void)
    }

    pub(crate) fn is_status(&self) -> bool {
        matches!(&self.kind, Type::Number(name) if name == "netclock_status")
    }
}

impl Type {
    /// The type at the end of all pointers.
    pub(crate) fn target(&self) -> &Type {
        if let Type::Pointer(to) = self { to.target() } else { self }
    }
}

/// The folder of a file.
fn folder(path: &Path) -> String {
    path.parent().unwrap_or(path).display().to_string().replace('\\', "/")
}

/// The lines of the comment at the start of a file.
fn module_comment(source: &Source) -> Vec<&str> {
    let lines = source.text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}

/// Adds a file and then all modules that it declares, except tests.
fn add(
    sources: &mut Vec<Source>,
    read: &impl Fn(&Path) -> Result<String, String>,
    path: &Path,
) -> Result<(), String> {
    let text = read(path)?.replace("\r\n", "\n");
    let modules = text.lines().filter_map(|line| {
        let (before, name) = line.strip_suffix(';')?.split_once("mod ")?;
        ["", "pub(crate) "].contains(&before).then(|| name.to_owned())
    });
    let modules: Vec<String> = modules.filter(|name| name != "tests").collect();
    sources.push(Source { path: path.to_owned(), text });
    let dir = path.parent().unwrap_or(path);
    for name in modules {
        let folder = dir.join(&name).join("mod.rs");
        let path = if read(&folder).is_ok() { folder } else { dir.join(&name).with_extension("rs") };
        add(sources, read, &path)?;
    }
    Ok(())
}

/// The kind of each type `NetclockFooBar`.
struct Names(Vec<(String, Named)>);

#[derive(Clone, Copy, PartialEq)]
enum Named {
    Status,
    Time,
    Callback,
    Structure,
    Handle,
}

impl Names {
    fn of(sources: &[Source]) -> Self {
        let blocks = sources.iter().flat_map(|source| source.text.split("\n\n"));
        Names(blocks.flat_map(|block| block.lines().filter_map(|line| Self::declared(block, line))).collect())
    }

    /// The type that a line declares; the block contains the line and its attributes. C can access the fields
    /// only with `repr(C)`.
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

    /// The C type for a Rust type.
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

    /// Parses `name: type, ..) -> result`.
    fn signature(&self, text: &str) -> Result<Signature, String> {
        let (parameters, result) = text.split_once(')').ok_or("it has no end")?;
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

/// `uint32_t` for `u32`.
fn integer(rust: &str) -> Option<String> {
    let (sign, bits) = rust.split_at_checked(1)?;
    let sign = match sign {
        "u" => "u",
        "i" => "",
        _ => return None,
    };
    bits.parse::<u32>().ok().map(|bits| format!("{sign}int{bits}_t"))
}

/// What a file declares.
fn items(source: &Source, names: &Names) -> Result<Vec<Item>, String> {
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

/// What a line declares. `rest` begins with this line.
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
                .ok_or_else(|| format!("{name} is no literal in one line"))?;
            let (number, spelled) =
                constant(rust, value).ok_or_else(|| format!("{name} is no number: {value}"))?;
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

/// A constant's value and its C spelling. The spelling preserves the width of the Rust type, because the
/// product of an `int` and a number of seconds would overflow.
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

/// The first word.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// `netclock_foo_bar` for `NetclockFooBar`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// `crate::ffi::client::event` for `src/ffi/client/event.rs`.
fn module_of(path: &Path) -> String {
    let inside = path.with_extension("");
    let names = inside.components().skip(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
    once("crate".to_owned()).chain(names).filter(|name| name != "mod").collect::<Vec<_>>().join("::")
}
