//! Parses the reflected declarations of a header and their comments.

use std::collections::BTreeMap;

use super::lex::{Doc, Token, docs, tokens, without_comments};

#[derive(Debug, Default)]
pub(crate) struct Header {
    /// Without `.h`.
    pub(crate) name: String,
    pub(crate) includes: Vec<(String, usize)>,
    pub(crate) types: Vec<Type>,
    pub(crate) plain: Vec<Type>,
    pub(crate) delegates: Vec<Delegate>,
    /// Comments, keyed by the line after each comment.
    docs: BTreeMap<usize, Doc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Class,
    Struct,
    Enum,
}

#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) base: Option<String>,
    pub(crate) specifiers: Vec<String>,
    pub(crate) line: usize,
    /// Line of `GENERATED_BODY()`.
    pub(crate) body: Option<usize>,
    pub(crate) functions: Vec<Function>,
    pub(crate) properties: Vec<Property>,
    pub(crate) values: Vec<(String, usize)>,
}

/// From `DECLARE_DYNAMIC_...`.
#[derive(Debug)]
pub(crate) struct Delegate {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) line: usize,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) specifiers: Vec<String>,
    pub(crate) result: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) is_static: bool,
    pub(crate) line: usize,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) written: String,
    pub(crate) name: String,
}

#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) written: String,
    pub(crate) specifiers: Vec<String>,
    /// The text after `=`, if any.
    pub(crate) initial: String,
    pub(crate) is_private: bool,
    pub(crate) line: usize,
}

impl Header {
    pub(crate) fn is_reflected(&self) -> bool {
        !self.types.is_empty() || !self.delegates.is_empty()
    }

    pub(crate) fn doc(&self, line: usize) -> Option<&Doc> {
        self.docs.get(&line)
    }
}

impl Function {
    pub(crate) fn remote(&self) -> Option<&str> {
        self.specifiers
            .iter()
            .map(String::as_str)
            .find(|it| matches!(*it, "Server" | "Client" | "NetMulticast"))
    }
}

pub(crate) fn has(specifiers: &[String], wanted: &str) -> bool {
    value(specifiers, wanted).is_some()
}

/// Returns the value of a specifier, which is empty if there is no `=`.
pub(crate) fn value<'a>(specifiers: &'a [String], wanted: &str) -> Option<&'a str> {
    specifiers.iter().find_map(|it| {
        let (name, value) = it.split_once('=').unwrap_or((it, ""));
        (name.trim() == wanted).then_some(value.trim())
    })
}

/// Finds the quoted text after `key =` in the specifiers or in their `meta`.
pub(crate) fn quoted<'a>(specifiers: &'a [String], key: &str) -> Option<&'a str> {
    let begin = format!("{key} = \"");
    specifiers.iter().find_map(|it| it.split_once(&begin)?.1.split('"').next())
}

