//! Copies `src/clock`, adding a switch to each mechanism of the estimator and a factor to each constant.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    Block, Expr, ExprPath, ExprRepeat, ImplItemFn, Item, ItemConst, ItemFn, Pat, Signature, Type, UseTree,
};

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
    // The lab needs only the client, built with the library's features.
    let module = format!(
        "#[allow(warnings, clippy::all, reason = \"an edited copy\")]\n#[path = {:?}]\nmod clock;\n",
        target.join("mod.rs")
    );
    fs::write(out.join("clock.rs"), module)?;
    println!("cargo::rustc-check-cfg=cfg(feature, values(\"link\", \"game\"))");

    let estimate = target.join("estimate");
    let (mut sources, mut used) = (BTreeMap::new(), BTreeSet::new());
    for entry in fs::read_dir(&estimate)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && name != "tests" {
            let text = replaced(&name, fs::read_to_string(&path)?, &mut used);
            let syntax = syn::parse_file(&text)?;
            sources.insert(name, (path, text, syntax));
        }
    }
    let constants = Constants::of(sources.iter().map(|(file, (_, text, syntax))| (file, text, syntax)));
    for (file, (path, text, syntax)) in &sources {
        let mut edits = Edits { names: constants.names(file, syntax), found: Vec::new() };
        edits.visit_file(syntax);
        let mut found = edits.found;
        for (number, (name, _, off)) in MECHANISMS.iter().enumerate() {
            if let Some(edit) = early_return(number, off, file, syntax) {
                used.insert(*name);
                found.push(edit);
            }
        }
        found.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
        let mut edited = text.clone();
        for (range, replacement) in found {
            edited.replace_range(range, &replacement);
        }
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

struct Constants(Vec<Constant>);

struct Constant {
    file: String,
    name: String,
    value: String,
    varies: bool,
}

impl Constants {
    fn of<'a>(sources: impl Iterator<Item = (&'a String, &'a String, &'a syn::File)>) -> Self {
        let (mut constants, mut lengths) = (Vec::new(), Lengths::default());
        for (file, text, syntax) in sources {
            lengths.visit_file(syntax);
            for item in &syntax.items {
                let Item::Const(item) = item else { continue };
                constants.push(Constant {
                    file: file.clone(),
                    name: item.ident.to_string(),
                    value: text[bytes(item.expr.span())].to_owned(),
                    varies: has_factor(&item.ty),
                });
            }
        }
        for constant in &mut constants {
            constant.varies &= !lengths.0.contains(&constant.name);
        }
        Self(constants)
    }

    fn names(&self, file: &str, syntax: &syn::File) -> BTreeMap<String, usize> {
        let mut imported = Vec::new();
        for item in &syntax.items {
            if let Item::Use(item) = item {
                imports(&item.tree, "", &mut imported);
            }
        }
        let own = |constant: &Constant| constant.file == file;
        let other = |constant: &Constant| imported.contains(&(constant.file.clone(), constant.name.clone()));
        let is_named = |constant: &Constant| own(constant) || other(constant);
        let named = self.0.iter().enumerate().filter(|(_, constant)| constant.varies && is_named(constant));
        named.map(|(number, constant)| (constant.name.clone(), number)).collect()
    }

    fn number(&self, path: &str) -> Option<usize> {
        let (file, name) = path.split_once("::")?;
        self.0.iter().position(|constant| constant.file == file && constant.name == name)
    }
}

fn has_factor(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            ["f64", "f32", "u32", "i32", "usize", "Range"].contains(&last.ident.to_string().as_str())
        }),
        Type::Array(array) => matches!(&*array.elem, Type::Path(path) if path.path.is_ident("f64")),
        _ => false,
    }
}

fn imports(tree: &UseTree, module: &str, found: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => imports(&path.tree, &path.ident.to_string(), found),
        UseTree::Name(name) => {
            let module = if module == "super" { "mod" } else { module };
            found.push((module.to_owned(), name.ident.to_string()));
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, module, found)),
        _ => {}
    }
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range()
}

