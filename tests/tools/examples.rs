//! Runs the Rust examples from the quick start. The code blocks of the quick start must come from complete
//! programs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use netclock::keyed::SessionKey;
use netclock::link::sockets::{LinkServer, ServeConfig};
use netclock::{LocalTime, ServerTime};

use crate::compiler::run;
use crate::{cargo, ok, read, root};

const FIRST: [&str; 5] = [
    "link_client.rs",
    "c/link_client.c",
    "cpp/link_client.cpp",
    "python/link_client.py",
    "csharp/LinkClient.cs",
];
const PAGE: &str = "docs/quick-start.md";
/// An example must fit on two screens with 46 lines each.
const SCREEN: usize = 92;

#[test]
fn each_example_runs_and_fits_a_screen() {
    let files = fs::read_dir(root().join("examples"))
        .expect("it is there")
        .map(|entry| entry.expect("an entry").path());
    let page = read(PAGE);
    for name in FIRST {
        let lines = read(format!("examples/{name}")).lines().count();
        assert!(lines <= 30, "{name} has {lines} lines");
    }
    for file in files.filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
        // Region marks do not count as lines, because only the pages need them.
        let text = read(format!("examples/{name}.rs"));
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("// [")).count();
        assert!(lines <= SCREEN, "{name} has {lines} lines");
        assert!(page.contains(&format!("[`{name}`](../examples/{name}.rs)")), "{PAGE} lacks {name}");
        match name.as_str() {
            "server" => {}
            "client" if cfg!(windows) => {
                crate::tools::skip("on Windows, killing Cargo does not end its program")
            }
            "client" => client_and_server(),
            "link_client" => link_client(),
            _ => drop(ok(&mut example(&name))),
        }
    }
}

fn client_and_server() {
    let mut server = example("server").arg("0").stdout(Stdio::piped()).spawn().expect("cargo can be started");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the pipe can be read");
    let port = line.trim().strip_prefix("port ").unwrap_or_default();
    let printed = run(example("client").arg(format!("127.0.0.1:{port}")));
    server.kill().and_then(|()| server.wait()).expect("it runs until it is killed");
    let printed = printed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    assert!(printed.as_ref().is_ok_and(|printed| printed.contains("within")), "{line}{printed:?}");
}

fn link_client() {
    let to_server_time = |now: LocalTime| ServerTime::from_ticks(now.ticks());
    let server = LinkServer::serve(&ServeConfig::default(), 7, to_server_time).expect("a free port");
    let secret = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210_u128.to_be_bytes();
    server.admit(&SessionKey::new(1, secret).expect("a secret")).expect("there is room");
    let port = server.address().port().to_string();
    let printed = ok(example("link_client").args(["127.0.0.1", &port]));
    assert!(printed.starts_with("server time "), "{printed}");
}

/// On Unix, Cargo replaces itself with the program, so killing this process also kills the program.
fn example(name: &str) -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--example", name, "--"]);
    command
}