/// Parses a header. The error quotes the declaration that cannot be parsed, as `Name.h:12: error`.
pub(crate) fn header(name: &str, text: &str) -> Result<Header, String> {
    let clean = without_comments(text);
    let mut header = Header { name: name.to_owned(), docs: docs(text), ..Header::default() };
    for (index, line) in clean.lines().enumerate() {
        if let Some(rest) = line.trim().strip_prefix("#include") {
            header.includes.push((rest.trim().trim_matches(['"', '<', '>']).to_owned(), index + 1));
        }
    }
    let mut reader = Reader { tokens: tokens(&clean), at: 0 };
    while let Some(token) = reader.next() {
        let place = |what: &str| format!("{name}.h:{}: {what}", token.line);
        let kind = match token.text.as_str() {
            "UCLASS" => Kind::Class,
            "USTRUCT" => Kind::Struct,
            "UENUM" => Kind::Enum,
            word if word.starts_with("DECLARE_DYNAMIC_") => {
                let words = reader.list().ok_or_else(|| place("unreadable delegate"))?;
                let parameter =
                    |it: &[String]| Some(Parameter { written: it[0].clone(), name: it.get(1)?.clone() });
                let parameters = words.get(1..).unwrap_or_default().chunks(2).filter_map(parameter).collect();
                let name = words.first().cloned().unwrap_or_default();
                header.delegates.push(Delegate { name, parameters, line: token.line });
                continue;
            }
            "class" | "struct" | "enum" => {
                let kind = if token.text == "enum" { Kind::Enum } else { Kind::Struct };
                // A forward declaration has no body.
                header.plain.extend(reader.declared(kind, Vec::new(), token.line));
                continue;
            }
            _ => continue,
        };
        let declared = reader.list().and_then(|specifiers| reader.declared(kind, specifiers, token.line));
        header.types.push(declared.ok_or_else(|| place("unreadable declaration"))?);
    }
    Ok(header)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Option<Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|it| it.text.as_str())
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.at += usize::from(found);
        found
    }

    /// Splits `( a, b = c, d<e, f> )` at its outer commas.
    fn list(&mut self) -> Option<Vec<String>> {
        if !self.accept("(") {
            return None;
        }
        let mut parts = Vec::new();
        let mut part = String::new();
        let mut depth = 0;
        loop {
            let token = self.next()?.text;
            match token.as_str() {
                ")" if depth == 0 => break,
                "," if depth == 0 => {
                    parts.push(std::mem::take(&mut part));
                    continue;
                }
                "(" | "<" | "{" => depth += 1,
                ")" | ">" | "}" => depth -= 1,
                _ => {}
            }
            append(&mut part, &token);
        }
        if !part.is_empty() {
            parts.push(part);
        }
        Some(parts)
    }

    fn declared(&mut self, kind: Kind, specifiers: Vec<String>, line: usize) -> Option<Type> {
        let mut words = Vec::new();
        let mut base = Vec::new();
        let mut in_base = false;
        loop {
            let token = self.next()?;
            match token.text.as_str() {
                "{" => break,
                ";" => return None,
                ":" => in_base = true,
                text if in_base => base.push(text.to_owned()),
                text => words.push(text.to_owned()),
            }
        }
        let name = words.iter().rev().find(|it| *it != "final")?.clone();
        let base = base.into_iter().find(|it| it != "public");
        let mut declared = Type {
            kind,
            name,
            base,
            specifiers,
            line,
            body: None,
            functions: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
        };
        self.members(&mut declared)?;
        Some(declared)
    }

    fn members(&mut self, declared: &mut Type) -> Option<()> {
        let mut is_private = declared.kind == Kind::Class;
        let mut depth = 1;
        while depth > 0 {
            let token = self.next()?;
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "public" | "protected" | "private" if depth == 1 && self.peek() == Some(":") => {
                    is_private = token.text == "private";
                }
                "GENERATED_BODY" if depth == 1 => declared.body = Some(token.line),
                "UFUNCTION" if depth == 1 => declared.functions.push(self.function(token.line)?),
                "UPROPERTY" if depth == 1 => {
                    declared.properties.push(self.property(token.line, is_private)?);
                }
                _ if declared.kind == Kind::Enum && matches!(self.peek(), Some("," | "}")) => {
                    declared.values.push((token.text, token.line));
                }
                _ => {}
            }
        }
        Some(())
    }

    fn function(&mut self, line: usize) -> Option<Function> {
        let specifiers = self.list()?;
        let mut words = Vec::new();
        while self.peek()? != "(" {
            words.push(self.next()?.text);
        }
        let name = words.pop()?;
        let is_static = words.iter().any(|it| it == "static");
        let mut result = String::new();
        for word in words.iter().filter(|it| !matches!(it.as_str(), "static" | "virtual" | "inline")) {
            append(&mut result, word);
        }
        let parameters = self.list()?.into_iter().filter_map(|it| parameter(&it)).collect();
        Some(Function { name, specifiers, result, parameters, is_static, line })
    }

    fn property(&mut self, line: usize, is_private: bool) -> Option<Property> {
        let specifiers = self.list()?;
        let mut words = Vec::new();
        while !matches!(self.peek()?, ";" | "=" | "{") {
            words.push(self.next()?.text);
        }
        let name = words.pop()?;
        let mut written = String::new();
        words.iter().for_each(|word| append(&mut written, word));
        let mut initial = String::new();
        if self.accept("=") {
            while self.peek()? != ";" {
                append(&mut initial, &self.next()?.text);
            }
        }
        Some(Property { name, written, specifiers, initial, is_private, line })
    }
}

/// Splits `const FString& Text = x` into type and name, without the default value.
fn parameter(text: &str) -> Option<Parameter> {
    let text = text.split('=').next()?.trim();
    let cut = text.rfind(|it: char| !it.is_alphanumeric() && it != '_')?;
    let (written, name) = text.split_at(cut + 1);
    Some(Parameter { written: written.trim().to_owned(), name: name.to_owned() })
}

fn append(to: &mut String, token: &str) {
    let word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == '"');
    let both = word(to.chars().next_back()) && word(token.chars().next());
    let after_mark = to.ends_with(['&', '*', '>', ',', '=']) && word(token.chars().next());
    if both || after_mark || token == "=" {
        to.push(' ');
    }
    to.push_str(token);
}
