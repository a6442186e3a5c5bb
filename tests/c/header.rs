//! Tests that all compilers accept the C and C++ headers, and that the C++ API wraps the whole C API.

use std::collections::BTreeSet;
use std::fs;

use crate::abi_data::{ABI, Kind, headers};
use crate::compiler::{Compiler, run, scratch};

const C: [&str; 3] = ["c99", "c11", "c17"];
const CPP: [&str; 2] = ["c++17", "c++20"];

fn read(name: &str) -> String {
    let text = fs::read_to_string(crate::committed().join(name));
    text.unwrap_or_else(|error| panic!("{name}: {error}")).replace("\r\n", "\n")
}

fn cpp_headers() -> Vec<String> {
    let entries = fs::read_dir(crate::committed()).expect("it is committed");
    let names = entries.filter_map(|entry| entry.expect("it was listed").file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".hpp")).collect();
    names.sort();
    names
}

/// A newcomer should be able to read netclock.h in ten minutes.
#[test]
fn the_clocks_header_is_short() {
    let lines = read("netclock.h").lines().count();
    let functions = |is_in: fn(&str) -> bool| {
        ABI.iter().filter(|it| is_in(it.header) && matches!(it.kind, Kind::Function { .. })).count()
    };
    let (of_the_clock, all) = (functions(|header| header == "netclock.h"), functions(|_| true));
    assert!(lines <= 900 && of_the_clock <= 28, "{lines} lines, {of_the_clock} functions");
    assert!(headers().len() <= 8 && all <= 115, "{} headers, {all} functions", headers().len());
}

#[test]
fn headers_compile_alone_and_twice() {
    // In CI, a missing clang is an error.
    crate::tools::present(&["clang", "clang++"]);
    let alone = |header: &str| format!("#include \"netclock/{header}\"\n");
    let c = headers();
    let cpp = cpp_headers();
    for header in &c {
        takes(C[0], &format!("{header} alone"), &alone(header));
    }
    // Including a C++ header also includes its types header and its C header.
    for header in cpp.iter().filter(|header| !header.ends_with("_types.hpp")) {
        let first = header.replace(".hpp", "_types.hpp");
        if cpp.contains(&first) {
            let text = read(header);
            let include = text.lines().find(|line| line.starts_with("#include"));
            assert_eq!(
                include,
                Some(&*format!("#include \"netclock/{first}\"")),
                "the first include of {header}"
            );
        }
        takes(CPP[0], &format!("{header} alone"), &alone(header));
    }
    // Including the headers in both orders shows that no header depends on an earlier header.
    let all: String = c.iter().chain(c.iter().rev()).map(|it| alone(it)).collect();
    for standard in C {
        takes(standard, "every C header twice", &all);
    }
    let all = cpp.iter().chain(cpp.iter().rev()).map(|it| alone(it)).collect::<String>() + &all;
    for standard in CPP {
        takes(standard, "every header twice", &all);
    }
}

/// cbindgen has its own parser for `src/ffi`. Compilation fails if the prototypes that cbindgen writes
/// conflict with the header's.
#[test]
fn cbindgen_writes_the_same_prototypes() {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        no_includes: true,
        usize_is_size_t: true,
        ..cbindgen::Config::default()
    };
    config.parse.parse_deps = false;
    config.export.item_types = vec![cbindgen::ItemType::Functions];
    config.export.rename = ABI.iter().map(|item| (camel_case(item.name), item.name.to_owned())).collect();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ffi/mod.rs");
    let generated = cbindgen::Builder::new().with_config(config).with_src(root).generate();
    let mut text = Vec::new();
    generated.expect("src/ffi can be read").write(&mut text);
    let prototypes = String::from_utf8(text).expect("C is ASCII");
    for item in ABI.iter().filter(|item| matches!(item.kind, Kind::Function { .. })) {
        assert!(prototypes.contains(&format!("{}(", item.name)), "{} is not in\n{prototypes}", item.name);
    }
    let includes: String = headers().iter().map(|it| format!("#include \"netclock/{it}\"\n")).collect();
    takes("c11", "cbindgen's prototypes", &(includes + &prototypes));
}

