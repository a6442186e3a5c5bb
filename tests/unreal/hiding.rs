//! Parameters and variables must not hide members or names in an enclosing scope, because cl rejects that
//! (C4456 to C4459). Our compilers report only hidden variables, so this test also looks for functions in any
//! namespace.

use std::collections::{BTreeMap, BTreeSet};

use super::files::{here, modules, read, sources};
use super::generator::{Token, tokens, without_comments};

/// These words may precede a name, but are not types.
const NO_TYPES: &str = "return else delete new case goto throw typename class struct using namespace";

/// Members of engine classes in the engine's reference that the double does not declare.
const ENGINES: [(&str, &str); 4] = [
    ("UObject", "GetName GetClass GetOuter GetWorld Rename Serialize PostLoad IsA"),
    (
        "AActor",
        "Owner Instigator Tags Layers Children RootComponent InputComponent NetDriverName Role GetOwner",
    ),
    ("AController", "Pawn Character PlayerState StateName StartSpot ControlRotation"),
    ("AGameStateBase", "PlayerArray GameModeClass SpectatorClass AuthorityGameMode"),
];

#[derive(Default)]
struct Names {
    /// The bases and the members of each class.
    classes: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>,
    functions: BTreeSet<String>,
    /// Parameters and local variables, with the class of their function.
    locals: Vec<(Option<String>, Token)>,
}

impl Names {
    /// The class or one of its bases may declare the name.
    fn owner(&self, class: &str, name: &str) -> Option<String> {
        let (bases, members) = self.classes.get(class)?;
        let own = members.contains(name).then(|| class.to_owned());
        own.or_else(|| bases.iter().filter(|it| *it != class).find_map(|it| self.owner(it, name)))
    }
}

#[derive(Clone, PartialEq)]
enum Scope {
    Namespace,
    Class(String),
    /// A function body in this class, or the body of a free function.
    Body(Option<String>),
    Other,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

struct Reader<'a> {
    tokens: &'a [Token],
    scopes: Vec<Scope>,
    names: &'a mut Names,
}

impl<'a> Reader<'a> {
    fn at(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |it| it.text.as_str())
    }

    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.at(index) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return index;
            }
        }
        self.tokens.len()
    }

    fn next(&self, from: usize, marks: &[&str]) -> usize {
        (from..self.tokens.len()).find(|it| marks.contains(&self.at(*it))).unwrap_or(self.tokens.len())
    }

    /// Returns true if the words before `index` end in a type, so that `index` declares a name.
    fn is_declared(&self, index: usize) -> bool {
        let back = |steps: usize| self.at(index.wrapping_sub(steps));
        if self.at(index + 1) == "=" && self.at(index + 2) == "=" {
            return false;
        }
        let before = back(1);
        match before {
            ">" => back(2) != "-",
            "*" | "&" => {
                let begins = ["", ";", "{", "}", "(", ",", "const", "::", ":", ")"].contains(&back(3));
                back(2) == ">" || is_name(back(2)) && begins
            }
            _ => is_name(before) && !NO_TYPES.split(' ').any(|it| it == before),
        }
    }

    fn parameters(&self, open: usize, close: usize) -> Vec<usize> {
        let (mut depth, mut found) = (0_i32, Vec::new());
        for index in open + 1..close {
            match self.at(index) {
                "(" | "<" | "{" | "[" => depth += 1,
                ")" | ">" | "}" | "]" => depth -= 1,
                text if depth == 0
                    && is_name(text)
                    && index > open + 1
                    && [",", ")", "=", "["].contains(&self.at(index + 1))
                    && self.at(index - 1) != "=" =>
                {
                    found.push(index);
                }
                _ => {}
            }
        }
        found
    }

    /// Returns a class's name and bases, and the index of its body. A declaration without a body is ignored.
    fn class(&self, index: usize) -> Option<(String, BTreeSet<String>, usize)> {
        let end = self.next(index, &["{", ";", ")", ">", "="]);
        // A base may have template arguments, so a `>` is not the end of the list.
        let colon = (index..end).find(|it| self.at(*it) == ":");
        let end = colon.map_or(end, |colon| self.next(colon, &["{", ";"]));
        if self.at(end) != "{" || self.at(index.wrapping_sub(1)) == "enum" {
            return None;
        }
        let words = |from: usize, to: usize| (from..to).map(|it| self.at(it)).filter(|it| is_name(it));
        let name = words(index + 1, colon.unwrap_or(end)).rfind(|it| *it != "final")?.to_owned();
        let bases = colon.map(|colon| words(colon, end).map(str::to_owned).collect()).unwrap_or_default();
        Some((name, bases, end))
    }

    fn declare(&mut self, name: &str, is_function: bool) {
        match self.scopes.last() {
            Some(Scope::Class(class)) => {
                self.names.classes.entry(class.clone()).or_default().1.insert(name.to_owned());
            }
            None | Some(Scope::Namespace) if is_function => {
                self.names.functions.insert(name.to_owned());
            }
            _ => {}
        }
    }

    fn add_locals(&mut self, class: Option<&String>, indices: &[usize]) {
        let tokens = indices.iter().map(|it| (class.cloned(), self.tokens[*it].clone()));
        self.names.locals.extend(tokens);
    }

    fn read(mut self) {
        let mut index = 0;
        while index < self.tokens.len() {
            // The class that contains this code, and whether the code is in a function body.
            let (class, is_body) = match self.scopes.last() {
                Some(Scope::Body(class)) => (class.clone(), true),
                Some(Scope::Class(class)) => (Some(class.clone()), false),
                _ => (None, false),
            };
            match self.at(index) {
                "namespace" if !is_body => {
                    let open = self.next(index, &["{", ";", "="]);
                    if self.at(open) == "{" {
                        self.scopes.push(Scope::Namespace);
                    }
                    index = open;
                }
                "class" | "struct" => {
                    if let Some((name, bases, open)) = self.class(index) {
                        self.names.classes.entry(name.clone()).or_default().0.extend(bases);
                        self.scopes.push(Scope::Class(name));
                        index = open;
                    }
                }
                "{" => self.scopes.push(if is_body { Scope::Body(class) } else { Scope::Other }),
                "}" => drop(self.scopes.pop()),
                "[" if is_body => {
                    let close = self.closing(index);
                    let end = if self.at(close + 1) == "(" { self.closing(close + 1) } else { close + 1 };
                    self.add_locals(class.as_ref(), &self.parameters(close + 1, end));
                }
                text if is_name(text) && is_body => {
                    let follows = ["=", ";", "{", ":", "["].contains(&self.at(index + 1));
                    if follows && self.is_declared(index) {
                        self.add_locals(class.as_ref(), &[index]);
                    }
                }
                text if is_name(text) && self.at(index + 1) == "(" => {
                    let close = self.closing(index + 1);
                    let is_member = self.at(index.wrapping_sub(1)) == "::";
                    let is_declared = self.is_declared(index);
                    let class = if is_member { Some(self.at(index - 2).to_owned()) } else { class };
                    if !is_member && is_declared {
                        self.declare(text, true);
                    }
                    // Skips `const override noexcept` and initialisers after the parameters.
                    let open = self.next(close + 1, &["{", ";", "}", "="]);
                    if (is_declared || is_member) && self.at(open) == "{" {
                        self.add_locals(class.as_ref(), &self.parameters(index + 1, close));
                        self.scopes.push(Scope::Body(class));
                        index = open;
                    } else {
                        index = close;
                    }
                }
                text if is_name(text)
                    && self.is_declared(index)
                    && ["=", ";", "{", "["].contains(&self.at(index + 1)) =>
                {
                    self.declare(text, false);
                }
                _ => {}
            }
            index += 1;
        }
    }
}

