//! The examples in Rust run as the quick start says, and its calls are those of whole programs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cargo;
use crate::compiler::run;

const PAGE: &str = "docs/quick-start.md";
/// Lines of a screen.
const SCREEN: usize = 60;

#[test]
fn each_example_runs_and_fits_a_screen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("an entry").path());
    let page = read(PAGE);
    for file in files.filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let lines = read(&format!("examples/{name}.rs")).lines().count();
        assert!(lines <= SCREEN, "{name} has {lines} lines");
        assert!(page.contains(&format!("[`{name}`](../examples/{name}.rs)")), "{PAGE} lacks {name}");
        match name.as_str() {
            "server" => {}
            "client" if cfg!(windows) => crate::tools::skip("there, ending Cargo does not end its program"),
            "client" => client_and_server(),
            _ => drop(run(&mut example(&name)).unwrap_or_else(|failure| panic!("{name}: {failure}"))),
        }
    }
}

fn client_and_server() {
    let mut server = example("server").arg("0").stdout(Stdio::piped()).spawn().expect("cargo can be started");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the pipe can be read");
    let port = line.trim().strip_prefix("port ").unwrap_or_default();
    let said = run(example("client").arg(format!("127.0.0.1:{port}")));
    server.kill().and_then(|()| server.wait()).expect("it runs until it is killed");
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    // Both read the same clock, so that the offset is 0.
    assert!(said.as_ref().is_ok_and(|said| said.contains("within")), "{line}{said:?}");
}

/// As the quick start says. Cargo runs the program in its own process on Unix, so that it can be killed.
fn example(name: &str) -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--example", name, "--"]);
    command
}

#[test]
fn the_calls_of_the_quick_start_are_those_of_programs() {
    let page = read(PAGE);
    let mut parts = page.split("```");
    let mut checked = 0;
    while let (Some(before), Some(code)) = (parts.next(), parts.next()) {
        let (language, code) = code.split_once('\n').expect("a block has a language and lines");
        if ["c", "cpp", "csharp", "python", "rust"].contains(&language) {
            let (_, link) = before.rsplit_once("](../").expect("a link is before each block of calls");
            let (file, _) = link.split_once(')').expect("a link ends");
            let program = read(file);
            for line in code.lines() {
                assert!(program.lines().any(|it| it == line), "{file} has no line `{line}`");
                checked += 1;
            }
        }
    }
    assert!(checked > 15, "only {checked} lines of {PAGE} are calls");
}

/// A text of the repository, with the ends of lines that git has.
fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}
