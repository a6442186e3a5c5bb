//! Copies `src/clock`, and adds a switch to each mechanism of the estimator and a scale factor to each
//! constant.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

mod mechanisms;

use mechanisms::{MECHANISMS, Off};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=mechanisms.rs");
    println!("cargo::rerun-if-changed=../../src/clock");
    let clock = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../src/clock");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let target = out.join("clock");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    copy(&clock, &target)?;
    let module = format!(
        "#[allow(warnings, clippy::all, reason = \"an edited copy\")]\n#[path = {:?}]\nmod clock;\n",
        target.join("mod.rs")
    );
    fs::write(out.join("clock.rs"), module)?;
    println!("cargo::rustc-check-cfg=cfg(feature, values(\"link\", \"game\"))");

    let (mut sources, mut used) = (BTreeMap::new(), BTreeSet::new());
    for entry in fs::read_dir(target.join("estimate"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && name != "tests" {
            let text = replaced(&name, fs::read_to_string(&path)?, &mut used);
            let mut tokens = Tokens::default();
            tokens.add(text.parse()?);
            sources.insert(name, (path, text, tokens));
        }
    }
    let lengths: BTreeSet<&str> = sources.values().flat_map(|(_, _, tokens)| tokens.lengths()).collect();
    let constants: Vec<Constant> =
        sources.iter().flat_map(|(file, (_, text, tokens))| tokens.constants(file, text, &lengths)).collect();
    for (file, (path, text, tokens)) in &sources {
        let mut edits = tokens.factors(file, &constants);
        for (number, (name, _, off)) in MECHANISMS.iter().enumerate() {
            let Off::Return(place, value) = off else { continue };
            let body = place.split_once("::").filter(|place| place.0 == file);
            if let Some(at) = body.and_then(|(_, function)| tokens.body(function)) {
                used.insert(*name);
                edits.push((at..at, format!(" if crate::switches::is_off({number}) {{ return {value}; }}")));
            }
        }
        edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
        let mut edited = text.clone();
        edits.into_iter().for_each(|(range, replacement)| edited.replace_range(range, &replacement));
        fs::write(path, edited)?;
    }
    fs::write(out.join("lists.rs"), lists(&constants, &mut used)?)?;
    for (name, ..) in MECHANISMS {
        if !used.contains(name) {
            return Err(format!("nothing in the estimator matches the mechanism {name}").into());
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let copy_to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy(&path, &copy_to)? } else { fs::write(copy_to, fs::read(&path)?)? }
    }
    Ok(())
}

struct Constant {
    file: String,
    name: String,
    value: String,
    varies: bool,
}

/// A file's tokens, each with its byte range and an end index. For an opening bracket, the end index is that
/// of the closing bracket. For other tokens, the end index is the token's own.
#[derive(Default)]
struct Tokens(Vec<(String, Range<usize>, usize)>);

impl Tokens {
    fn add(&mut self, stream: TokenStream) {
        for tree in stream {
            let at = self.0.len();
            let TokenTree::Group(group) = tree else {
                self.0.push((tree.to_string(), tree.span().byte_range(), at));
                continue;
            };
            let [open, close] = match group.delimiter() {
                Delimiter::Brace => ["{", "}"],
                Delimiter::Bracket => ["[", "]"],
                _ => ["(", ")"],
            };
            self.0.push((open.to_owned(), group.span_open().byte_range(), at));
            self.add(group.stream());
            self.0[at].2 = self.0.len();
            self.0.push((close.to_owned(), group.span_close().byte_range(), self.0.len()));
        }
    }

