//! `lab export --perfetto`: a trace that can be read with Perfetto's own schema.

use std::process::Command;

use serde_json::Value;

use crate::support::{Ended, OF_C, Outcome, ended_with, file, run, temporary};
use crate::tools;

/// Reads a trace with the published schema, and prints its contents.
const READER: &str = include_str!("perfetto.py");

fn export(recordings: &[&str], trace: &str) -> Ended {
    run(&[&["export"], recordings, &["--perfetto", trace]].concat())
}

/// The Python interpreter that has Perfetto's package, or `None`.
fn python() -> Option<String> {
    let python = std::env::var("NETCLOCK_PERFETTO_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has =
        Command::new(&python).args(["-c", "import perfetto"]).output().is_ok_and(|it| it.status.success());
    has.then_some(python)
}

#[test]
#[ignore = "needs PyPI's perfetto; .ci/run runs it"]
fn perfetto_reads_the_trace() -> Outcome {
    let Some(python) = python() else {
        tools::missing("no perfetto: install PyPI's perfetto");
        return Ok(());
    };
    // The same session on a machine whose clock has a different origin.
    let (one, other) = (file("one.csv", OF_C), file("other.csv", shifted(OF_C, 7_777_777)));
    let trace = temporary("both.pftrace");
    ended_with(0, &["export", &one, &other, "--perfetto", &trace]);
    let read = Command::new(python).args(["-c", READER]).arg(&trace).output()?;
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let found: Value = serde_json::from_slice(&read.stdout)?;
    assert_eq!(found["unknown"], 0, "fields that the schema does not know: {found:#}");
    let names = found["processes"].as_array().ok_or("processes")?;
    assert_eq!(names.len(), 3, "{found:#}");
    // In each of the two recordings, 59 of 60 exchanges have four timestamps.
    assert_eq!(found["flows"], 2 * 59, "{found:#}");
    assert_eq!(found["stamps"], 2 * 59 * 4, "{found:#}");
    // By the same clock, nothing arrives before it was sent. The exception is the refused contradiction, in
    // which a timestamp is wrong by a second.
    assert_eq!(found["backwards"], 2, "{found:#}");
    assert_eq!(found["apart_ns"].as_f64().map(|ns| ns < 1_000.0), Some(true), "{found:#}");
    assert!(found["counters"]["error bound"].as_u64() > Some(100), "{found:#}");
    let events = found["events"].as_array().ok_or("events")?;
    assert!(events.contains(&"server_restart".into()), "{found:#}");
    Ok(())
}

/// A copy of the recording with the local clock ahead by this many ticks.
fn shifted(recording: &str, ticks: i64) -> String {
    let shift = |line: &str| {
        let mut values: Vec<i128> = line.split(',').filter_map(|value| value.parse().ok()).collect();
        if values.len() != 10 || values[0] == -101 {
            return line.to_owned();
        }
        [3, 6].into_iter().for_each(|at| values[at] += i128::from(ticks));
        values.iter().map(i128::to_string).collect::<Vec<_>>().join(",")
    };
    recording.lines().map(|line| shift(line) + "\n").collect()
}

#[test]
fn what_cannot_be_exported_is_refused() -> Outcome {
    let (recording, other) = (file("e.csv", OF_C), file("d.csv", OF_C.replace(",7,", ",9,")));
    let trace = temporary("x.pftrace");
    let said = |recordings: &[&str], trace: &str| {
        let ended = export(recordings, trace);
        assert_eq!(ended.code, Some(2));
        ended.err
    };
    assert!(said(&[&recording, &other], &trace).contains("different runs of a server's clock"));
    assert!(said(&["no/such.csv"], &trace).contains("cannot open no/such.csv"));
    assert!(!std::path::Path::new(&trace).exists(), "nothing was written");
    assert!(said(&[&recording], "no/such/place").contains("cannot write no/such/place"));
    said(&[&recording], "/dev/full/x");
    assert_eq!(export(&[&recording], &trace).code, Some(0));
    assert!(std::fs::metadata(&trace)?.len() > 1_000);
    Ok(())
}
