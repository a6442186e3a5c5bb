//! A model of the C ABI with all constants, types and functions of `src/ffi` in header order. The build
//! script, the tests and `xtask` use this model, so nothing parses C.
//!
//! The sources are parsed line by line, because every item starts at the beginning of a line, after its
//! comment and attributes.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use declarations::{Names, items};

mod declarations;

const FOLDER: &str = "src/ffi";

/// Starts the line in a module's comment that names the header of the module and its submodules.
const HEADER: &str = "Header: ";
/// Starts the line that names the headers to include.
const USES: &str = "Uses: ";
/// Starts the line with the range of the module's status codes.
const STATUSES: &str = "Statuses: ";

#[derive(Debug, Default)]
pub(crate) struct Abi {
    pub(crate) rooms: Vec<Room>,
}

/// A section of a header, with the exported items of one module.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) folder: String,
    pub(crate) header: String,
    pub(crate) uses: Vec<String>,
    pub(crate) title: String,
    pub(crate) about: Vec<String>,
    /// Absolute values of the status codes that the module may define.
    pub(crate) statuses: Option<RangeInclusive<i128>>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) comment: Vec<String>,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Constant {
        number: i128,
        spelled: String,
        is_status: bool,
    },
    Alias(String),
    Callback(Signature),
    Structure(Vec<Variable>),
    /// `owned` is true if the handle contains a value behind a lock.
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

#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) comment: Vec<String>,
    /// The C spelling, including `const`. The spelling of an instant also names its clock, as in
    /// `local_time`.
    pub(crate) spelled: String,
    pub(crate) kind: Type,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    /// The string is the C type.
    Number(String),
    /// An array of bytes, with the name of the constant for its length and the length itself.
    Bytes(String, usize),
    /// A `const char *` to a zero-terminated string.
    Text,
    Structure(String),
    Opaque(String),
    Callback(String),
    Pointer(Box<Type>),
}

struct Source {
    path: PathBuf,
    text: String,
}

impl Abi {
    /// `read` returns the text of a file.
    pub(crate) fn of(read: impl Fn(&Path) -> Result<String, String>) -> Result<Self, String> {
        let mut sources = Vec::new();
        add(&mut sources, &read, &Path::new(FOLDER).join("mod.rs"))?;
        let mut abi = Abi::default();
        for source in sources.iter().filter(|source| source.path.ends_with("mod.rs")) {
            abi.rooms.push(Room::of(source, &sources)?);
        }
        // A type may be declared after its uses, so collect the names first.
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
                    *length = known.ok_or_else(|| format!("{}: unknown length {name}", item.name))?.1;
                }
            }
        }
        abi.rooms.retain(|room| !room.items.is_empty());
        abi.check_statuses()?;
        Ok(abi)
    }

    /// Groups the modules by header, in the order in which the headers first appear.
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

    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.rooms.iter().flat_map(|room| &room.items)
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = (&Item, &Signature)> {
        self.chosen(|kind| if let Kind::Function(signature) = kind { Some(signature) } else { None })
    }

    pub(crate) fn callbacks(&self) -> impl Iterator<Item = (&Item, &Signature)> {
        self.chosen(|kind| if let Kind::Callback(signature) = kind { Some(signature) } else { None })
    }

    pub(crate) fn structures(&self) -> impl Iterator<Item = (&Item, &[Variable])> {
        self.chosen(|kind| if let Kind::Structure(fields) = kind { Some(&fields[..]) } else { None })
    }

    pub(crate) fn constants(&self) -> impl Iterator<Item = (&Item, i128)> {
        self.chosen(|kind| if let Kind::Constant { number, .. } = kind { Some(*number) } else { None })
    }

    fn chosen<'a, T>(&'a self, part: fn(&'a Kind) -> Option<T>) -> impl Iterator<Item = (&'a Item, T)> {
        self.items().filter_map(move |item| Some((item, part(&item.kind)?)))
    }

    pub(crate) fn statuses(&self) -> impl Iterator<Item = (&Item, i128)> {
        self.constants().filter(|(item, _)| item.is_status())
    }

    pub(crate) fn version(&self) -> Result<u32, String> {
        let found = self.constants().find(|(item, _)| item.name == "NETCLOCK_ABI_VERSION");
        found.and_then(|it| it.1.try_into().ok()).ok_or_else(|| "no NETCLOCK_ABI_VERSION".to_owned())
    }

    fn check_statuses(&self) -> Result<(), String> {
        for room in &self.rooms {
            for item in room.items.iter().filter(|item| item.is_status()) {
                let Kind::Constant { number, .. } = item.kind else { continue };
                if !room.statuses.as_ref().is_some_and(|range| range.contains(&number.abs())) {
                    return Err(format!("{} is {number}, its module allows {:?}", item.name, room.statuses));
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
            let (first, last) =
                range.split_once(" to ").ok_or_else(|| format!("`{range}` is not a range"))?;
            let number = |text: &str| text.parse::<i128>().map_err(|error| format!("{text}: {error}"));
            Ok::<_, String>(number(first)?..=number(last.split(',').next().unwrap_or_default())?)
        });
        // The module or one of its parents names the header.
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

    /// Returns the comment on a single line. A blank line becomes two spaces.
    pub(crate) fn text(&self) -> String {
        self.comment.join(" ")
    }
}

impl Variable {
    pub(crate) fn text(&self) -> String {
        self.comment.join(" ")
    }

    /// Returns `local_time` or the name of another clock if this type is an instant.
    pub(crate) fn time(&self) -> Option<&str> {
        let name = self.spelled.trim_end_matches([' ', '*']).strip_prefix("netclock_")?;
        name.ends_with("_time").then_some(name)
    }

    pub(crate) fn is_const(&self) -> bool {
        self.spelled.starts_with("const ")
    }

    /// Returns whether the call writes to this untyped buffer.
    pub(crate) fn is_buffer(&self) -> bool {
        !self.is_const() && matches!(&self.kind, Type::Pointer(to) if **to == Type::Void)
    }

    pub(crate) fn is_status(&self) -> bool {
        matches!(&self.kind, Type::Number(name) if name == "netclock_status")
    }
}

impl Type {
    pub(crate) fn target(&self) -> &Type {
        if let Type::Pointer(to) = self { to.target() } else { self }
    }
}

fn folder(path: &Path) -> String {
    path.parent().unwrap_or(path).display().to_string().replace('\\', "/")
}

fn module_comment(source: &Source) -> Vec<&str> {
    let lines = source.text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}

/// Adds a file and all modules that it declares, except tests.
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