    fn text(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |token| &token.0)
    }

    /// Returns the next `wanted` token, skipping bracketed groups.
    fn next(&self, mut at: usize, wanted: &str) -> usize {
        while at < self.0.len() && self.text(at) != wanted {
            at = self.0[at].2 + 1;
        }
        at
    }

    /// Returns the last token of the item, attribute or macro that begins here, if there is one. Constants
    /// inside these are not scaled.
    fn skipped(&self, at: usize) -> Option<usize> {
        let is_macro = || self.text(at + 1) == "!" && self.0.get(at + 2).is_some_and(|it| it.2 > at + 2);
        match self.text(at) {
            "use" => Some(self.next(at, ";")),
            "const" if self.is_constant(at) => Some(self.next(at, ";")),
            "mod" => Some(self.0[at + 2].2),
            "#" => Some(self.0[self.next(at, "[")].2),
            "if" | "return" | "while" | "match" | "in" => None,
            name if name.starts_with(char::is_alphabetic) && is_macro() => Some(self.0[at + 2].2),
            _ => None,
        }
    }

    /// Returns the tokens of array lengths, which must be known at compile time.
    fn lengths(&self) -> impl Iterator<Item = &str> {
        let arrays = (0..self.0.len()).filter(|&at| self.text(at) == "[").map(|at| (at, self.0[at].2));
        arrays.flat_map(|(open, close)| self.next(open + 1, ";").min(close)..close).map(|at| self.text(at))
    }

    /// Tells constants from constant functions and from parameters such as `<const N: usize>`.
    fn is_constant(&self, at: usize) -> bool {
        let is_parameter = ["<", ","].contains(&self.text(at.wrapping_sub(1)));
        self.text(at) == "const" && self.text(at + 2) == ":" && !is_parameter
    }

    fn constants(&self, file: &str, text: &str, lengths: &BTreeSet<&str>) -> Vec<Constant> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < self.0.len() {
            if self.is_constant(at) {
                let (name, equals, end) = (self.text(at + 1), self.next(at, "="), self.next(at, ";"));
                found.push(Constant {
                    file: file.to_owned(),
                    name: name.to_owned(),
                    value: text[self.0[equals + 1].1.start..self.0[end - 1].1.end].to_owned(),
                    varies: self.has_factor(at + 3, equals) && !lengths.contains(name),
                });
            }
            at = self.0[at].2 + 1;
        }
        found
    }

    fn has_factor(&self, ty: usize, end: usize) -> bool {
        match self.text(ty) {
            "&" => false,
            "[" => self.text(ty + 1) == "f64",
            _ => {
                let last = self.next(ty, "<").min(end) - 1;
                ["f64", "f32", "u32", "i32", "usize", "Range"].contains(&self.text(last))
            }
        }
    }

    /// Edits each use of a constant that can be scaled. A file's own constant hides a constant of the same
    /// name in another file.
    fn factors(&self, file: &str, constants: &[Constant]) -> Vec<(Range<usize>, String)> {
        let (mut edits, mut at) = (Vec::new(), 0);
        while at < self.0.len() {
            let name = self.text(at);
            let named = constants.iter().enumerate().filter(|(_, it)| it.name == name && it.varies);
            if let Some((number, _)) = named.min_by_key(|(_, it)| it.file != file) {
                let edit = format!("crate::switches::constant({number}, {name})");
                edits.push((self.0[at].1.clone(), edit));
            }
            at = self.skipped(at).unwrap_or(at) + 1;
        }
        edits
    }

    /// Returns the first byte in the body of a function.
    fn body(&self, function: &str) -> Option<usize> {
        let is_found = |&at: &usize| self.text(at) == "fn" && self.text(at + 1) == function;
        (0..self.0.len()).find(is_found).map(|at| self.0[self.next(at, "{")].1.end)
    }
}

fn replaced(file: &str, mut text: String, used: &mut BTreeSet<&str>) -> String {
    for (number, (name, _, off)) in MECHANISMS.iter().enumerate() {
        if let Off::Replace(place, from, to) = off {
            if *place == file && text.contains(from) {
                let choice = format!("(if crate::switches::is_off({number}) {{ {to} }} else {{ {from} }})");
                text = text.replacen(from, &choice, 1);
                used.insert(name);
            }
        }
    }
    text
}

fn lists(constants: &[Constant], used: &mut BTreeSet<&str>) -> Result<String, Box<dyn Error>> {
    let mut text = "/// The constants, by file.\npub const CONSTANTS: &[Constant] = &[\n".to_owned();
    for Constant { file, name, value, varies } in constants {
        writeln!(text, "Constant {{ file: {file:?}, name: {name:?}, value: {value:?}, varies: {varies} }},")?;
    }
    text += "];\n/// The mechanisms.\npub const MECHANISMS: &[Mechanism] = &[\n";
    for (number, (name, about, off)) in MECHANISMS.iter().enumerate() {
        let mut variation = format!("Without({number})");
        if let Off::Factor(place, factor) = off {
            let is_it = |it: &Constant| it.varies && *place == format!("{}::{}", it.file, it.name);
            let constant = constants.iter().position(is_it);
            let constant = constant.ok_or_else(|| format!("{place} is not a constant that varies"))?;
            variation = format!("Scaled({constant}, {factor:?})");
            used.insert(name);
        }
        writeln!(text, "Mechanism {{ name: {name:?}, about: {about:?}, off: Variation::{variation} }},")?;
    }
    Ok(text + "];\n")
}
