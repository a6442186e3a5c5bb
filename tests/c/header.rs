//! The committed C header is the generated one, any C or C++ compiler takes it, and the C++ headers reach all of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::compiler::{Compiler, run, scratch};

const C: [&str; 3] = ["c99", "c11", "c17"];
const CPP: [&str; 2] = ["c++17", "c++20"];

/// The header as committed, line endings as git may have made them on this machine.
fn committed() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock/netclock.h");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("{}: {error}\nrun `cargo xtask header` to write the header", path.display())
    });
    text.replace("\r\n", "\n")
}

#[test]
fn committed_header_is_the_generated_one() {
    let generated = include_str!(env!("NETCLOCK_GENERATED_HEADER")).replace("\r\n", "\n");
    let committed = committed();
    let differing = committed.lines().zip(generated.lines()).position(|(old, new)| old != new);
    let line = 1 + differing.unwrap_or(committed.lines().count().min(generated.lines().count()));
    assert!(
        committed == generated,
        "include/netclock/netclock.h differs from what src/ffi says, from line {line} on\n  \
         committed: {}\n  generated: {}\nrun `cargo xtask header` and commit the result",
        committed.lines().nth(line - 1).unwrap_or("(end)"),
        generated.lines().nth(line - 1).unwrap_or("(end)"),
    );
}

#[test]
fn headers_compile_alone_and_twice() {
    // All compilers of the machine are asked anyway; where tools are required, a lone gcc is too few.
    crate::tools::present(&["clang", "clang++"]);
    let alone = |header: &str| format!("#include \"netclock/{header}\"\n");
    let netclock = alone("netclock.h");
    for standard in C {
        takes(standard, "netclock.h alone", &netclock);
        takes(standard, "netclock.h twice", &netclock.repeat(2));
    }
    for standard in CPP {
        takes(standard, "netclock.h alone", &netclock);
        for header in cpp_headers() {
            takes(standard, &format!("{header} alone"), &alone(&header));
        }
        let all = cpp_headers().iter().map(|header| alone(header)).collect::<String>() + &netclock;
        takes(standard, "every header twice", &all.repeat(2));
    }
}

#[test]
fn an_older_standard_of_cpp_is_refused_in_words() {
    for compiler in Compiler::all("c++14").into_iter().filter(|compiler| !compiler.is_msvc()) {
        for header in cpp_headers() {
            let dir = scratch(&format!("header-{header}-{}", compiler.name()));
            let source = dir.join("main.cpp");
            fs::write(&source, format!("#include \"netclock/{header}\"\nint main() {{ return 0; }}\n"))
                .expect("the scratch directory was just created");
            let failure =
                run(compiler.command().arg("-fsyntax-only").arg(&source)).expect_err("it is too old");
            let errors: Vec<&str> = failure.lines().filter(|line| line.contains("error: ")).collect();
            assert!(errors[0].contains("need C++17 or newer: compile with -std=c++17"), "{failure}");
            assert!(errors.len() == 2 && errors[1].contains("netclock/needs_cpp17"), "{failure}");
        }
    }
}

/// The names of the headers for C++.
fn cpp_headers() -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock");
    let entries = fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut headers: Vec<String> = names.filter(|name| name.ends_with(".hpp")).collect();
    headers.sort();
    assert!(headers.iter().any(|name| name == "netclock.hpp"), "{headers:?}");
    headers
}

/// Every compiler takes these includes: alone with exceptions, twice without.
fn takes(standard: &'static str, case: &str, includes: &str) {
    for compiler in Compiler::all(standard) {
        let dir = scratch(&format!("header-{}-{}", case.replace(' ', "-"), compiler.name()));
        let source = dir.join(if standard.starts_with("c++") { "main.cpp" } else { "main.c" });
        // A declaration of its own: an empty translation unit is not C.
        fs::write(&source, format!("{includes}int main(void) {{ return 0; }}\n"))
            .expect("the scratch directory was just created");

        let switches = if case.ends_with("twice") { compiler.without_exceptions() } else { &[] };
        let syntax_only = if compiler.is_msvc() { "/Zs" } else { "-fsyntax-only" };
        if let Err(failure) = run(compiler.command().args(switches).arg(syntax_only).arg(&source)) {
            panic!("{case} by {}:\n{failure}", compiler.name());
        }
    }
}

