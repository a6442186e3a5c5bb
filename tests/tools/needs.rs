//! Tests ask for tools and rights only through `tests/support/tools.rs`. Any other way would end a test early
//! without a message.

use std::fs;
use std::path::Path;

use crate::rooms::rust_files;

/// Folders with tests. In `src`, only the files that contain nothing but tests.
const FOLDERS: [&str; 4] = ["tests", "lab/tests", "fuzz/tests", "src"];
/// Programs and their packages, which `.ci/run` installs.
const TOOLS: &str = include_str!("../support/tools.txt");
/// A program that every POSIX system has.
const SHELL: &str = "sh";

#[test]
fn tests_ask_for_tools_and_rights_in_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    let files = FOLDERS.iter().flat_map(|folder| rust_files(&root.join(folder)));
    for path in files.filter(|path| !path.ends_with("support/tools.rs")) {
        let place = path.strip_prefix(root).expect("it is below the root").display().to_string();
        let text = fs::read_to_string(&path).expect("a source can be read");
        if !place.starts_with("src") || place.contains("tests") {
            wrong.extend(other_ways(&text).iter().map(|it| format!("{place}:{it}")));
        }
    }
    assert!(wrong.is_empty(), "ask tools::present, tools::missing or tools::skip:\n{}", wrong.join("\n"));
}

/// Each line that starts a program or ends a test without having asked.
fn other_ways(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let helpers = asking_functions(&lines);
    let asks = |line: &str| {
        line.contains("tools::") || line.contains("present(") || helpers.iter().any(|it| line.contains(it))
    };
    let mut wrong = Vec::new();
    let mut in_test = false;
    for (at, line) in lines.iter().enumerate() {
        in_test = (in_test || line.trim() == "#[test]") && *line != "}";
        let program = line.split_once("Command::new(\"").and_then(|rest| rest.1.split_once('"'));
        let is_unasked = program.is_some_and(|(name, _)| {
            let quoted = format!("\"{name}\"");
            let is_asked = lines.iter().any(|it| it.contains("present(") && it.contains(&quoted));
            name != SHELL && !(is_asked && TOOLS.lines().any(|it| it.split(' ').next() == Some(name)))
        });
        let indent = |line: &str| line.len() - line.trim_start().len();
        let ends = ["return;", "return Ok(());", "return println!", "return eprintln!"];
        let is_early = in_test && ends.iter().any(|it| line.trim_start().starts_with(it)) && {
            let before = lines[..=at].iter().rev();
            let condition = |it: &&&str| it.trim().is_empty() || indent(it) >= indent(line);
            let block: Vec<_> = before.clone().take_while(condition).collect();
            let opening = before.clone().find(|it| !condition(it));
            !block.into_iter().chain(opening).any(|it| asks(it))
        };
        if is_unasked || is_early {
            wrong.push(format!("{}: {}", at + 1, line.trim()));
        }
    }
    wrong
}

/// Calls of the functions in this file that ask: `name(`.
fn asking_functions(lines: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut current = None;
    for line in lines {
        let declared = line.trim_start_matches("pub(crate) ").strip_prefix("fn ");
        if let Some((name, _)) = declared.and_then(|rest| rest.split_once('(')) {
            current = Some(format!("{name}("));
        }
        if line.contains("tools::") || line.contains("present(") {
            names.extend(current.clone());
        }
    }
    names
}

#[test]
fn other_ways_are_found() {
    for (body, is_wrong) in [
        ("    if !crate::tools::present(&[\"ip\"]) {\n        return;\n    }", false),
        ("    if !may() {\n        return;\n    }", false),
        ("    if !Path::new(\"/dev/net/tun\").exists() {\n        return Ok(());\n    }", true),
        ("    if !is_root() {\n        return println!(\"skipped: no root\");\n    }", true),
        ("    Command::new(\"kill\").arg(\"1\");", true),
        ("    let values = || {\n        tools::skip(\"x\");\n        return 1;\n    };", false),
    ] {
        let helper = "fn may() -> bool {\n    tools::present(&[\"ip\"])\n}\n";
        let text = format!("{helper}#[test]\nfn a() {{\n{body}\n}}\n");
        assert_eq!(!other_ways(&text).is_empty(), is_wrong, "{body}");
    }
}
