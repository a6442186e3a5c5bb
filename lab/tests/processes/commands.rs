//! The commands from outside: exit codes, messages, and that results repeat.

use std::path::PathBuf;
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A recording of half a minute in a temporary directory, with round trips from `smallest_ms` up.
fn recording(name: &str, smallest_ms: u32) -> PathBuf {
    let path = std::env::temp_dir().join(format!("netclock-commands-{}-{name}.csv", std::process::id()));
    let mut lines = String::from("t_send_s,rtt_ms\n");
    for i in 0..30 {
        lines += &format!("{i},{}\n", smallest_ms + (i * 7) % 11);
    }
    std::fs::write(&path, lines).expect("the temporary directory is writable");
    path
}

#[test]
fn replay_keeps_its_promises() {
    let trace = recording("replay", 40);
    let run = || lab(&["replay", trace.to_str().expect("utf-8"), "--seconds", "60", "--json"]);
    let ended = run();
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(report["traces"][0]["bound_coverage"], 100.0);
    assert_eq!(report["traces"][0]["backward_steps"], 0);
    assert_eq!(ended.stdout, run().stdout, "same seed, same bytes");
}

#[test]
fn replay_reports_a_broken_promise() {
    // Round trips longer than the client takes for an answer: it never synchronises.
    let trace = recording("fault", 6000);
    let ended = lab(&["replay", trace.to_str().expect("utf-8")]);
    assert_eq!(ended.status.code(), Some(1), "{}", text(&ended.stdout));
    assert!(text(&ended.stdout).contains("FAULT"), "{}", text(&ended.stdout));
}

#[test]
fn bad_usage_says_what_to_do() {
    for (arguments, cure) in [
        (&["replay", "no/such.csv"][..], "give the path of a trace file"),
        (&["replay"], "Usage"),
        (&["dmeo"], "a similar subcommand exists: 'demo'"),
        (&["study", "bnech"], "a similar subcommand exists: 'bench'"),
        (&["study", "bench", "--scenario", "wfii"], "lab study bench --list"),
        (&["study", "bench", "--only", "netclok"], "there is no clock netclok"),
        (&["study", "bench", "--seeds", "0"], "give 1 to 1000"),
        (&["demo", "--report", "no/such/place/x.html"], "cannot write the report to no/such/place/x.html"),
        (&["sync", "127.0.0.1:1", "--record", "no/such/place/x.csv"], "cannot write no/such/place/x.csv"),
        (&["sync", "127.0.0.1:1", "--live", "127.0.0.1"], "give PORT for browsers on this machine"),
        (&["serve", "--start-every", "0"], "--start-every"),
    ] {
        let ended = lab(arguments);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        assert!(text(&ended.stderr).contains(cure), "{arguments:?}: {}", text(&ended.stderr));
    }
}

#[test]
fn help_has_the_commands_in_their_groups() {
    let said = text(&lab(&["--help"]).stdout);
    let names = [
        "Use:",
        "  demo ",
        "  export ",
        "Build against:",
        "  impair ",
        "  peer ",
        "Study (",
        "  bench ",
        "Options:",
    ];
    let places =
        names.map(|name| said.find(&format!("\n{name}")).unwrap_or_else(|| panic!("{name} in {said}")));
    assert!(places.is_sorted(), "{said}");
    assert!(!said.contains("child"), "{said}");
}

#[test]
fn a_live_page_whose_port_is_in_use_is_refused_with_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("it is bound").port().to_string();
    for command in [&["demo", "--live", &port][..], &["sync", "127.0.0.1:1", "--live", &port]] {
        let ended = lab(command);
        assert_eq!(ended.status.code(), Some(2), "{command:?}");
        let said = text(&ended.stderr);
        assert!(said.contains("give --live another port") && said.contains(&port), "{command:?}: {said}");
    }
}