/// Only the locals of our files are checked. A file has a path and a text.
fn hidden_names(files: &[(String, String, bool)]) -> Vec<String> {
    let mut names = Names::default();
    let mut locals = Vec::new();
    for (path, text, is_ours) in files {
        let tokens = tokens(&without_comments(text));
        Reader { tokens: &tokens, scopes: Vec::new(), names: &mut names }.read();
        locals.extend(names.locals.drain(..).filter(|_| *is_ours).map(|(class, it)| (path, class, it)));
    }
    for (class, members) in ENGINES {
        let known = &mut names.classes.entry(class.to_owned()).or_default().1;
        known.extend(members.split(' ').map(str::to_owned));
    }
    let hidden = locals.into_iter().filter_map(|(path, class, Token { text, line })| {
        let function = names.functions.contains(&text).then(|| "a namespace".to_owned());
        let owner = class.and_then(|it| names.owner(&it, &text)).or(function)?;
        Some(format!("{path}:{line}: {text} hides that of {owner}"))
    });
    hidden.collect()
}

#[test]
fn no_name_hides_a_member_or_a_function() {
    let folders = modules().into_iter().map(|module| (module, true)).chain([(here("engine"), false)]);
    let mut files = Vec::new();
    for (folder, is_ours) in folders {
        for path in sources(&folder, &["h", "cpp"]) {
            files.push((path.display().to_string(), read(&path), is_ours));
        }
    }
    let found = hidden_names(&files);
    assert!(found.is_empty(), "cl may reject these names:\n{}", found.join("\n"));
}

#[test]
fn a_parameter_named_as_a_method_is_found() {
    let text = "namespace N { int Rewind(int Handle) { return Handle; }\n\
                struct FBase { int* Handle = nullptr; bool Port() const; };\n\
                class API_X FOne : public TBox<FBase> { void Set(int Port) { int Rewind = 2; } };\n\
                void FOne::Other(const FBase& Base, int Depth)\n{\n\tFBase* Handle = nullptr;\n}\n}\n";
    let found = hidden_names(&[("a.h".to_owned(), text.to_owned(), true)]);
    let expected = [
        "a.h:3: Port hides that of FBase",
        "a.h:3: Rewind hides that of a namespace",
        "a.h:6: Handle hides that of FBase",
    ];
    assert_eq!(found, expected);
}
