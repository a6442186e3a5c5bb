//! `lab export --perfetto`: a trace that Perfetto's own schema reads.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::tools;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Written by `recording.c`, which the library's own tests run.
const OF_C: &str = include_str!("../../../tests/c_abi/recording.csv");
/// Reads a trace by the published schema and prints what is in it.
const READER: &str = include_str!("perfetto.py");

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("netclock-export-{}-{name}", std::process::id()))
}

fn export(recordings: &[&Path], trace: &Path) -> Output {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
    lab.arg("export").args(recordings).arg("--perfetto").arg(trace).output().expect("the binary starts")
}

/// The interpreter that has Perfetto's package; none if there is none.
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
        tools::skip("no perfetto for Python");
        return Ok(());
    };
    let (one, other, trace) = (temporary("one.csv"), temporary("other.csv"), temporary("both.pftrace"));
    std::fs::write(&one, OF_C)?;
    // The same session on a machine whose clock counts from elsewhere.
    std::fs::write(&other, shifted(OF_C, 7_777_777))?;
    let ended = export(&[&one, &other], &trace);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let read = Command::new(python).args(["-c", READER]).arg(&trace).output()?;
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let found: Value = serde_json::from_slice(&read.stdout)?;
    assert_eq!(found["unknown"], 0, "fields that the schema does not know: {found:#}");
    let names = found["processes"].as_array().ok_or("processes")?;
    assert_eq!(names.len(), 3, "{found:#}");
    // 59 of 60 exchanges have four stamps, in each of two recordings.
    assert_eq!(found["flows"], 2 * 59, "{found:#}");
    assert_eq!(found["stamps"], 2 * 59 * 4, "{found:#}");
    // By one clock nothing arrives before it was sent, except where a stamp is a second off: the refused
    // contradiction.
    assert_eq!(found["backwards"], 2, "{found:#}");
    assert_eq!(found["apart_ns"].as_f64().map(|ns| ns < 1_000.0), Some(true), "{found:#}");
    assert!(found["counters"]["error bound"].as_u64() > Some(100), "{found:#}");
    assert!(
        found["events"].as_array().is_some_and(|all| all.contains(&"server_restart".into())),
        "{found:#}"
    );
    Ok(())
}

/// A recording whose local clock is ahead by this many ticks.
fn shifted(recording: &str, ticks: i64) -> String {
    let shift = |line: &str| {
        let values: Vec<i128> = line.split(',').filter_map(|value| value.parse().ok()).collect();
        if values.len() != 8 || values[0] == -101 {
            return line.to_owned();
        }
        let moved = |value: i128| value + i128::from(ticks);
        format!(
            "{},{},{},{},{},{},{},{}",
            values[0],
            values[1],
            values[2],
            moved(values[3]),
            values[4],
            values[5],
            moved(values[6]),
            values[7]
        )
    };
    recording.lines().map(|line| shift(line) + "\n").collect()
}

#[test]
fn what_cannot_be_exported_is_refused() -> Outcome {
    let (recording, other, trace) = (temporary("c.csv"), temporary("d.csv"), temporary("x.pftrace"));
    std::fs::write(&recording, OF_C)?;
    std::fs::write(&other, OF_C.replace(",7,", ",9,"))?;
    let said = |recordings: &[&Path], trace: &Path| {
        let ended = export(recordings, trace);
        assert_eq!(ended.status.code(), Some(2));
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    assert!(said(&[&recording, &other], &trace).contains("different runs of a server's clock"));
    assert!(said(&[Path::new("no/such.csv")], &trace).contains("cannot open no/such.csv"));
    assert!(!trace.exists(), "nothing was written");
    assert!(said(&[&recording], Path::new("no/such/place")).contains("cannot write no/such/place"));
    for (name, content, complaint) in [
        ("empty", String::new(), "the line that names the format is \"\""),
        ("foreign", "t_send_s,rtt_ms\n0,50\n".to_owned(), "it has to be \"# netclock recording 3\""),
        ("newer", OF_C.replace("recording 3", "recording 4"), "a newer NetClock made this recording"),
        ("nan", OF_C.replacen("\n0,", "\nNaN,", 1), "status is \"NaN\""),
        ("late", OF_C.replace("authority,5", "authority,x"), "arrived is \"x00000000\""),
    ] {
        let wrong = temporary(name);
        std::fs::write(&wrong, content)?;
        assert!(said(&[&wrong], &trace).contains(complaint), "{name}");
        assert!(
            !trace.exists() && !PathBuf::from(format!("{}.part", trace.display())).exists(),
            "{name}: something was left"
        );
    }
    let full = export(&[&recording], Path::new("/dev/full/x"));
    assert_eq!(full.status.code(), Some(2), "{}", String::from_utf8_lossy(&full.stderr));
    assert!(export(&[&recording], &trace).status.success());
    assert!(std::fs::metadata(&trace)?.len() > 1_000);
    Ok(())
}
