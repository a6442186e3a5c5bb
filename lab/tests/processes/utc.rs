//! Tests UTC over real sockets, as shown by `lab sync`.

use serde_json::Value;

use crate::support::{KEY, Outcome, Running, ended_with, file};

fn shown(server: &Running, arguments: &[&str]) -> Outcome<(Value, Value)> {
    let sync = ["sync", &server.address, "--seconds", "2", "--json"];
    let lines = ended_with(0, &[&sync, arguments].concat()).lines()?;
    let last = lines.iter().rfind(|line| line["type"] == "reading").ok_or("no reading")?;
    Ok((last["utc"].clone(), lines.last().ok_or("no summary")?["traffic"].clone()))
}

#[test]
fn sync_shows_the_servers_utc_with_a_stated_bound() -> Outcome {
    let before = netclock::utc_now().ok_or("this machine has a UTC")?.utc.ticks();
    let server = Running::serve(&["--utc-error-us", "2000"])?;
    let (utc, traffic) = shown(&server, &[])?;
    let after = netclock::utc_now().ok_or("this machine has a UTC")?.utc.ticks();
    let shown = utc["utc_ticks"].as_i64().ok_or("no UTC")?;
    // All processes run on one machine, so the shown UTC must be between two readings of the wall clock, give
    // or take the error bound.
    let bound = utc["bound_ms"].as_f64().ok_or("no bound")?;
    let slack = (bound * 10_000.0) as i64;
    assert!((before - slack..=after + slack).contains(&shown), "{before} {shown} {after}");
    assert!(bound > 3.0, "the bound should include 2 ms of the source and 1 ms of tolerance: {utc}");
    assert!(utc["utc"].as_str().is_some_and(|date| date.starts_with("20") && date.len() == 23), "{utc}");
    assert_eq!(traffic["malformed"], 0, "{traffic}");
    Ok(())
}

#[test]
fn utc_without_a_stated_bound_is_unbounded_and_works_with_keys() -> Outcome {
    let keys = file("keys-of-utc", KEY);
    let keys = ["--key-file", &keys];
    let server = Running::serve(&keys)?;
    let (utc, traffic) = shown(&server, &keys)?;
    assert!(utc["utc_ticks"].is_i64(), "{utc}");
    assert!(utc["bound_ms"].is_null(), "{utc}");
    assert_eq!(traffic["malformed"], 0, "{traffic}");
    let words = ended_with(0, &[&["sync", &server.address, "--seconds", "2"], &keys[..]].concat()).out;
    let heads: Vec<&str> = words.lines().filter(|line| line.ends_with("  state")).collect();
    let last = heads.last().ok_or("no heads")?;
    assert!(last.contains("server UTC"), "{words}");
    assert!(last.matches("bound ms").count() == 1, "{words}");
    assert!(!words.contains("none"), "every column should have a value: {words}");
    Ok(())
}