/// Misuse that the types of netclock.hpp are there to prevent: what the user wrote, and a word of the objection.
const MISUSE: [(&str, &str); 5] = [
    ("client.handle_reply({}, local);", "nodiscard"),
    ("client.tick(local);", "nodiscard"),
    ("netclock::client second{client};", "delete"),
    ("(void)client.read(server);", "conver"),
    ("(void)client.on_log(netclock::log_level::info, [](netclock::log_level, const char *) {});", "lvalue"),
];

#[test]
fn cpp_misuse_does_not_compile() {
    for compiler in Compiler::all("c++17") {
        if compiler.is_msvc() {
            // It objects in other words.
            continue;
        }
        let objection = |line: &str| {
            let dir = scratch(&format!("header-misuse-{}", compiler.name()));
            let source = dir.join("main.cpp");
            let text = format!(
                "#include \"netclock/netclock.hpp\"\nvoid use(netclock::client &, netclock::local_time, netclock::server_time);\n\
                 void use(netclock::client &client, netclock::local_time local, netclock::server_time server)\n\
                 {{\n    (void)client;\n    (void)local;\n    (void)server;\n    {line}\n}}\n"
            );
            fs::write(&source, text).expect("the scratch directory was just created");
            run(compiler.command().arg("-fsyntax-only").arg(&source)).err()
        };
        let right = objection("(void)client.read(local);");
        assert!(right.is_none(), "right use by {}:\n{right:?}", compiler.name());
        for (line, word) in MISUSE {
            let name = compiler.name();
            let said = objection(line).unwrap_or_else(|| panic!("{name} has no objection to {line}"));
            assert!(said.contains(word), "{name} objects to {line} for another reason:\n{said}");
        }
    }
}

/// A call with outputs, whose status is ignored.
const IGNORED: &str = "#include \"netclock/netclock.h\"\n\
    void use(netclock_client *client);\n\
    void use(netclock_client *client)\n{\n    int64_t time;\n    netclock_client_current_server_time(client, 0, &time);\n}\n";

#[test]
fn outputs_are_not_used_unseen() {
    for compiler in Compiler::all("c11") {
        if compiler.is_msvc() {
            // Before C23 it has no such warning.
            continue;
        }
        let objection = |name: &str, before: &str| {
            let source = scratch(&format!("header-{name}-{}", compiler.name())).join("main.c");
            fs::write(&source, format!("{before}{IGNORED}")).expect("the scratch directory was just created");
            run(compiler.command().arg("-c").arg("-o").arg(source.with_extension("o")).arg(&source)).err()
        };
        let said = objection("ignored", "").unwrap_or_else(|| panic!("{} lets it pass", compiler.name()));
        assert!(said.contains("unused-result"), "{} objects for another reason:\n{said}", compiler.name());
        let said = objection("ignored-on-purpose", "#define NETCLOCK_NODISCARD\n");
        assert_eq!(said, None, "{}", compiler.name());
    }
}

#[test]
fn each_call_with_outputs_says_so() {
    let header = committed();
    let code: String =
        header.lines().filter(|line| !line.trim_start().starts_with(['/', '*', '#'])).collect();
    let declarations =
        code.split(';').filter_map(|text| Some((text, text.split_once("netclock_status netclock_")?.1)));
    let mut marked = 0;
    for (declaration, call) in
        declarations.filter(|(text, _)| !text.contains("typedef") && !text.contains('{'))
    {
        let (name, parameters) = call.split_once('(').expect("a function has parameters");
        let is_handle = |(at, it): &(usize, &str)| {
            *at == 0 && it.contains("struct ") && !name.ends_with("_create") && name != "config_default"
        };
        let is_input = |it: &str| it.contains("const ") && !it.contains("**") || it.ends_with("user_data)");
        let filled = |it: &str| it.contains('*') && !is_input(it);
        let pointers = parameters.split(',').enumerate().filter(|(_, it)| filled(it));
        let outputs = pointers.filter(|it| !is_handle(it)).count();
        let is_asked = name.contains("_has_");
        let is_marked = declaration.contains("NETCLOCK_NODISCARD");
        assert_eq!(
            is_marked,
            outputs > 0 || is_asked,
            "netclock_{name}: #[must_use] is for calls with outputs"
        );
        marked += usize::from(is_marked);
    }
    assert!(marked > 50, "{marked} marked");
}

