//! Tests servers that serve a clock disciplined by chrony. The tests start their own chronyd without
//! privileges, so the machine's clock is never adjusted.
#![cfg(unix)]

use std::process::Command;
use std::time::Duration;

use netclock_lab::net::chronyd::{Daemon, Installed, free_port};
use serde_json::Value;

use crate::support::{Ended, KEY, Outcome, Running, ended_with, file, lab, refused};

fn is_missing() -> bool {
    !crate::tools::present(&["chronyc", Installed::find().map_or("/usr/sbin/chronyd", |found| found.name)])
}

/// On a busy machine, chronyd's first measurements may disagree, and it then reports a skew of 10^6 ppm.
fn wait_for_skew(daemon: &Daemon, below_ppm: &str) -> Outcome {
    let wait = ["-h", &daemon.socket(), "waitsync", "100", "0", below_ppm, "0.2"];
    let said = Ended::from(Command::new("chronyc").args(wait).output()?);
    assert_eq!(said.code, Some(0), "chronyd did not measure its clock in 20 s: {said:?}");
    Ok(())
}

fn wait(daemon: &Daemon, wanted: &str) -> Outcome {
    for _ in 0..100 {
        let said = Command::new("chronyc").args(["-n", "-c", "-h", &daemon.socket(), "tracking"]).output()?;
        if Ended::from(said).out.trim().ends_with(wanted) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Err(format!("chronyd did not report {wanted:?} in 20 s").into())
}

fn server(chrony: &Daemon, key_file: &str) -> Outcome<Running> {
    let serve = ["serve", "--bind", "127.0.0.1:0", "--time-source", "chrony", "--timescale", "F1EE7"];
    let host = chrony.socket();
    Running::server(&[&serve[..], &["--chrony-host", &host, "--key-file", key_file]].concat())
}

#[test]
fn a_client_continues_when_the_first_server_of_a_fleet_is_killed() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let port = free_port()?.port();
    let settings = format!("local stratum 8\nallow 127.0.0.1\nport {port}\nbindaddress 127.0.0.1\n");
    let installed = Installed::find()?;
    let first = Daemon::start(&installed, "a", &settings)?;
    let follows = format!("server 127.0.0.1 port {port} iburst minpoll -2 maxpoll 0\nport 0\n");
    let second = Daemon::start(&installed, "b", &follows)?;
    wait(&first, "Normal")?;
    // `chronyc waitsync` fails immediately if the daemon is not listening yet.
    wait(&second, "Normal")?;
    wait_for_skew(&second, "100")?;
    // The server also has a link, as in a game's fleet.
    let key_file = file("keys-of-fleet", KEY);
    let (killed, next) = (server(&first, &key_file)?, server(&second, &key_file)?);
    let chrony = &next.first["chrony"];
    assert_eq!(killed.first["chrony"]["stratum"], 8);
    assert_eq!(chrony["stratum"], 9);
    assert!(chrony["root_delay_s"].as_f64() > Some(0.0), "chrony should report a real delay: {chrony}");

    let sync = ["sync", &killed.address, "--next", &next.address, "--seconds", "20", "--json"];
    let mut client = Running::start(&[&sync[..], &["--key-file", &key_file]].concat())?;
    let mut lines: Vec<Value> = Vec::new();
    while lines.iter().filter(|line| line["type"] == "reading").count() < 5 {
        lines.push(client.line()?);
    }
    drop(killed);
    lines.extend(client.wait()?);

    let mut events: Vec<_> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    // A server's first reply may arrive over the link or as a message, so the order of two events varies.
    events.chunks_mut(2).for_each(<[&str]>::sort_unstable);
    assert_eq!(events, ["linked", "synced", "handed_over", "linked"], "only the handover should be reported");
    let summary = lines.last().ok_or("no output")?;
    assert_eq!((&summary["type"], &summary["backwards"]), (&"summary".into(), &0.into()));
    let mut servers = Vec::new();
    for reading in lines.iter().filter(|line| line["type"] == "reading") {
        assert_eq!(reading["epoch"], 1, "the epoch should not change: {reading}");
        servers.push(reading["server_epoch"].clone());
        // All processes read this machine's wall clock, so the true time is known.
        let off = reading["off_wall_ms"].as_f64().ok_or("a reading has an error")?;
        let bound = reading["in_all_ms"].as_f64().ok_or("a reading has a bound")?;
        assert!(off.abs() <= bound, "{off} of {bound} ms: {reading}");
    }
    // chrony reports its error, so UTC must have a bound, and all three processes must agree on it.
    let utc: Vec<_> = lines.iter().filter_map(|line| line["utc"]["bound_ms"].as_f64()).collect();
    assert!(utc.len() > 10, "{utc:?}");
    assert!(utc.iter().all(|bound| (0.0..100.0).contains(bound)), "{utc:?}");
    servers.dedup();
    assert_eq!(servers.len(), 2, "two servers should be used: {servers:?}");
    let last = lines.iter().rfind(|line| line["type"] == "reading").ok_or("it read")?;
    assert_eq!(last["timescale"], "0x00000000000f1ee7");
    assert!(last["in_all_ms"].as_f64() > last["bound_ms"].as_f64(), "it includes chrony's error: {last}");
    Ok(())
}

#[test]
fn a_missing_or_unsynchronised_clock_is_not_served() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let lonely = Daemon::start(&Installed::find()?, "c", "port 0\n")?;
    wait(&lonely, "Not synchronised")?;
    let host = lonely.socket();
    let serve = ["serve", "--bind", "127.0.0.1:0", "--time-source", "chrony", "--seconds", "1"];
    let said = ended_with(2, &[&serve[..], &["--chrony-host", &host]].concat()).err;
    let unsynchronised = "has not synchronised this machine's clock (stratum 0";
    assert!(said.contains(unsynchronised), "{said}");
    assert!(said.contains("waitsync"), "{said}");
    let serve = ["serve", "--time-source", "chrony", "--chrony-host", "/nonexistent/socket"];
    refused(&serve, "Is chronyd running");
    refused(&serve, "--chrony-host");
    Ok(())
}

#[test]
fn without_chrony_the_error_names_the_package() -> Outcome {
    for (command, cure) in
        [(&["serve", "--time-source", "chrony"][..], "no chronyc on PATH"), (&["study", "netns"], "")]
    {
        let ended = Ended::from(lab(command).env("PATH", "/nonexistent").output()?);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(cure), "{ended:?}");
        assert!(ended.err.contains("apt-get install chrony"), "{ended:?}");
    }
    Ok(())
}
