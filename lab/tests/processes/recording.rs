//! Recordings: what a C program wrote from its tap, what `lab sync` records, and what is wrong with others.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Written by `recording.c`, which the library's own tests run.
const OF_C: &str = include_str!("../../../tests/c_abi/recording.csv");

fn lab(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("NO_COLOR", "1").output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("netclock-recording-{}-{name}", std::process::id()))
}

/// A recording of this content.
fn file(name: &str, content: &str) -> PathBuf {
    let path = temporary(name);
    std::fs::write(&path, content).expect("the temporary directory is writable");
    path
}

fn utf8(path: &Path) -> &str {
    path.to_str().expect("the temporary directory has a name in UTF-8")
}

#[test]
fn the_recording_of_a_c_program_ends_as_it_did_there() -> Outcome {
    let recording = file("c.csv", OF_C);
    let ended = lab(&["replay", "--recording", utf8(&recording), "--json"]);
    assert_eq!(ended.status.code(), Some(0), "{}{}", text(&ended.stdout), text(&ended.stderr));
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!(report["differing"], Value::Array(Vec::new()));
    assert_eq!(
        (&report["exchanges"], &report["accepted"], &report["left_out"]),
        (&60.into(), &57.into(), &1.into())
    );
    // An hour ahead at 30 ppm, then started anew at 40 s: what the program made the server do.
    let points = report["points"].as_array().ok_or("no points")?;
    for point in points {
        let seconds = point["seconds"].as_f64().ok_or("no time")?;
        let epoch = point["epoch"].as_u64().ok_or("no epoch")?;
        let since_start_ms = if epoch == 1 { 3_600_000.0 } else { -40_000.0 };
        let error = point["offset_ms"].as_f64().ok_or("no offset")? - since_start_ms - seconds * 0.030;
        assert!(error.abs() < 3.0, "{point}");
    }
    assert_eq!(points.last().map(|last| &last["epoch"]), Some(&2.into()));
    let table = text(&lab(&["replay", "--recording", utf8(&recording)]).stdout);
    assert!(
        table.contains("60 exchanges, 57 accepted, 1 left out (no known request), 0 with another outcome")
    );
    Ok(())
}

