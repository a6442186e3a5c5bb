//! `lab report`: pages about recordings, and what is wrong with other files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Written by `recording.c`, which the library's own tests run.
const OF_C: &str = include_str!("../../../tests/c_abi/recording.csv");

fn lab(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("report").args(arguments).env("NO_COLOR", "1").output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("netclock-report-{}-{name}", std::process::id()))
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = temporary(name);
    std::fs::write(&path, content).expect("the temporary directory is writable");
    path
}

fn utf8(path: &Path) -> &str {
    path.to_str().expect("the temporary directory has a name in UTF-8")
}

/// The data of a page's charts.
fn data(html: &str) -> Option<Value> {
    let (_, data) = html.split_once("id=\"data\">")?;
    serde_json::from_str(data.split_once("</script>")?.0).ok()
}

#[test]
fn a_recording_becomes_a_page_with_the_values_of_the_json() -> Outcome {
    let (recording, page) = (file("c.csv", OF_C.as_bytes()), temporary("c.html"));
    let ended = lab(&[utf8(&recording), "-o", utf8(&page), "--json"]);
    assert_eq!(ended.status.code(), Some(0), "{}{}", text(&ended.stdout), text(&ended.stderr));
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    let html = std::fs::read_to_string(&page)?;
    assert_eq!(data(&html).ok_or("the page has data")?, report["page"]);
    // What the program made the server do: it started again.
    let kinds: Vec<&Value> = report["sessions"][0]["verdicts"]
        .as_array()
        .ok_or("verdicts")?
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, ["server_restart"], "{report:#}");
    assert!(html.contains("<title>Session report: "), "the page names what it is");
    assert!(html.contains("The server&#x27;s clock started again"), "the verdict is in the page as text");
    // Hindsight knows both runs of the server, so no error is as large as their distance.
    let charts = report["page"]["parts"][0]["blocks"].as_array().ok_or("blocks")?;
    let error = charts.iter().find(|it| it["content"]["id"] == "error").ok_or("a chart of errors")?;
    let curve =
        error["content"]["curves"].as_array().ok_or("curves")?.iter().find(|it| it["label"] == "error");
    let values = curve.ok_or("a curve of errors")?["y"].as_array().ok_or("values")?;
    let errors: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
    assert!(errors.len() > 50 && errors.iter().all(|error| error.abs() < 10.0), "{errors:?}");
    Ok(())
}

#[test]
fn several_sessions_become_one_page() -> Outcome {
    let (recording, page) = (file("twice.csv", OF_C.as_bytes()), temporary("twice.html"));
    let ended = lab(&[utf8(&recording), "--scenario", "lan", "--seconds", "20", "-o", utf8(&page)]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    let html = std::fs::read_to_string(&page)?;
    assert_eq!(html.matches("<section ").count(), 2);
    assert!(html.contains("Session report: 2 sessions"));
    Ok(())
}

#[test]
fn what_is_no_recording_is_refused_with_the_reason() {
    let nan = OF_C.replacen("0,", "NaN,", 1);
    let newer = OF_C.replace("recording 3", "recording 4");
    let cases: [(&str, &[u8], &str); 5] = [
        ("empty", b"", "the line that names the format is \"\""),
        ("foreign", b"\x89PNG\r\n\x1a\n\0\xff", "is no text"),
        ("delays", b"t_send_s,rtt_ms\n0,50\n", "it has to be \"# netclock recording 3\""),
        ("newer", newer.as_bytes(), "a newer NetClock made this recording (format 4)"),
        ("nan", nan.as_bytes(), "status is \"NaN\""),
    ];
    for (name, content, complaint) in cases {
        let (recording, page) = (file(name, content), temporary("refused.html"));
        let ended = lab(&[utf8(&recording), "-o", utf8(&page)]);
        let said = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(complaint) && said.contains(name), "{name}: {said}");
        assert!(!page.exists(), "{name}: a page was written");
    }
}

#[test]
fn bad_usage_is_refused_with_the_reason() {
    let recording = file("fine.csv", OF_C.as_bytes());
    for (arguments, complaint) in [
        (vec!["no/such.csv", "-o", "x.html"], "cannot open no/such.csv"),
        (vec![utf8(&recording), "-o", "no/such/place/x.html"], "cannot write no/such/place/x.html"),
        (vec![utf8(&recording)], "--output"),
        (vec!["-o", "x.html"], "<FILE.csv>"),
        (vec!["--scenario", "moon", "-o", "x.html"], "there is no scenario moon"),
        (vec!["--scenario", "lan", "--with", "reboot@5", "--json"], "restart@S"),
        (vec!["--scenario", "lan", "--seconds", "NaN", "--json"], "--seconds is NaN"),
        (vec![utf8(&recording), "--seconds", "20", "--json"], "--scenario"),
    ] {
        let ended = lab(&arguments);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        assert!(text(&ended.stderr).contains(complaint), "{arguments:?}: {}", text(&ended.stderr));
    }
}