/// Array lengths and the constants in them are needed at compile time, so factors cannot apply to them.
#[derive(Default)]
struct Lengths(BTreeSet<String>);

impl Lengths {
    fn names(&mut self, length: &Expr) {
        struct Names<'a>(&'a mut BTreeSet<String>);
        impl Visit<'_> for Names<'_> {
            fn visit_expr_path(&mut self, path: &ExprPath) {
                self.0.extend(path.path.get_ident().map(ToString::to_string));
            }
        }
        Names(&mut self.0).visit_expr(length);
    }
}

impl Visit<'_> for Lengths {
    fn visit_type_array(&mut self, array: &syn::TypeArray) {
        self.names(&array.len);
    }

    fn visit_expr_repeat(&mut self, repeat: &ExprRepeat) {
        self.names(&repeat.len);
        self.visit_expr(&repeat.expr);
    }
}

struct Edits {
    names: BTreeMap<String, usize>,
    found: Vec<(Range<usize>, String)>,
}

impl Visit<'_> for Edits {
    fn visit_expr_path(&mut self, path: &ExprPath) {
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return };
        if let Some(number) = self.names.get(&name) {
            self.found.push((bytes(path.span()), format!("crate::switches::constant({number}, {name})")));
        }
    }

    fn visit_item_const(&mut self, _: &ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &syn::ImplItemConst) {}
    fn visit_type(&mut self, _: &Type) {}
    fn visit_pat(&mut self, _: &Pat) {}
    fn visit_item_mod(&mut self, _: &syn::ItemMod) {}
    fn visit_expr_repeat(&mut self, repeat: &ExprRepeat) {
        self.visit_expr(&repeat.expr);
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

/// Returns `None` if the function is in another file.
fn early_return(number: usize, off: &Off, file: &str, syntax: &syn::File) -> Option<(Range<usize>, String)> {
    let Off::Return(place, value) = off else { return None };
    let (_, name) = place.split_once("::").filter(|place| place.0 == file)?;
    let mut bodies = Bodies { name, found: None };
    bodies.visit_file(syntax);
    let at = bodies.found? + 1;
    Some((at..at, format!(" if crate::switches::is_off({number}) {{ return {value}; }}")))
}

struct Bodies<'a> {
    name: &'a str,
    found: Option<usize>,
}

impl Bodies<'_> {
    fn note(&mut self, signature: &Signature, body: &Block) {
        if signature.ident == self.name {
            self.found = Some(bytes(body.brace_token.span.open()).start);
        }
    }
}

impl Visit<'_> for Bodies<'_> {
    fn visit_item_fn(&mut self, function: &ItemFn) {
        self.note(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        self.note(&function.sig, &function.block);
    }

    fn visit_item_mod(&mut self, _: &syn::ItemMod) {}
}

fn lists(constants: &Constants, used: &mut BTreeSet<&str>) -> Result<String, Box<dyn Error>> {
    let mut text = "/// The constants, by file.\npub const CONSTANTS: &[Constant] = &[\n".to_owned();
    for Constant { file, name, value, varies } in &constants.0 {
        writeln!(text, "Constant {{ file: {file:?}, name: {name:?}, value: {value:?}, varies: {varies} }},")?;
    }
    text += "];\n/// The mechanisms.\npub const MECHANISMS: &[Mechanism] = &[\n";
    for (name, about, off) in MECHANISMS {
        let factor = match off {
            Off::Factor(place, factor) => {
                let number = constants.number(place).filter(|number| constants.0[*number].varies);
                let number = number.ok_or_else(|| format!("{place} is not a constant that varies"))?;
                used.insert(name);
                Some((number, factor))
            }
            _ => None,
        };
        writeln!(text, "Mechanism {{ name: {name:?}, about: {about:?}, factor: {factor:?} }},")?;
    }
    Ok(text + "];\n")
}
