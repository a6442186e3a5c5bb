use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Ended, OF_C, Outcome, Running, ended_with, file, lab, temporary};

fn replay(recording: &str) -> Result<Value, Box<dyn std::error::Error>> {
    ended_with(0, &["replay", "--recording", recording, "--json"]).json()
}

#[test]
fn a_replay_of_a_c_programs_recording_has_the_same_results() -> Outcome {
    let recording = file("c.csv", OF_C);
    let report = replay(&recording)?;
    let counts = ["exchanges", "accepted", "left_out", "differences"].map(|name| report[name].as_u64());
    assert_eq!(counts, [Some(60), Some(57), Some(1), Some(0)]);
    let said = ended_with(0, &["replay", "--recording", &recording]).out;
    let summary = "60 exchanges, 57 accepted, 1 skipped (unknown request), 0 with a different result";
    assert!(said.contains(summary), "{said}");
    Ok(())
}

#[test]
fn a_different_result_is_reported_with_its_line() {
    let change = |(at, line): (usize, &str)| match line.strip_prefix("0,") {
        Some(rest) if at == 11 => format!("-105,{rest}\n"),
        _ => format!("{line}\n"),
    };
    let recording = file("changed.csv", OF_C.lines().enumerate().map(change).collect::<String>());
    let said = ended_with(1, &["replay", "--recording", &recording]).out;
    assert!(said.contains("line 12: recorded NETCLOCK_TOO_SLOW, now NETCLOCK_OK"), "{said}");
    assert!(said.contains("1 with a different result than recorded"), "{said}");
}

#[test]
fn a_recording_by_sync_replays_with_the_same_results() -> Outcome {
    let serve = ["serve", "--bind", "127.0.0.1:0", "--world"];
    let server = Running::server(&serve)?;
    let recording = temporary("sync.csv");
    let sync = ["sync", &server.address, "--seconds", "2", "--world", "--json"];
    let followed = ended_with(0, &[&sync[..], &["--record", &recording]].concat());
    server.end()?;
    let summary = followed.lines()?.pop().ok_or("no summary")?;

    let written = std::fs::read_to_string(&recording)?;
    assert!(written.contains("\nauthority,"), "{written}");
    assert!(written.contains("\nsegment,"), "{written}");
    let report = replay(&recording)?;
    assert_eq!((&report["accepted"], &report["differences"]), (&summary["traffic"]["replies"], &0.into()));
    Ok(())
}

/// The four-second pause is shorter than the clock's limit for gaps, so only the program itself notices it.
#[test]
#[cfg(unix)]
fn pauses_and_final_silence_are_events_with_verdicts() -> Outcome {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let server = Running::serve(&[])?;
    let recording = temporary("stopped.csv");
    let sync = ["sync", &server.address, "--seconds", "7", "--json", "--record", &recording];
    let client = lab(&sync).stdout(Stdio::piped()).spawn()?;
    let id = Pid::from_raw(i32::try_from(client.id())?);
    sleep(Duration::from_secs(2));
    kill(id, Signal::SIGSTOP)?;
    sleep(Duration::from_secs(4));
    kill(id, Signal::SIGCONT)?;
    let followed = Ended::from(client.wait_with_output()?).lines()?;
    let event = followed.iter().find(|line| line["event"] == "pause").ok_or("no event")?;
    assert!(event["meaning"].as_str().is_some_and(|it| it.contains("did not run for ")), "{event}");
    let said = ended_with(0, &["report", &recording]).out;
    assert!(said.contains("The client resumed at 0:0"), "{said}");
    assert!(said.contains("it did not run for "), "{said}");
    // The `end` line states when the session ended. A later end means a longer silence.
    let written = std::fs::read_to_string(&recording)?;
    let (start, end) = written.rsplit_once("end,").ok_or("no end")?;
    let later = end.trim().parse::<i64>()? + 600_000_000;
    let said = ended_with(0, &["report", &file("silent.csv", format!("{start}end,{later}\n"))]).out;
    assert!(said.contains("No replies arrived for "), "{said}");
    assert!(said.contains(", until the end"), "{said}");
    Ok(())
}