fn camel_case(name: &str) -> String {
    let words = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

#[test]
fn an_older_cpp_standard_is_rejected_with_a_message() {
    for compiler in Compiler::all("c++14").into_iter().filter(|compiler| !compiler.is_msvc()) {
        for header in ["netclock.hpp", "netclock_time.hpp"] {
            let text = format!("#include \"netclock/{header}\"\nint main() {{ return 0; }}\n");
            let failure = objection(&compiler, header, SYNTAX, &text).expect("the standard is too old");
            let errors: Vec<&str> = failure.lines().filter(|line| line.contains("error: ")).collect();
            assert!(errors[0].contains("need C++17 or newer: compile with -std=c++17"), "{failure}");
            assert!(errors.len() == 2 && errors[1].contains("netclock/needs_cpp17"), "{failure}");
        }
    }
}

/// With every compiler, includes the headers twice and disables exceptions. To save time, only the default
/// compiler includes each header alone, with exceptions enabled.
fn takes(standard: &'static str, case: &str, includes: &str) {
    let count = if case.ends_with("alone") { 1 } else { usize::MAX };
    for compiler in Compiler::all(standard).into_iter().take(count) {
        let exceptions = if case.ends_with("twice") { compiler.without_exceptions() } else { &[] };
        let syntax = if compiler.is_msvc() { &["/Zs"] } else { SYNTAX };
        let text = format!("{includes}int main(void) {{ return 0; }}\n");
        let failure = objection(&compiler, case, &[exceptions, syntax].concat(), &text);
        assert_eq!(failure, None, "{} rejects {case}", compiler.name());
    }
}

const SYNTAX: &[&str] = &["-fsyntax-only"];

fn objection(compiler: &Compiler, case: &str, switches: &[&str], text: &str) -> Option<String> {
    let name = compiler.name();
    let dir = scratch(&format!("header-{}-{name}", case.replace(' ', "-")));
    let source = dir.join(if name.contains("c++") { "main.cpp" } else { "main.c" });
    fs::write(&source, text).expect("the scratch directory was just created");
    run(compiler.command().current_dir(dir).args(switches).arg(source)).err()
}

/// Each row contains a mistake that the types in netclock.hpp prevent, and a word from the resulting compiler
/// error.
const MISUSE: [(&str, &str); 4] = [
    ("client.handle_reply({}, local);", "nodiscard"),
    ("client.tick(local);", "nodiscard"),
    ("netclock::client second{client};", "delete"),
    ("(void)client.read(server);", "conver"),
];

#[test]
fn cpp_misuse_does_not_compile() {
    // MSVC phrases its errors differently.
    for compiler in Compiler::all("c++17").into_iter().filter(|compiler| !compiler.is_msvc()) {
        let objections = |lines: &[&str]| {
            let uses = lines.iter().enumerate().map(|(at, line)| {
                format!(
                    "void use_{at}(netclock::client &client, netclock::local_time local,\n\
                     netclock::server_time server)\n\
                     {{ (void)client; (void)local; (void)server; {line} }}\n"
                )
            });
            let text = "#include \"netclock/netclock_saved.hpp\"\n".to_owned() + &uses.collect::<String>();
            objection(&compiler, "misuse", SYNTAX, &text)
        };
        let name = compiler.name();
        assert_eq!(objections(&["(void)client.read(local);"]), None, "{name} rejects correct code");
        let printed = objections(&MISUSE.map(|(line, _)| line)).expect("every line is wrong");
        for (at, (line, word)) in MISUSE.iter().enumerate() {
            // Each mistake is on the last of three lines, but some compilers report it one line later.
            let (_, told) = printed.split_once(&format!("main.cpp:{}:", 4 + 3 * at)).unwrap_or_default();
            let objection = told.split("error: ").nth(1).unwrap_or_default();
            assert!(objection.contains(word), "{name} on {line}, {word}:\n{printed}");
        }
    }
}

const IGNORED: &str = "#include \"netclock/netclock.h\"\n\
    void use(netclock_client *client);\n\
    void use(netclock_client *client)\n{\n    int64_t time;\n\
         netclock_client_current_server_time(client, 0, &time);\n}\n";

#[test]
fn compilers_warn_about_ignored_statuses() {
    for compiler in Compiler::all("c11") {
        if compiler.is_msvc() {
            continue;
        }
        // Compilers don't emit this warning with -fsyntax-only.
        let with = |case, before: &str| objection(&compiler, case, &["-c"], &format!("{before}{IGNORED}"));
        let printed = with("ignored", "").unwrap_or_else(|| panic!("{} accepts it", compiler.name()));
        assert!(printed.contains("unused-result"), "{} reports something else:\n{printed}", compiler.name());
        let printed = with("ignored-on-purpose", "#define NETCLOCK_NODISCARD\n");
        assert_eq!(printed, None, "{}", compiler.name());
    }
}

#[test]
fn every_c_function_and_constant_is_used_by_the_cpp_headers() {
    let wrapper: String = cpp_headers().iter().map(|name| read(name)).collect();
    let code: String = wrapper
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']))
        .collect::<Vec<_>>()
        .join("\n");
    let used: BTreeSet<&str> = words(&code).collect();
    let is_missing = |name: &str, kind: &Kind| match kind {
        // The C++ headers include only some of the C headers, so they define all status values themselves.
        Kind::Constant { number, is_status: true } => {
            let name = name.trim_start_matches("NETCLOCK_").to_lowercase();
            !code.contains(&format!(" {name} = {number},"))
        }
        Kind::Constant { .. } | Kind::Function { .. } => !used.contains(name),
        _ => false,
    };
    let missing: Vec<&str> =
        ABI.iter().filter(|item| is_missing(item.name, &item.kind)).map(|item| item.name).collect();
    assert!(ABI.iter().any(|item| item.name == "netclock_client_tick"), "no functions found");
    assert!(missing.is_empty(), "declared in C, but not available in C++: {missing:?}");
}

#[test]
fn c_comments_contain_no_rust_markup() {
    for name in headers() {
        for (number, line) in read(name).lines().enumerate() {
            for markup in ["[`", "`]", "](", "# Safety", "crate::", "self::", "Self::"] {
                assert!(!line.contains(markup), "{name}:{}: {markup:?} is Rust markup: {line}", number + 1);
            }
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
