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
fn replay_keeps_its_promises_and_draws() {
    let trace = recording("replay", 40);
    let picture = trace.with_extension("svg");
    let (trace, picture) = (trace.to_str().expect("utf-8"), picture.to_str().expect("utf-8"));
    let ended = lab(&["replay", trace, "--seconds", "60", "--json", "--plot", picture]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(report["traces"][0]["bound_coverage"], 100.0);
    assert_eq!(report["traces"][0]["backward_steps"], 0);
    assert!(std::fs::read_to_string(picture).expect("the plot").starts_with("<svg"));
    let again = lab(&["replay", trace, "--seconds", "60", "--json"]);
    assert_eq!(ended.stdout, again.stdout, "same seed, same bytes");
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
        (&["bench", "--scenario", "wfii"], "lab bench --list"),
        (&["bench", "--only", "netclok"], "there is no clock netclok"),
        (&["bench", "--seeds", "0"], "give 1 to 1000"),
    ] {
        let ended = lab(arguments);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        assert!(text(&ended.stderr).contains(cure), "{arguments:?}: {}", text(&ended.stderr));
    }
}

#[test]
fn bench_repeats_byte_for_byte() {
    let run = || lab(&["bench", "--scenario", "wifi", "--seconds", "40", "--seeds", "2", "--json"]);
    let (first, second) = (run(), run());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn bench_prints_the_tables_of_the_documentation() {
    let arguments = ["bench", "--scenario", "lan", "--scenario", "wifi", "--seconds", "40", "--seeds", "1"];
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
