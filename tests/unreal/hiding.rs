//! Parameters and variables must not hide members or names in an enclosing scope, because cl rejects that
//! (C4456 to C4459). Our compilers report only hidden variables, so this test also looks for functions in any
//! namespace.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::files::{here, modules, read, sources};
use super::generator::{Token, tokens, without_comments};

/// Words that may precede a name but are not types.
const NO_TYPES: &str = "return else delete new case goto throw typename class struct using namespace";

/// Engine class members that the engine's reference lists but the double does not declare.
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
    /// The parameters and local variables, each with the class of its function.
    locals: Vec<(Option<String>, Token)>,
}

impl Names {
    fn owner(&self, class: &str, name: &str) -> Option<String> {
        let (bases, members) = self.classes.get(class)?;
        let own = members.contains(name).then(|| class.to_owned());
        own.or_else(|| bases.iter().filter(|it| *it != class).find_map(|it| self.owner(it, name)))
    }
}

#[derive(Clone)]
enum Scope {
    Namespace,
    Class(String),
    /// The body of a function of this class, or of a free function.
    Body(Option<String>),
    Other,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

struct Reader<'a> {
    tokens: &'a [Token],
    names: &'a mut Names,
}

impl<'a> Reader<'a> {
    fn at(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |it| it.text.as_str())
    }

    /// Returns true if the words before `index` end in a type, so that `index` declares a name.
    fn is_declared(&self, index: usize) -> bool {
        let back = |steps: usize| self.at(index.wrapping_sub(steps));
        match back(1) {
            _ if !is_name(self.at(index)) || self.at(index + 1) == "=" && self.at(index + 2) == "=" => false,
            ">" => back(2) != "-",
            "*" | "&" => {
                let begins = ["", ";", "{", "}", "(", ",", "const", "::", ":", ")"].contains(&back(3));
                back(2) == ">" || is_name(back(2)) && begins
            }
            before => is_name(before) && !NO_TYPES.split(' ').any(|it| it == before),
        }
    }

    /// Splits the code into statements at `;`, `{` and `}`.
    fn read(mut self) {
        let mut scopes: Vec<Scope> = Vec::new();
        let mut start = 0;
        let tokens = self.tokens;
        for end in (0..tokens.len()).filter(|it| [";", "{", "}"].contains(&tokens[*it].text.as_str())) {
            let scope = scopes.last().cloned().unwrap_or(Scope::Namespace);
            self.declare(start..end, &scope);
            match self.at(end) {
                "{" => scopes.push(self.open(start..end, scope)),
                "}" => drop(scopes.pop()),
                _ => {}
            }
            start = end + 1;
        }
    }

    fn declare(&mut self, statement: Range<usize>, scope: &Scope) {
        let mut depth = 0_i32;
        for index in statement {
            let (text, next) = (self.at(index), self.at(index + 1));
            depth += i32::from(text == "(") - i32::from(text == ")");
            let is_variable = ["=", ";", "{", "["].contains(&next);
            match scope {
                Scope::Body(class) if (is_variable || next == ":") && self.is_declared(index) => {
                    self.names.locals.push((class.clone(), self.tokens[index].clone()));
                }
                Scope::Class(class)
                    if depth == 0 && (is_variable || next == "(") && self.is_declared(index) =>
                {
                    let (_, members) = self.names.classes.entry(class.clone()).or_default();
                    members.insert(text.to_owned());
                }
                Scope::Namespace if depth == 0 && next == "(" && self.is_declared(index) => {
                    self.names.functions.insert(text.to_owned());
                }
                _ => {}
            }
        }
    }

    /// Returns the scope that begins after the words `head`, and notes its bases or its parameters.
    fn open(&mut self, head: Range<usize>, scope: Scope) -> Scope {
        let find = |from: usize, word: &str| (from..head.end).find(|it| self.at(*it) == word);
        let is_class = |it: &usize| {
            ["class", "struct"].contains(&self.at(*it))
                && !["<", ",", "enum"].contains(&self.at(it.wrapping_sub(1)))
                && find(*it, "(").is_none()
        };
        if let Some(class) = head.clone().rfind(is_class) {
            let colon = find(class, ":").unwrap_or(head.end);
            let words = |range: Range<usize>| range.map(|it| self.at(it)).filter(|it| is_name(it));
            let name = words(class + 1..colon).rfind(|it| *it != "final").unwrap_or_default().to_owned();
            let bases: Vec<String> = words(colon..head.end).map(str::to_owned).collect();
            self.names.classes.entry(name.clone()).or_default().0.extend(bases);
            return Scope::Class(name);
        }
        if find(head.start, "namespace").is_some() {
            return Scope::Namespace;
        }
        let begins = |open: &usize| self.at(*open) == "(";
        let (function, class) = match scope {
            // A lambda's parameters follow its captures.
            Scope::Body(class) => {
                (head.clone().rfind(|it| begins(it) && self.at(it.wrapping_sub(1)) == "]"), class)
            }
            scope => {
                let is_member = |open: &usize| self.at(open.wrapping_sub(2)) == "::";
                let is_function = |it: &usize| begins(it) && (self.is_declared(it - 1) || is_member(it));
                let Some(open) = head.clone().skip(1).find(is_function) else { return Scope::Other };
                let class = match scope {
                    _ if is_member(&open) => Some(self.at(open.wrapping_sub(3)).to_owned()),
                    Scope::Class(class) => Some(class),
                    _ => None,
                };
                (Some(open), class)
            }
        };
        for index in function.map_or(Vec::new(), |open| self.parameters(open)) {
            self.names.locals.push((class.clone(), self.tokens[index].clone()));
        }
        Scope::Body(class)
    }

    /// The names in the list that begins at `open`.
    fn parameters(&self, open: usize) -> Vec<usize> {
        let (mut depth, mut found) = (0_i32, Vec::new());
        for index in open..self.tokens.len() {
            match self.at(index) {
                "(" | "<" | "{" | "[" => depth += 1,
                ")" | ">" | "}" | "]" => depth -= 1,
                text if depth == 1 && is_name(text) && index > open + 1 && self.at(index - 1) != "=" => {
                    found.extend([",", ")", "=", "["].contains(&self.at(index + 1)).then_some(index));
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        found
    }
}

fn hidden_names(files: &[(String, String, bool)]) -> Vec<String> {
    let mut names = Names::default();
    let mut locals = Vec::new();
    for (path, text, is_ours) in files {
        let tokens = tokens(&without_comments(text));
        Reader { tokens: &tokens, names: &mut names }.read();
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
