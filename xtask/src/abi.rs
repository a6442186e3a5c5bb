//! Reads the C headers, which are generated and so have few forms: constants, structures, callbacks,
//! functions.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{file_name, listed, read, root};

/// Where the headers are, here and below the prefix of an installation.
pub(crate) const HEADERS: &str = "include/netclock";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Its type as the header spells it: which clock a time is of, and whether what it points to is `const`.
    pub(crate) spelled: String,
    pub(crate) kind: Type,
}

impl Variable {
    /// What C++ calls an instant of its clock. None: it is no instant.
    pub(crate) fn time(&self) -> Option<&str> {
        let name = self.spelled.trim_end_matches([' ', '*']);
        TIMES.contains(&name).then(|| name.trim_start_matches("netclock_"))
    }

    /// Whether what it points to is only read.
    pub(crate) fn is_const(&self) -> bool {
        self.spelled.starts_with("const ")
    }
}

/// A type of C as far as the header uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    /// A number, by its name in C.
    Number(String),
    /// An array of bytes in a structure.
    Bytes(usize),
    /// `const char *`, ended by zero.
    Text,
    Structure(String),
    /// A structure that only the library knows.
    Opaque(String),
    Callback(String),
    Pointer(Box<Type>),
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: Type,
    pub(crate) parameters: Vec<Variable>,
}

#[derive(Debug, Default)]
pub(crate) struct Abi {
    /// Names without values are not among them.
    pub(crate) constants: Vec<(String, i64)>,
    pub(crate) structures: Vec<(String, Vec<Variable>)>,
    pub(crate) callbacks: Vec<Function>,
    pub(crate) functions: Vec<Function>,
    pub(crate) opaque: Vec<String>,
}

const NUMBERS: [&str; 11] = [
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "double",
    "size_t",
    "netclock_status",
];

/// What the header calls an `int64_t` that is an instant.
pub(crate) const TIMES: [&str; 4] =
    ["netclock_local_time", "netclock_server_time", "netclock_world_time", "netclock_utc_time"];

/// The names of all headers, those for C++ included. `netclock.h` is the first.
pub(crate) fn headers() -> Result<Vec<String>> {
    let names = listed(&root().join(HEADERS))?.into_iter().map(|path| file_name(&path));
    Ok(names.filter(|name| name.ends_with(".h") || name.ends_with(".hpp")).collect())
}

/// The names of the C headers with their texts. `netclock.h` is the first, and the others include it.
pub(crate) fn c_headers() -> Result<Vec<(String, String)>> {
    let names = headers()?.into_iter().filter(|name| name.ends_with(".h"));
    names
        .map(|name| {
            let text = read(format!("{HEADERS}/{name}"))?;
            Ok((name, text))
        })
        .collect()
}

impl Abi {
    pub(crate) fn of_the_headers() -> Result<Self> {
        let text: String = c_headers()?.into_iter().map(|(_, text)| text).collect();
        let abi = Self::parse(&text).context("reading the C headers")?;
        ensure!(abi.functions.len() > 50 && abi.structures.len() > 5, "the C headers were not understood");
        Ok(abi)
    }

    /// What `netclock.h` declares.
    pub(crate) fn of_the_clock() -> Result<Self> {
        let (name, text) = c_headers()?.into_iter().next().context("there is no C header")?;
        Self::parse(&text).with_context(|| format!("reading {name}"))
    }

    /// The value of `NETCLOCK_name`.
    pub(crate) fn constant(&self, name: &str) -> Result<i64> {
        let found = self.constants.iter().find(|(known, _)| known == name);
        Ok(found.with_context(|| format!("no header has NETCLOCK_{name}"))?.1)
    }

