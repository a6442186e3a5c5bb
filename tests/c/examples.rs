//! Compiles the programs in `examples` with strict warnings and checks that clients and servers agree on the
//! time over loopback.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use crate::compiler::{Compiler, run, scratch};
use crate::library::Library;

#[test]
fn clients_and_servers_agree_over_loopback() {
    if cfg!(not(unix)) {
        return crate::tools::skip("the examples use POSIX sockets");
    }
    let library = Library::get();
    let built = |source: &str| -> Vec<PathBuf> {
        let standard = if source.ends_with(".cpp") { "c++17" } else { "c99" };
        Compiler::all(standard).iter().map(|compiler| build(source, compiler, library)).collect()
    };
    let both = |name: &str| [format!("examples/c/{name}.c"), format!("examples/cpp/{name}.cpp")];
    for (server, clients) in
        [("examples/c/server.c", both("client")), ("examples/c/link_server.c", both("link_client"))]
    {
        let clients: Vec<PathBuf> = clients.iter().flat_map(|source| built(source)).collect();
        for server in built(server) {
            let mut server = Server::start(&server, library);
            let port = server.port();
            for client in &clients {
                let started = netclock::monotonic_now();
                let mut command = Command::new(client);
                library.lead(&mut command);
                let output =
                    run(command.args(["127.0.0.1", &port])).unwrap_or_else(|failure| panic!("{failure}"));
                judge(&String::from_utf8_lossy(&output.stdout), started);
            }
        }
    }
}

fn printed(source: &str, standard: &'static str) -> Vec<String> {
    let library = Library::get();
    let run_with = |compiler: &Compiler| {
        let mut command = Command::new(build(source, compiler, library));
        library.lead(&mut command);
        let output = run(&mut command).unwrap_or_else(|failure| panic!("{failure}"));
        String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
    };
    Compiler::all(standard).iter().map(run_with).collect()
}

#[test]
fn a_shot_is_judged() {
    for printed in printed("examples/c/order.c", "c99") {
        let expected = "hit boxes of 160.0 ms ago, his claim was moved\nboth hit (";
        assert!(printed.starts_with(expected), "{printed}");
    }
}

#[test]
fn the_clock_continues_when_a_player_becomes_the_host() {
    for printed in printed("examples/c/handover.c", "c99") {
        let expected = "the old clock is within 15.0 ms\nthe player goes on: no jump, the same epoch\n";
        assert_eq!(printed, expected);
    }
}

/// All processes read the same machine clock, so the test knows the true offset.
fn judge(printed: &str, started: netclock::LocalTime) {
    let numbers: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [first, bound_ms] = numbers[..] else { panic!("a client printed {printed:?}") };
    if printed.starts_with("server minus local") {
        assert!(first.abs() <= bound_ms, "the true offset is 0, but a client printed {printed:?}");
    } else {
        let seconds = |time: netclock::LocalTime| time.ticks() as f64 / 1e7;
        let (earliest, latest) = (seconds(started), seconds(netclock::monotonic_now()));
        let tolerance = bound_ms / 1e3 + 1e-6;
        assert!((earliest - tolerance..latest + tolerance).contains(&first), "a client printed {printed:?}");
    }
}

#[test]
fn a_first_program_reports_a_missing_server() {
    if cfg!(not(unix)) {
        return crate::tools::skip("the examples use POSIX sockets");
    }
    let library = Library::get();
    for (source, standard) in [("examples/c/link_client.c", "c99"), ("examples/cpp/link_client.cpp", "c++17")]
    {
        let compiler = &Compiler::all(standard)[0];
        let mut command = Command::new(build(source, compiler, library));
        library.lead(&mut command);
        // Nothing listens on the discard port.
        let output = command.args(["127.0.0.1", "9"]).output().expect("it was just built");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && printed.contains("no reply from"), "{source}: {printed}");
    }
}

/// The program runs two players on a relay, lets the primary leave, and checks its own results.
#[test]
fn peers_share_a_clock_through_a_relay() {
    if cfg!(not(unix)) {
        return crate::tools::skip("the examples use POSIX sockets");
    }
    for printed in printed("examples/cpp/peer.cpp", "c++17") {
        assert!(printed.contains("primaries: 2"), "{printed}");
    }
}

/// Several tests run the same program in parallel, so we build it only once.
pub(crate) fn build(source: &str, compiler: &Compiler, library: &Library) -> PathBuf {
    static PROGRAMS: Mutex<BTreeMap<String, Arc<OnceLock<PathBuf>>>> = Mutex::new(BTreeMap::new());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let directory = format!("examples-{name}-{}", compiler.name());
    let built = Arc::clone(PROGRAMS.lock().unwrap().entry(directory.clone()).or_default());
    let compile = || {
        let program = scratch(&directory).join("program");
        let mut command = compiler.command();
        command.args(compiler.without_exceptions()).arg(&source).arg("-o").arg(&program).arg(&library.shared);
        run(&mut command).unwrap_or_else(|failure| panic!("{failure}"));
        program
    };
    built.get_or_init(compile).clone()
}

pub(crate) struct Server(Child);

impl Server {
    pub(crate) fn start(program: &Path, library: &Library) -> Self {
        let mut command = Command::new(program);
        library.lead(&mut command);
        let child = command.arg("0").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        Server(child.unwrap_or_else(|error| panic!("{}: {error}", program.display())))
    }

    /// Reads the server's first line, such as `port 12345`.
    pub(crate) fn port(&mut self) -> String {
        let stdout = self.0.stdout.take().expect("the pipe is taken only once");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("the pipe can be read");
        let port = line.strip_prefix("port ").unwrap_or_else(|| panic!("a server printed {line:?}"));
        port.trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ignore errors, because the client's test fails anyway if the server has already exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_c_page_links_to_each_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/c-api.md")).expect("the page is there");
    for folder in ["examples/c", "examples/cpp"] {
        for file in root.join(folder).read_dir().expect("it is there") {
            let link =
                format!("](../{folder}/{})", file.expect("it was listed").file_name().to_string_lossy());
            assert!(page.contains(&link), "docs/c-api.md has no {link}");
        }
    }
}