#[test]
fn every_c_function_and_status_is_used_by_the_cpp_headers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock");
    let read = |name: &String| {
        fs::read_to_string(dir.join(name)).unwrap_or_else(|error| panic!("include/netclock/{name}: {error}"))
    };
    let wrapper = cpp_headers().iter().map(read).collect::<Vec<_>>().join("\n");
    // In comments a name is used for nothing.
    let code: String = wrapper
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']))
        .collect::<Vec<_>>()
        .join("\n");
    let used: BTreeSet<&str> = words(&code).collect();

    let header = committed();
    let functions = header.lines().filter_map(declared_function);
    let constants = header.lines().filter_map(|line| line.strip_prefix("#define NETCLOCK_"));
    let constants =
        constants.filter_map(|rest| rest.split_once(' ')).map(|(name, _)| format!("NETCLOCK_{name}"));
    // These are for the preprocessor.
    let constants = constants
        .filter(|name| !name.starts_with("NETCLOCK_VERSION_") && name.as_str() != "NETCLOCK_NODISCARD");
    let names: Vec<String> = functions.map(str::to_owned).chain(constants).collect();
    assert!(names.iter().any(|name| name == "netclock_client_tick"), "no functions found in netclock.h");
    let missing: Vec<&String> = names.iter().filter(|name| !used.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "in netclock.h, but out of reach in C++: {missing:?}");
}

/// The name in `netclock_status netclock_client_tick(struct netclock_client *client,`.
fn declared_function(line: &str) -> Option<&str> {
    let (before, _) = line.split_once('(')?;
    let (kind, name) = before.rsplit_once([' ', '*'])?;
    let indented = line.starts_with([' ', '#', '/']);
    (!indented && !kind.starts_with("typedef") && name.starts_with("netclock_")).then_some(name)
}

/// cbindgen leaves out in silence what it cannot express: a constant computed by a
/// function, a function that is not `pub`, a type that no function mentions.
#[test]
fn everything_public_in_ffi_is_in_the_header() {
    let header = committed();
    let known: BTreeSet<&str> = words(&header).collect();
    let mut missing = Vec::new();
    for source in rust_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi")) {
        for line in source.lines().map(str::trim_start) {
            if let Some(name) = abi_name(line) {
                if !known.contains(name.as_str()) {
                    missing.push(name);
                }
            }
        }
    }
    assert!(missing.is_empty(), "declared in src/ffi, absent from include/netclock/netclock.h: {missing:?}");
}

#[test]
fn comments_are_for_c_readers() {
    for (number, line) in committed().lines().enumerate() {
        for markup in ["[`", "`]", "](", "# Safety", "crate::", "self::", "Self::"] {
            assert!(
                !line.contains(markup),
                "include/netclock/netclock.h:{}: {markup:?} means nothing to a C reader: {line}",
                number + 1
            );
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// The C name of what a line of `src/ffi` declares, if it is a part of the ABI.
fn abi_name(line: &str) -> Option<String> {
    if let Some((_, function)) = line.split_once("extern \"C\" fn ") {
        return words(function).next().filter(|name| name.starts_with("netclock_")).map(str::to_owned);
    }
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    let name = words(rest).next()?;
    match kind {
        "const" if name.starts_with("NETCLOCK_") => Some(name.to_owned()),
        "struct" | "enum" | "type" if name.starts_with("Netclock") => Some(snake_case(name)),
        _ => None,
    }
}

fn snake_case(name: &str) -> String {
    let spaced = name.chars().enumerate().flat_map(|(at, c)| {
        let underscore = (at > 0 && c.is_ascii_uppercase()).then_some('_');
        underscore.into_iter().chain([c.to_ascii_lowercase()])
    });
    spaced.collect()
}

fn rust_sources(dir: &Path) -> Vec<String> {
    let mut sources = Vec::new();
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
        if path.is_dir() {
            sources.extend(rust_sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path);
            sources.push(text.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
    sources
}