    /// A declaration a line: what compiled programs rely on. Fields have their place before their name.
    pub(crate) fn lines(&self) -> Vec<String> {
        let constants = self.constants.iter().map(|(name, value)| format!("constant {name} = {value}"));
        let fields = self.structures.iter().flat_map(|(name, fields)| {
            let field =
                move |(at, it): (usize, &Variable)| format!("field {name}.{at} {}: {:?}", it.name, it.kind);
            fields.iter().enumerate().map(field)
        });
        let functions = self.functions.iter().chain(&self.callbacks).map(|function| {
            let kinds: Vec<String> = function.parameters.iter().map(|it| format!("{:?}", it.kind)).collect();
            format!("function {}({}) -> {:?}", function.name, kinds.join(", "), function.result)
        });
        constants.chain(fields).chain(functions).collect()
    }

    pub(crate) fn parse(header: &str) -> Result<Self> {
        let text = without_comments(header);
        let mut abi = Self::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("#define NETCLOCK_")) {
            if let Some((name, value)) = line.split_once(' ') {
                abi.constants.extend(number(value.trim()).map(|value| (name.to_owned(), value)));
            }
        }
        let code: String =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line} ")).collect();
        let code = code.replace("extern \"C\" {", "").replace("NETCLOCK_NODISCARD ", "");
        // Names first: a pointer to a structure may come before it.
        let statements = statements(&code);
        for statement in &statements {
            if let Some(names) = statement.strip_prefix("typedef struct ").filter(|it| !it.contains('{')) {
                abi.opaque.extend(names.split_whitespace().next().map(str::to_owned));
            }
        }
        for statement in &statements {
            abi.add(statement).with_context(|| format!("in `{statement}`"))?;
        }
        Ok(abi)
    }

    fn add(&mut self, statement: &str) -> Result<()> {
        if let Some((head, fields)) = statement.split_once('{') {
            let name = head.split_whitespace().last().context("a structure has a name")?;
            let (fields, _) = fields.split_once('}').context("a structure ends")?;
            let fields = fields.split(';').map(str::trim).filter(|field| !field.is_empty());
            let fields = fields.map(|field| self.variable(field)).collect::<Result<_>>()?;
            self.structures.push((name.to_owned(), fields));
        } else if statement.starts_with("typedef") && statement.contains("(*") {
            let (result, rest) = statement["typedef".len()..].split_once("(*").context("a callback")?;
            let (name, parameters) = rest.split_once(")(").context("a callback has parameters")?;
            let function = self.function(name, result, parameters)?;
            self.callbacks.push(function);
        } else if statement.contains('(') {
            let (before, parameters) = statement.split_once('(').context("a function has parameters")?;
            let at = before.rfind([' ', '*']).context("a function has a result")? + 1;
            let function = self.function(&before[at..], &before[..at], parameters)?;
            self.functions.push(function);
        }
        Ok(())
    }

    fn function(&self, name: &str, result: &str, parameters: &str) -> Result<Function> {
        let parameters = parameters.trim_end_matches([')', ' ']);
        let each = parameters.split(',').map(str::trim).filter(|it| !it.is_empty() && *it != "void");
        Ok(Function {
            name: name.trim().to_owned(),
            result: self.kind(result)?,
            parameters: each.map(|parameter| self.variable(parameter)).collect::<Result<_>>()?,
        })
    }

    /// A type and a name.
    fn variable(&self, text: &str) -> Result<Variable> {
        let at = text.rfind([' ', '*']).context("it has no name")? + 1;
        let spelled = text[..at].trim().to_owned();
        if let Some((name, length)) = text.strip_prefix("uint8_t ").and_then(|rest| rest.split_once('[')) {
            let length = length.trim_end_matches(']').trim_start_matches("NETCLOCK_");
            let known = self.constants.iter().find(|(constant, _)| constant == length);
            let (_, length) = known.with_context(|| format!("no constant says how long {name} is"))?;
            return Ok(Variable {
                name: name.to_owned(),
                spelled,
                kind: Type::Bytes(usize::try_from(*length)?),
            });
        }
        ensure!(!text.contains('['), "arrays of other things are not known here");
        Ok(Variable { name: text[at..].to_owned(), kind: self.kind(&spelled)?, spelled })
    }

    fn kind(&self, text: &str) -> Result<Type> {
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == '*').collect();
        let words: Vec<&str> = words
            .into_iter()
            .filter(|word| !["", "const", "struct", "NETCLOCK_NODISCARD"].contains(word))
            .collect();
        let [name] = words[..] else { bail!("{text} is no type") };
        let stars = text.matches('*').count();
        if name == "char" && stars == 1 {
            return Ok(Type::Text);
        }
        let named = |list: &[String]| list.iter().any(|known| known == name);
        let base = if name == "void" {
            Type::Void
        } else if TIMES.contains(&name) {
            Type::Number("int64_t".to_owned())
        } else if NUMBERS.contains(&name) {
            Type::Number(name.to_owned())
        } else if named(&self.opaque) {
            Type::Opaque(name.to_owned())
        } else if self.callbacks.iter().any(|callback| callback.name == name) {
            Type::Callback(name.to_owned())
        } else if name.starts_with("netclock_") {
            Type::Structure(name.to_owned())
        } else {
            bail!("{name} is no type that is known here")
        };
        Ok((0..stars).fold(base, |kind, _| Type::Pointer(Box::new(kind))))
    }
}

