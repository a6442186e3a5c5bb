//! Rooms: the folders and files of a crate in one order, each using only those above it.
//!
//! [`check`] reads sources as text. An arrow goes from a file to the file that defines what it names, by a path that
//! begins with `crate`, `super` or `self`, with something imported, or with a child module. Declaring a child or
//! re-exporting from it is no arrow. Code for tests counts like any other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What is wrong with the arrows between the sources below `root`, one line for each fault.
///
/// `order` lists the rooms from the ground up. An entry is one or more rooms (`exchange`, `ffi/base`), a colon, and a word
/// about them; rooms of one entry do not use each other. A file is in the room whose name is the longest beginning of its
/// path. `lib.rs` and `main.rs` are in no room: they may use everything.
pub(crate) fn check(root: &Path, order: &[&str]) -> Vec<String> {
    let sources = Sources::read(root);
    let rooms = rooms(order);
    let room_of = |module: &str| {
        let holds = |room: &str| {
            module.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        rooms.iter().filter(|(room, _)| holds(room)).max_by_key(|(room, _)| room.len()).copied()
    };
    let (mut wrong, mut within) = (Vec::new(), BTreeMap::<&str, BTreeSet<&str>>::new());
    for (room, _) in &rooms {
        if !sources.0.keys().any(|module| room_of(module).is_some_and(|(name, _)| name == *room)) {
            wrong.push(format!("{room}: the list has a room that the sources do not have"));
        }
    }
    for (module, file) in sources.0.iter().filter(|(module, _)| !module.is_empty()) {
        let Some((room, level)) = room_of(module) else {
            wrong.push(format!("{}: in no room of the list", file.name));
            continue;
        };
        for (named, target) in sources.arrows(module, file) {
            match room_of(target) {
                Some((other, _)) if other == room => drop(within.entry(module).or_default().insert(target)),
                Some((_, above)) if above < level => {}
                other => {
                    let (name, path) = (&file.name, named.path.join("::"));
                    let other = other.map_or("the root", |(other, _)| other);
                    wrong.push(format!(
                        "{name}:{}: {room} -> {other}, which is not above: {path}",
                        named.line
                    ));
                }
            }
        }
    }
    wrong.extend(circles(&within).iter().map(|circle| {
        let names: Vec<&str> = circle.iter().map(|module| sources.0[*module].name.as_str()).collect();
        format!("a circle of files: {}", names.join(" -> "))
    }));
    wrong
}

/// Each room with the number of its entry.
fn rooms<'a>(order: &[&'a str]) -> Vec<(&'a str, usize)> {
    let names = |entry: &'a str| entry.split_once(':').unwrap_or((entry, "")).0.split_whitespace();
    order.iter().enumerate().flat_map(|(level, entry)| names(entry).map(move |room| (room, level))).collect()
}

/// The shortest circle through each file that is on one, without repetition.
fn circles<'a>(arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let (mut circles, mut done) = (Vec::new(), BTreeSet::new());
    for &start in arrows.keys() {
        let mut ways = vec![vec![start]];
        let mut seen = BTreeSet::new();
        while !ways.is_empty() && !done.contains(start) {
            let mut longer = Vec::new();
            for way in ways {
                for &next in arrows.get(way[way.len() - 1]).into_iter().flatten() {
                    if next == start && !done.contains(start) {
                        done.extend(way.iter().copied());
                        circles.push([&way[..], &[start]].concat());
                    } else if seen.insert(next) {
                        longer.push([&way[..], &[next]].concat());
                    }
                }
            }
            ways = longer;
        }
    }
    circles
}

/// A path in a source file.
struct Named {
    line: usize,
    path: Vec<String>,
    /// How many modules within the file it stands in.
    inline: usize,
    import: Option<Import>,
}

/// What a `use` makes of a path.
struct Import {
    /// The name it is known by here; `*` for all names.
    name: String,
    is_public: bool,
}

