//! C++ as words, and which of them it declares. It reads what stands there and expands nothing.

use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) line: usize,
}

pub(crate) struct Source {
    pub(crate) words: Vec<Word>,
    defined: Vec<String>,
}

/// Their arguments are specifiers, which Unreal Header Tool checks.
const REFLECTION: [&str; 7] = ["UCLASS", "USTRUCT", "UENUM", "UINTERFACE", "UFUNCTION", "UPROPERTY", "UMETA"];

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        let mut defined = Vec::new();
        let mut code = String::new();
        for line in without_comments_and_strings(text).lines() {
            let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
            if let Some(macro_) = directive.strip_prefix("define ") {
                let name = macro_.split(|c: char| !is_word(c)).find(|name| !name.is_empty());
                defined.extend(name.map(str::to_owned));
            }
            // What a macro stands for is used, and so is what a condition asks.
            if ["include", "pragma", "error", "undef"].iter().any(|other| directive.starts_with(other)) {
                code.push('\n');
            } else {
                code.push_str(line);
                code.push('\n');
            }
        }
        Self { words: without_specifiers(words(&code)), defined }
    }

    pub(crate) fn text(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |word| &word.text)
    }

    /// The word `back` places before.
    pub(crate) fn before(&self, index: usize, back: usize) -> &str {
        index.checked_sub(back).map_or("", |index| self.text(index))
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Blanks of the same number of lines in their place.
fn without_comments_and_strings(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if first == '"' || (first == '\'' && !code.ends_with(|c: char| c.is_ascii_digit())) {
            quoted(rest, first)
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        code.push(' ');
        code.extend(rest[..length].chars().filter(|&c| c == '\n'));
        rest = &rest[length..];
    }
    code
}

/// The length of a literal with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn words(code: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if ["::", "->", "&&", "||"].iter().any(|pair| rest.starts_with(pair)) {
                2
            } else {
                first.len_utf8()
            };
            words.push(Word { text: rest[..length].to_owned(), line: number + 1 });
            rest = rest[length..].trim_start();
        }
    }
    words
}

fn without_specifiers(words: Vec<Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::new();
    let mut depth = 0;
    for word in words {
        let opens = depth == 0 && kept.last().is_some_and(|last| REFLECTION.contains(&last.text.as_str()));
        match word.text.as_str() {
            "(" if opens || depth > 0 => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// Everything that the source declares: types, functions, members, variables, enumerators, macros.
pub(crate) fn declared(source: &Source) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = source.defined.iter().cloned().collect();
    for index in 0..source.words.len() {
        if declares_type(source, index) || declares_name(source, index) {
            names.insert(source.text(index).to_owned());
        }
        let word = source.text(index);
        let starts = ["DECLARE_", "DEFINE_", "BEGIN_DEFINE_", "IMPLEMENT_", "TRACE_DECLARE_", "CSV_"];
        if starts.iter().any(|start| word.starts_with(start)) {
            names.extend(declared_by_macro(source, index));
        }
        if word == "enum" {
            names.extend(enumerators(source, index));
        }
    }
    names
}

/// `class MY_API UMine :`, `struct FMine {`, `using FMine =`; not `class UTheirs;`.
fn declares_type(source: &Source, index: usize) -> bool {
    let before = source.before(index, 1);
    let keyword = if before.ends_with("_API") { source.before(index, 2) } else { before };
    match keyword {
        "class" | "struct" | "namespace" => matches!(source.text(index + 1), "{" | ":" | "final"),
        "using" => source.text(index + 1) == "=",
        _ => false,
    }
}

/// `Type Name`, `Type* Name`, `Type& Name`, `TType<...> Name`, and then what may follow a name that is
/// declared.
fn declares_name(source: &Source, index: usize) -> bool {
    if !matches!(source.text(index + 1), "(" | ";" | "=" | "{" | "," | ")" | "[" | ":") {
        return false;
    }
    let mut back = 1;
    while matches!(source.before(index, back), "*" | "&" | "&&") {
        back += 1;
    }
    let before = source.before(index, back);
    let is_name = before.starts_with(|c: char| c.is_ascii_alphabetic());
    if back == 1 {
        let others = [
            "return", "new", "delete", "else", "case", "goto", "using", "class", "struct", "operator",
            "throw",
        ];
        return before == ">" || (is_name && !others.contains(&before));
    }
    // `a && B(` declares nothing, `FType& B` does.
    before == ">" || is_type(before)
}

fn is_type(word: &str) -> bool {
    let mut letters = word.chars();
    let prefixed = letters.next().is_some_and(|c| "FUATEI".contains(c))
        && letters.next().is_some_and(|c| c.is_ascii_uppercase());
    let own = word.starts_with("netclock_");
    let builtin = ["auto", "bool", "double", "float", "char", "void", "const", "TCHAR"].contains(&word);
    prefixed || own || builtin || word.starts_with("int") || word.starts_with("uint")
}

/// The first argument, of a module the second; of dynamic delegates also the names of parameters, which
/// follow their types; of statistics the names of the counter and its group; of the CSV profiler the name of
/// the column.
fn declared_by_macro(source: &Source, index: usize) -> Vec<String> {
    let word = source.text(index);
    let mut depth = 0;
    let arguments: Vec<&str> = source.words[index + 1..]
        .iter()
        .map(|word| word.text.as_str())
        .take_while(|word| {
            // A TEXT() has parentheses of its own.
            depth += i32::from(*word == "(") - i32::from(*word == ")");
            *word != ";" && depth > 0
        })
        .collect();
    let arguments: Vec<&[&str]> = arguments.get(1..).unwrap_or_default().split(|word| *word == ",").collect();
    let dynamic = word.contains("DYNAMIC");
    let first = usize::from(word == "IMPLEMENT_MODULE");
    let own = |&(at, words): &(usize, &&[&str])| {
        let word = words.last().copied().unwrap_or_default();
        at == first
            || (at == 1 && source.text(index) == "CSV_CUSTOM_STAT")
            || (dynamic && at >= 2 && at % 2 == 0)
            || word.starts_with("STAT_")
            || word.starts_with("STATGROUP_")
    };
    let own = arguments.iter().enumerate().filter(own);
    own.filter_map(|(_, words)| words.last().map(|word| (*word).to_owned())).collect()
}

fn enumerators(source: &Source, index: usize) -> Vec<String> {
    let body = source.words[index..].iter().map(|word| word.text.as_str());
    let body: Vec<&str> =
        body.skip_while(|word| *word != "{" && *word != ";").take_while(|word| *word != "}").collect();
    // The type itself, before the brace.
    let head = source.words[index + 1..].iter().map(|word| word.text.clone());
    let head = head.take_while(|word| word != "{" && word != ";" && word != ":").last();
    let opened = body.first() == Some(&"{");
    let follow =
        body.windows(2).filter(|pair| pair[0] == "{" || pair[0] == ",").map(|pair| pair[1].to_owned());
    head.into_iter().filter(|_| opened).chain(follow).collect()
}