/// The comments of declarations and fields, each in one line.
pub(crate) struct Comments(BTreeMap<String, String>);

impl Comments {
    pub(crate) fn of(header: &str) -> Self {
        let (mut comments, mut words, mut structure) = (BTreeMap::new(), Vec::new(), String::new());
        for line in header.lines().map(str::trim) {
            let text = line.trim_start_matches("/**").trim_end_matches("*/").trim_start_matches('*').trim();
            if line.starts_with("/*") {
                words.clear();
            }
            if line == "NETCLOCK_NODISCARD" {
                continue;
            }
            if line.starts_with(['/', '*']) {
                words.push(text);
                continue;
            }
            let name = |text: &str| text.split([' ', ';', '(', '[']).next().unwrap_or_default().to_owned();
            let said = words.join(" ").trim().to_owned();
            if let Some(rest) = line.strip_prefix("#define ") {
                comments.insert(name(rest), said);
            } else if let Some(rest) = line.strip_prefix("typedef struct ").filter(|rest| rest.ends_with('{'))
            {
                structure = name(rest);
                comments.insert(structure.clone(), said);
            } else if line.starts_with('}') {
                structure.clear();
            } else if let Some((before, _)) = line.split_once('(') {
                comments.insert(before.rsplit([' ', '*']).next().unwrap_or_default().to_owned(), said);
            } else if !structure.is_empty() || line.starts_with("typedef ") {
                let last = line.rsplit(' ').next().unwrap_or_default();
                let of = if structure.is_empty() { String::new() } else { format!("{structure}.") };
                comments.insert(of + &name(last), said);
            }
            words.clear();
        }
        Self(comments)
    }

    /// What C says of a constant, a function, a type or `structure.field`.
    pub(crate) fn of_c(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once("*/").map_or("", |(_, after)| after);
    }
    plain
}

/// What ends with a `;` outside of braces.
fn statements(code: &str) -> Vec<String> {
    let (mut statements, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for letter in code.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            // It ends `extern "C"`.
            '}' => continue,
            ';' if depth == 0 => {
                statements.push(current.split_whitespace().collect::<Vec<_>>().join(" "));
                current.clear();
                continue;
            }
            _ => {}
        }
        current.push(letter);
    }
    statements
}

/// A whole number as the header writes it.
fn number(value: &str) -> Option<i64> {
    let plain = value.trim_matches(['(', ')']);
    match plain {
        "INT64_MIN" => Some(i64::MIN),
        "INT64_MAX" => Some(i64::MAX),
        _ => plain.trim_start_matches("INT64_C(").trim_start_matches("UINT64_C(").parse().ok(),
    }
}