/// A device that is full takes nothing. Who asked for a file learns that there is none.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let of_c = std::env::temp_dir().join(format!("netclock-full-{}.csv", std::process::id()));
    std::fs::write(&of_c, include_str!("../../../tests/c_abi/recording.csv")).expect("it is writable");
    let recording = of_c.to_str().expect("a name in UTF-8");
    let ended = lab(&["report", recording, "-o", "/dev/full"]);
    assert_eq!(ended.status.code(), Some(2));
    let said = text(&ended.stderr);
    assert!(said.contains("cannot write /dev/full"), "{said}");
}

#[test]
fn bench_repeats_byte_for_byte() {
    let run = || lab(&["study", "bench", "--scenario", "wifi", "--seconds", "40", "--seeds", "2", "--json"]);
    let (first, second) = (run(), run());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn bench_prints_the_tables_of_the_documentation() {
    let arguments =
        ["study", "bench", "--scenario", "lan", "--scenario", "wifi", "--seconds", "40", "--seeds", "1"];
    let ended = lab(&[&arguments[..], &["--markdown"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let tables = text(&ended.stdout);
    assert!(
        tables
            .lines()
            .filter(|line| !line.is_empty())
            .all(|line| line.starts_with("| ") || line.starts_with("|---"))
    );
    for row in ["| lan | ", "| wifi | ", "| netclock | ", "| oracle | "] {
        assert!(tables.contains(row), "{row} in {tables}");
    }
}

#[test]
fn timeline_keeps_its_promises_and_draws() {
    let picture = std::env::temp_dir().join(format!("netclock-commands-{}-world.html", std::process::id()));
    let picture = picture.to_str().expect("utf-8");
    let run = || lab(&["study", "timeline", "--seeds", "1", "--seed", "4", "--json", "--plot", picture]);
    let ended = run();
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stdout));
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    let of = |clock: &str| runs.iter().filter(|run| run["clock"] == clock).count();
    assert_eq!((of("netclock"), of("world_direct"), of("engine_push")), (4, 4, 4));
    let drawn = std::fs::read_to_string(picture).expect("the plot");
    for name in [
        "pause",
        "slow motion",
        "3.0 s frame",
        "new world",
        "prefers-color-scheme",
        "bound if nothing changed",
    ] {
        assert!(drawn.contains(name), "{name}");
    }
    assert_eq!(ended.stdout, run().stdout, "same seed, same bytes");
}

/// A server with a world and a client of it, by hand: without keys, and with a key on both sides.
#[test]
fn sync_shows_the_world_that_serve_has() {
    let file = std::env::temp_dir().join(format!("netclock-commands-{}-key", std::process::id()));
    std::fs::write(&file, "7 00112233445566778899aabbccddeeff\n")
        .expect("the temporary directory is writable");
    let keyed = ["--key-file", file.to_str().expect("utf-8")];
    std::thread::scope(|scope| {
        scope.spawn(|| shows_the_world(&[]));
        scope.spawn(|| shows_the_world(&keyed));
    });
    std::fs::remove_file(file).expect("it is there");
}

fn shows_the_world(key: &[&str]) {
    use std::io::{BufRead, BufReader};
    let mut server = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["serve", "--json", "--bind", "127.0.0.1:0", "--seconds", "20", "--world", "pause=0+1000"])
        .args(key)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut first = String::new();
    let mut lines = BufReader::new(server.stdout.take().expect("piped"));
    lines.read_line(&mut first).expect("a line");
    let serving: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(serving["world"], "pause=0+1000");
    let address = serving["address"].as_str().expect("an address");
    let ended = lab(&[&["sync", address, "--seconds", "2", "--json", "--world"], key].concat());
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let said = text(&ended.stdout);
    let mut readings = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let last = readings.rfind(|line| line["type"] == "reading").expect("a reading");
    let world = &last["world"];
    assert_eq!((world["rate"].as_f64(), world["world_time_s"].as_f64()), (Some(0.0), Some(0.0)), "{said}");
    assert!(world["bound_ms"].as_f64().is_some_and(|bound| bound > 0.0 && bound < 1_000.0), "{said}");
}