struct File {
    /// Its path below the root.
    name: String,
    defines: BTreeSet<String>,
    named: Vec<Named>,
}

/// All files by the paths of their modules, such as `estimate/interval`; the root's is empty.
struct Sources(BTreeMap<String, File>);

impl Sources {
    fn read(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(root, root, "", &mut files);
        Sources(files)
    }

    /// The paths of a file that lead to another one.
    fn arrows<'a>(&'a self, module: &'a str, file: &'a File) -> Vec<(&'a Named, &'a str)> {
        let arrow = |named: &'a Named| {
            let target = self.owner(&self.absolute(module, named, 0)?, 0)?;
            let is_export = named.import.as_ref().is_some_and(|import| import.is_public);
            let is_child = target.starts_with(&join(module, ""));
            (target != module && !(is_export && is_child)).then_some((named, target))
        };
        file.named.iter().filter_map(arrow).collect()
    }

    /// A path counted from the root; none if it leaves the crate.
    fn absolute(&self, module: &str, named: &Named, depth: usize) -> Option<Vec<String>> {
        let mut base: Vec<String> =
            module.split('/').map(str::to_owned).filter(|part| !part.is_empty()).collect();
        let (first, rest) = named.path.split_first()?;
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => base.extend(rest.iter().cloned()),
            "super" => {
                let ups = named.path.iter().take_while(|part| *part == "super").count();
                (0..ups.saturating_sub(named.inline)).try_for_each(|_| base.pop().map(drop))?;
                base.extend(named.path[ups..].iter().cloned());
            }
            child if self.0.contains_key(&join(module, child)) => base.extend(named.path.iter().cloned()),
            name => {
                let known = |other: &&Named| other.import.as_ref().is_some_and(|import| import.name == name);
                let import = self.0[module].named.iter().find(known).filter(|_| depth < 4)?;
                base = self.absolute(module, import, depth + 1)?;
                base.extend(rest.iter().cloned());
            }
        }
        Some(base)
    }

    /// The module whose file defines the name that a path from the root leads to.
    fn owner(&self, path: &[String], depth: usize) -> Option<&str> {
        let mut known = 0;
        while known < path.len() && self.0.contains_key(&path[..=known].join("/")) {
            known += 1;
        }
        let (module, file) = self.0.get_key_value(&path[..known].join("/"))?;
        let Some(name) = path.get(known).filter(|name| !file.defines.contains(*name) && depth < 8) else {
            return Some(module);
        };
        let exports = file.named.iter().filter(|named| named.import.as_ref().is_some_and(|it| it.is_public));
        for named in exports {
            let import = named.import.as_ref()?;
            let Some(mut target) = self.absolute(module, named, 0) else { continue };
            if import.name == *name {
                target.extend_from_slice(&path[known + 1..]);
                return self.owner(&target, depth + 1);
            }
            if import.name == "*" {
                target.push(name.clone());
                let owner = self.owner(&target, depth + 1)?;
                if self.0[owner].defines.contains(name) {
                    return Some(owner);
                }
            }
        }
        Some(module)
    }
}

fn join(module: &str, child: &str) -> String {
    if module.is_empty() { child.to_owned() } else { format!("{module}/{child}") }
}

/// Reads the files of the folder of `module`, and of the folders in it.
fn collect(root: &Path, folder: &Path, module: &str, files: &mut BTreeMap<String, File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("the folder can be listed").path()) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(root, &path, &join(module, &stem), files);
        } else if path.extension().is_some_and(|ending| ending == "rs") && stem != "main" {
            let is_folders = stem == "mod" || (stem == "lib" && module.is_empty());
            let module = if is_folders { module.to_owned() } else { join(module, &stem) };
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(module, parse(name, &tokens(&text)));
        }
    }
}

