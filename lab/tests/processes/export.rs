//! Tests `lab export --perfetto`. The files are in Chrome's trace event format.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Ended, OF_C, Outcome, ended_with, file, run, temporary};

fn export(recordings: &[&str], trace: &str) -> Ended {
    run(&[&["export"], recordings, &["--perfetto", trace]].concat())
}

#[test]
fn a_trace_shows_both_clients_on_the_servers_clock() -> Outcome {
    // The second file is the same session with a different clock origin.
    let (one, other) = (file("one.csv", OF_C), file("other.csv", shifted(OF_C, 7_777_777)));
    let trace = temporary("both.json");
    ended_with(0, &["export", &one, &other, "--perfetto", &trace]);
    let trace: Value = serde_json::from_slice(&std::fs::read(&trace)?)?;
    let events = trace["traceEvents"].as_array().ok_or("no events")?;
    let of = |phase: &'static str| events.iter().filter(move |event| event["ph"] == phase);
    assert_eq!(of("M").count(), 3, "a server and two clients");
    // Of the 60 exchanges in each recording, 59 have all four timestamps.
    assert_eq!((of("s").count(), of("t").count(), of("f").count()), (2 * 59, 4 * 59, 2 * 59));
    let stamps = of("X").filter(|event| event["args"]["result"].is_string());
    assert_eq!(stamps.count(), 2 * 59 * 4);
    let mut flows: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for arrow in events.iter().filter(|event| event["bp"] == "e") {
        let (id, at) = (arrow["id"].as_u64().ok_or("no id")?, arrow["ts"].as_f64().ok_or("no time")?);
        assert!(at > 0.0, "{arrow}");
        flows.entry(id).or_default().push(at);
    }
    // Every message arrives after it was sent, except in the rejected exchange of each recording.
    assert_eq!(flows.values().filter(|flow| !flow.is_sorted()).count(), 2);
    let (one, other): (Vec<_>, Vec<_>) = flows.iter().partition(|flow| *flow.0 < 3 << 32);
    for (one, other) in one.iter().zip(&other) {
        assert!(one.1.iter().zip(other.1).all(|(one, other)| (one - other).abs() < 1.0), "{one:?} {other:?}");
    }
    assert!(of("C").filter(|event| event["name"] == "error bound").count() > 100);
    assert!(of("X").any(|event| event["name"] == "server_restart"));
    Ok(())
}

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
fn invalid_exports_are_rejected() -> Outcome {
    let (recording, other) = (file("e.csv", OF_C), file("d.csv", OF_C.replace(",7,", ",9,")));
    let trace = temporary("x.json");
    let said = |recordings: &[&str], trace: &str| {
        let ended = export(recordings, trace);
        assert_eq!(ended.code, Some(2));
        ended.err
    };
    assert!(said(&[&recording, &other], &trace).contains("different server epochs"));
    assert!(said(&["no/such.csv"], &trace).contains("cannot open no/such.csv"));
    assert!(!std::path::Path::new(&trace).exists(), "no file should be written");
    assert!(said(&[&recording], "no/such/place").contains("cannot write no/such/place"));
    said(&[&recording], "/dev/full/x");
    assert_eq!(export(&[&recording], &trace).code, Some(0));
    assert!(std::fs::metadata(&trace)?.len() > 1_000);
    Ok(())
}