#[test]
fn other_settings_and_clocks_get_the_same_exchanges() -> Outcome {
    let recording = file("what-if.csv", OF_C);
    let asked = ["replay", "--recording", utf8(&recording), "--set", "max_slew=0.5", "--against", "one_shot"];
    let ended = lab(&[&asked[..], &["--json"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    let names: Vec<&Value> =
        report["side_by_side"].as_array().ok_or("no clocks")?.iter().map(|clock| &clock["name"]).collect();
    assert_eq!(names, ["netclock", "max_slew=0.5", "one_shot"]);
    let table = text(&lab(&asked).stdout);
    assert!(table.contains("max_slew=0.5") && table.contains("by hindsight"), "{table}");
    for (option, value, complaint) in [
        ("--set", "speed=1", "there is no setting speed"),
        ("--set", "max_slew=7", "max_slew"),
        ("--set", "client_frame=16", "write a time such as 16.7ms"),
        ("--against", "sundial", "there is no clock sundial"),
    ] {
        let ended = lab(&["replay", "--recording", utf8(&recording), option, value]);
        assert_eq!(ended.status.code(), Some(2), "{value}");
        assert!(text(&ended.stderr).contains(complaint), "{value}: {}", text(&ended.stderr));
    }
    let ended = lab(&["replay", "some.csv", "--against", "one_shot"]);
    assert!(text(&ended.stderr).contains("--recording"), "{}", text(&ended.stderr));
    Ok(())
}

#[test]
fn another_outcome_is_reported_with_its_line() {
    let changed: Vec<String> = OF_C
        .lines()
        .enumerate()
        .map(|(at, line)| match line.strip_prefix("0,") {
            Some(rest) if at == 11 => format!("-105,{rest}"),
            _ => line.to_owned(),
        })
        .collect();
    let recording = file("changed.csv", &(changed.join("\n") + "\n"));
    let ended = lab(&["replay", "--recording", utf8(&recording)]);
    assert_eq!(ended.status.code(), Some(1));
    let said = text(&ended.stdout);
    assert!(said.contains("line 12: recorded NETCLOCK_TOO_SLOW, now NETCLOCK_OK"), "{said}");
    assert!(said.contains("1 with another outcome than recorded"), "{said}");
}

#[test]
fn a_malformed_recording_is_refused_with_the_line() {
    for (name, content, complaint) in [
        ("version", OF_C.replace("recording 3", "recording 9"), ":1: a newer NetClock made this recording"),
        ("columns", OF_C.replace("status,id", "id,status"), ":2: the line that names the columns"),
        ("number", OF_C.replacen("0,", "zero,", 1), ":3: status is \"zero\""),
        ("empty", String::new(), ":1: "),
    ] {
        let recording = file(name, &content);
        let ended = lab(&["replay", "--recording", utf8(&recording)]);
        assert_eq!(ended.status.code(), Some(2), "{name}");
        let said = text(&ended.stderr);
        assert!(said.contains(&format!("{name}{complaint}")), "{name}: {said}");
    }
    let ended = lab(&["replay", "--recording", "no/such.csv"]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(text(&ended.stderr).contains("lab sync --record"), "{}", text(&ended.stderr));
}

#[test]
fn a_recording_that_was_cut_off_loses_only_its_last_line() -> Outcome {
    let recording = file("cut.csv", &OF_C[..OF_C.len() - 4]);
    let ended = lab(&["replay", "--recording", utf8(&recording), "--json"]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!((&report["exchanges"], &report["accepted"]), (&59.into(), &56.into()));
    assert!(
        text(&ended.stderr).contains("cut.csv:66: the last line does not end"),
        "{}",
        text(&ended.stderr)
    );
    Ok(())
}

#[test]
fn what_sync_records_is_replayed_alike() -> Outcome {
    let mut server = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["serve", "--bind", "127.0.0.1:0", "--json", "--with-parent", "--world", "--start-every", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut first = String::new();
    let mut output = BufReader::new(server.stdout.take().ok_or("no output")?);
    output.read_line(&mut first)?;
    let started: Value = serde_json::from_str(&first)?;
    let address = started["address"].as_str().ok_or("no address")?;

    let recording = temporary("sync.csv");
    let followed = lab(&[
        "sync",
        address,
        "--seconds",
        "4",
        "--world",
        "--start",
        "--json",
        "--record",
        utf8(&recording),
    ]);
    drop(server.stdin.take());
    output.read_to_string(&mut first)?;
    assert!(server.wait()?.success());
    assert_eq!(followed.status.code(), Some(0), "{}", text(&followed.stderr));
    let summary: Value = serde_json::from_str(text(&followed.stdout).lines().last().ok_or("no summary")?)?;

    let written = std::fs::read_to_string(&recording)?;
    assert!(written.contains("\nauthority,") && written.contains("\nsegment,"), "{written}");
    // Server and client agreed on a start, which the client made and the report tells.
    let told = |text: &str, name: &str| -> Option<Value> {
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .find(|value: &Value| value["type"] == name)
    };
    let scheduled = told(&first, "start_scheduled").ok_or("no start")?;
    let ended = told(&first, "start_ended").ok_or("no results of a start")?;
    assert_eq!((&scheduled["ready"], &scheduled["left_behind"]), (&1.into(), &0.into()), "{first}");
    assert_eq!((&ended["counted"], &ended["started"]), (&1.into(), &1.into()), "{first}");
    let at = scheduled["at_s"].as_f64().ok_or("no time")?;
    let line = written.lines().find(|line| line.starts_with("start,")).ok_or("no start was recorded")?;
    let ticks: f64 = line.rsplit(',').next().ok_or("no time")?.parse()?;
    assert_eq!((ticks / 1e7 * 1e3).round(), (at * 1e3).round(), "{line}");
    let followed = text(&followed.stdout);
    assert!(followed.contains("start_announced") && followed.contains("\"started\""), "{followed}");
    let report = lab(&["report", utf8(&recording), "--json"]);
    assert!(text(&report.stdout).contains(&format!("start 1 is at server time {at:.3} s")), "{line}");

    let replayed = lab(&["replay", "--recording", utf8(&recording), "--json"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed.stdout));
    let report: Value = serde_json::from_slice(&replayed.stdout)?;
    assert_eq!(report["accepted"], summary["traffic"]["replies"]);
    assert_eq!(
        report["points"].as_array().map(Vec::len),
        report["accepted"].as_u64().map(|count| count as usize)
    );
    Ok(())
}