fn parse(name: String, tokens: &[(usize, String)]) -> File {
    const ITEMS: [&str; 9] =
        ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];
    let word = |at: usize| tokens.get(at).map_or("", |token| token.1.as_str());
    let mut file = File { name, defines: BTreeSet::new(), named: Vec::new() };
    let (mut at, mut depth, mut inline) = (0, 0, Vec::new());
    while at < tokens.len() {
        let line = tokens[at].0;
        match word(at) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|&opened| opened <= depth);
            }
            "mod" if word(at + 2) == "{" => inline.push(depth + 1),
            "use" => {
                let is_public = at > 0 && matches!(word(at - 1), "pub" | ")");
                let mut end = at + 1;
                for (path, name) in tree(tokens, &mut end, &[]) {
                    let import = Some(Import { name, is_public });
                    file.named.push(Named { line, path, inline: inline.len(), import });
                }
                at = end;
            }
            item if ITEMS.contains(&item) => {
                let skipped = usize::from(word(at + 1) == "!" || word(at + 1) == "mut");
                file.defines.insert(word(at + 1 + skipped).to_owned());
            }
            first if is_word(first) && word(at + 1) == "::" && (at == 0 || word(at - 1) != "::") => {
                let mut path = vec![first.to_owned()];
                while word(at + 1) == "::" && is_word(word(at + 2)) {
                    path.push(word(at + 2).to_owned());
                    at += 2;
                }
                file.named.push(Named { line, path, inline: inline.len(), import: None });
            }
            _ => {}
        }
        at += 1;
    }
    file
}

/// The leaves of a tree of a `use`, each with the name it brings; `at` is moved behind the tree.
fn tree(tokens: &[(usize, String)], at: &mut usize, before: &[String]) -> Vec<(Vec<String>, String)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.1.as_str());
    let mut path = before.to_vec();
    loop {
        match word(*at) {
            "{" => {
                let mut leaves = Vec::new();
                while !matches!(word(*at), "}" | "") {
                    *at += 1;
                    if word(*at) != "}" {
                        leaves.extend(tree(tokens, at, &path));
                    }
                }
                *at += 1;
                return leaves;
            }
            "*" => {
                *at += 1;
                return vec![(path, "*".to_owned())];
            }
            "::" => {}
            "as" => {
                *at += 2;
                return vec![(path, word(*at - 1).to_owned())];
            }
            // `use path::{self, other}` brings the path itself.
            "self" if !path.is_empty() => {}
            part if is_word(part) => path.push(part.to_owned()),
            _ => {
                let name = path.last().cloned().unwrap_or_default();
                return vec![(path, name)];
            }
        }
        *at += 1;
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Words, `::` and single signs with the numbers of their lines; no comments and no literals.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let (mut tokens, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = literal(rest) {
            length
        } else {
            let length = if is_word(rest) {
                rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len())
            } else {
                if rest.starts_with("::") { 2 } else { first.len_utf8() }
            };
            if !first.is_whitespace() {
                tokens.push((line, rest[..length].to_owned()));
            }
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The length of the text or character that `rest` begins with, or of a lifetime.
fn literal(rest: &str) -> Option<usize> {
    let raw = rest.trim_start_matches(['b', 'c', 'r']);
    let prefix = rest.len() - raw.len();
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    if prefix <= 2 && raw[hashes..].starts_with('"') && rest[..prefix].ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        let from = prefix + hashes + 1;
        return Some(rest[from..].find(&end).map_or(rest.len(), |at| from + at + end.len()));
    }
    let quote = raw.chars().next().filter(|quote| prefix <= 1 && matches!(quote, '"' | '\''))?;
    let mut inner = raw[1..].char_indices();
    if quote == '\'' {
        // A lifetime has no quote at its end.
        let mut ahead = raw[1..].chars();
        let (one, two) = (ahead.next()?, ahead.next()?);
        if one != '\\' && two != '\'' {
            return Some(prefix + 1);
        }
    }
    while let Some((at, next)) = inner.next() {
        if next == '\\' {
            inner.next();
        } else if next == quote {
            return Some(prefix + 1 + at + 1);
        }
    }
    Some(rest.len())
}
