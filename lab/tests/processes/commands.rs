//! Tests the exit codes and messages of the commands, and that repeated runs print the same results.

use std::process::Stdio;

use crate::support::{Ended, KEY, OF_C, Running, ended_with, file, lab, refused, run};

fn trace(name: &str, smallest_ms: u32) -> String {
    let lines = (0..30).map(|i| format!("{i},{}\n", smallest_ms + (i * 7) % 11));
    file(name, "t_send_s,rtt_ms\n".to_owned() + &lines.collect::<String>())
}

#[test]
fn a_broken_guarantee_on_a_trace_is_reported() {
    let bench = |trace: &str, code| {
        let ended =
            ended_with(code, &["study", "bench", "--trace", trace, "--only", "netclock", "--seconds", "60"]);
        ended.out
    };
    let said = bench(&trace("kept.csv", 40), 0);
    assert!(said.contains("100 %"), "{said}");
    assert!(!said.contains("FAULT"), "{said}");
    // All round trips exceed the client's limit, so the clock never synchronises.
    let said = bench(&trace("fault.csv", 6000), 1);
    assert!(said.contains("FAULT"), "{said}");
}

#[test]
fn usage_errors_explain_the_fix() {
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("the socket is bound").to_string();
    let recording = &file("usage.csv", OF_C);
    for (arguments, cure) in [
        (&["study", "bench", "--trace", "no/such.csv"][..], "give the path of a trace file"),
        (&["report", "no/such.csv"], "lab sync --record"),
        (&["report", recording, "--json", "--against", "sundial"], "unknown clock sundial"),
        (&["report", "no/such.csv", "-o", "x.html"], "cannot open no/such.csv"),
        (&["report", recording, "-o", "no/such/place/x.html"], "cannot write no/such/place/x.html"),
        (&["report", "-o", "x.html"], "<FILE>"),
        (&["report", "--scenario", "moon", "-o", "x.html"], "there is no scenario moon"),
        (&["report", "--scenario", "lan", "--with", "reboot@5", "--json"], "restart@S"),
        (&["report", "--scenario", "lan", "--seconds", "NaN", "--json"], "the range is 10 to 1000000"),
        (&["report", recording, "--from=-1"], "the range is 0 to 1000000000"),
        (&["report", recording, "--length", "NaN"], "the range is 0 to 1000000000"),
        (&["report", recording, "--seconds", "20", "--json"], "--scenario"),
        (&["dmeo"], "a similar subcommand exists: 'demo'"),
        (&["study", "bnech"], "a similar subcommand exists: 'bench'"),
        (&["study", "bench", "--scenario", "wfii"], "lab study bench --list"),
        (&["demo", "--seed", "-1"], "a seed is a whole number from 0 to 18446744073709551615"),
        (&["study", "bench", "--only", "netclok"], "there is no clock netclok"),
        (&["study", "bench", "--seeds", "0"], "1..=1000"),
        (&["demo", "--report", "no/such/place/x.html"], "cannot write the report to no/such/place/x.html"),
        (&["sync", "127.0.0.1:1", "--record", "no/such/place/x.csv"], "cannot write no/such/place/x.csv"),
        (&["demo", "--live", "127.0.0.1"], "give PORT for browsers on this machine"),
        (&["sync", "nowhere"], "nowhere"),
        (&["sync", "127.0.0.1:70000"], "70000"),
        (&["sync", "127.0.0.1:7117", "--seconds", "0"], "--seconds"),
        (&["serve", "--bind", &taken], &taken),
        (&["serve", "--bind", "7117"], "such as 0.0.0.0:7117 for everyone"),
        (&["impair", "--listen", "localhost", "--to", "127.0.0.1:7117"], "expected ADDR:PORT"),
        (&["impair", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:7117", "--up", "speed=3"], "speed"),
        (&["doctor", "nowhere"], "nowhere"),
        (&["doctor", "127.0.0.1:0"], "127.0.0.1:0"),
        (&["doctor", "127.0.0.1:7117", "--seconds", "0"], "--seconds"),
        (&["doctor"], "Usage"),
        #[cfg(target_os = "linux")]
        (&["report", recording, "-o", "/dev/full"], "cannot write /dev/full"),
    ] {
        refused(arguments, cure);
    }
}

/// Equivalent to `lab study bench --list | head -1`.
#[test]
fn a_command_ends_quietly_when_its_pipe_closes() {
    let recording = &file("pipe.csv", OF_C);
    for arguments in [
        &["study", "bench", "--list"][..],
        &["report", recording],
        &["report", recording, "--json"],
        &["serve", "--bind", "127.0.0.1:0", "--seconds", "20", "--json"],
        &["study", "timeline", "--seeds", "1", "--csv"],
        &["--help"],
    ] {
        let mut process =
            lab(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(process.stdout.take());
        let ended: Ended = process.wait_with_output().expect("it ends").into();
        assert_eq!((ended.code, &*ended.err), (Some(0), ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn long_studies_show_their_progress() {
    use std::io::Read;
    for (study, runs) in [
        ("bench --scenario lan --seconds 30 --seeds 1", 1),
        ("order --scenario lan --seconds 60 --seeds 2", 2),
        ("lead --scenario lan --seconds 60 --seeds 2", 2),
        ("latency --scenario lan --hours 0.1 --steps 1 --rate 1 --seeds 1", 1),
        ("start --rounds 2", 2),
        ("watch --hours 0.1 --seeds 1", 13),
        ("timeline --seeds 1", 4),
    ] {
        let Ok(terminal) = nix::pty::openpty(None, None) else {
            return crate::tools::skip("this machine has no pseudo-terminals");
        };
        let arguments: Vec<&str> = std::iter::once("study").chain(study.split(' ')).collect();
        let mut command = lab(&arguments);
        command.env_remove("NO_COLOR").env("TERM", "xterm").stdout(Stdio::null()).stderr(terminal.slave);
        let mut process = command.spawn().expect("it runs");
        // The terminal closes when no process has it open anymore.
        drop(command);
        let (mut said, mut screen) = (Vec::new(), std::fs::File::from(terminal.master));
        // Linux returns an error when a closed terminal is read.
        let _ = screen.read_to_end(&mut said);
        let said = String::from_utf8_lossy(&said);
        assert!(process.wait().expect("the process ends").success(), "{study}: {said}");
        assert!(said.contains(&format!("0/{runs} runs, ")), "{study}: {said}");
        let end = said.rsplit(" so far").next().unwrap_or_default();
        assert!(end.contains("\x1b[2K"), "{study}: the bar should be erased at the end: {end}");
    }
}

#[test]
fn help_names_the_command_as_it_was_typed() {
    let with = |cargo: Option<&str>, arguments: &[&str]| {
        let mut command = lab(arguments);
        match cargo {
            Some(path) => command.env("CARGO", path),
            None => command.env_remove("CARGO"),
        };
        Ended::from(command.output().expect("the binary starts"))
    };
    let demo = with(None, &["demo", "--help"]).out;
    assert!(demo.contains("Usage: lab demo") && demo.contains("from 6 to 3600"), "{demo}");
    assert!(with(Some("cargo"), &["demo", "--help"]).out.contains("Usage: cargo lab demo"));
    let unknown = &["study", "bench", "--scenario", "x"];
    assert!(with(Some("cargo"), unknown).err.contains("; cargo lab study bench --list shows all"));
    assert!(with(None, unknown).err.contains("; lab study bench --list shows all"));
}

#[test]
fn help_lists_the_commands_in_groups() {
    let said = run(&["--help"]).out;
    let names = "Use:|  demo |  export |Build against:|  impair |Study (|  bench |Options:";
    let names = names.split('|');
    let places =
        names.map(|name| said.find(&format!("\n{name}")).unwrap_or_else(|| panic!("{name} in {said}")));
    assert!(places.is_sorted(), "{said}");
    assert!(!said.contains("child"), "{said}");
}

#[test]
fn a_live_page_on_a_used_port_fails_with_advice() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("the socket is bound").port().to_string();
    let command = ["demo", "--live", &port];
    refused(&command, "use another port with --live");
    refused(&command, &port);
}

#[test]
fn bench_prints_the_documented_tables() {
    let scenarios = ["--scenario", "lan", "--scenario", "wifi"];
    let usual = ["study", "bench", "--seconds", "40", "--seeds", "1", "--csv"];
    let tables = ended_with(0, &[&usual[..], &scenarios].concat()).out;
    for table in tables.split("\n\n") {
        let cells = |line: &str| line.matches(',').count();
        assert!(table.trim_end().lines().all(|line| cells(line) == cells(table.lines().next().unwrap())));
    }
    for row in ["\nlan,", "\nwifi,", "\nnetclock,", "\noracle,"] {
        assert!(tables.contains(row), "{row} in {tables}");
    }
}

#[test]
fn timeline_keeps_its_guarantees() {
    let usual = ["study", "timeline", "--seeds", "1", "--seed", "4", "--json"];
    let ended = ended_with(0, &usual);
    let report = ended.json().expect("JSON");
    let rows = report["tables"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "two worlds over two links");
    assert_eq!(ended.out, ended_with(0, &usual).out, "the same seed should give the same output");
}

#[test]
fn sync_shows_the_world_of_serve() {
    let keyed = ["--key-file", &file("key-of-world", KEY)];
    std::thread::scope(|scope| {
        scope.spawn(|| shows_the_world(&[]));
        scope.spawn(|| shows_the_world(&keyed));
    });
}

fn shows_the_world(key: &[&str]) {
    let serve = ["serve", "--bind", "127.0.0.1:0", "--world"];
    let server = Running::server(&[&serve, key].concat()).expect("it serves");
    assert_eq!(server.first["world"], true);
    let sync = ["sync", &server.address, "--seconds", "2", "--json", "--world"];
    let ended = ended_with(0, &[&sync, key].concat());
    let lines = ended.lines().expect("JSON");
    let last = lines.iter().rfind(|line| line["type"] == "reading").expect("a reading");
    let world = &last["world"];
    let (bound, apart) = (world["bound_ms"].as_f64(), |ms: f64| {
        let [world, server] = [&world["world_time_s"], &last["server_time_s"]].map(|it| it.as_f64());
        world.zip(server).is_some_and(|(world, server)| 1e3 * (world - server).abs() <= ms)
    });
    assert!(bound.is_some_and(|bound| bound > 0.0 && bound < 1_000.0), "{last}");
    // The world does not pause before second 4.
    assert!(bound.is_some_and(apart), "{last}");
}
