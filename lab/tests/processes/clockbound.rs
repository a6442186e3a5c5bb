//! A server that shows the clock for which ClockBound states a bound: a segment as its daemon writes it, in a file.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use nix::time::{ClockId, clock_gettime};
use serde_json::Value;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Writes version 2 of the segment, in place as the daemon does: 1 ms of bound, 1 ppm of drift, void in 1,000 s.
fn write(path: &Path, generation: u16, status: i32) -> Outcome {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC)?;
    let mut bytes = Vec::new();
    bytes.extend([0x414D_5A4E_u32, 0x4342_0200, 80].iter().flat_map(|word| word.to_ne_bytes()));
    bytes.extend([2, generation].iter().flat_map(|word| word.to_ne_bytes()));
    for seconds in [now.tv_sec(), now.tv_sec() + 1_000] {
        bytes.extend([seconds, now.tv_nsec()].iter().flat_map(|word| word.to_ne_bytes()));
    }
    bytes.extend([1_000_000_i64, 7].iter().flat_map(|word| word.to_ne_bytes()));
    bytes.extend(1_000_u32.to_ne_bytes());
    bytes.extend(status.to_ne_bytes());
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    Ok(fs::write(path, bytes)?)
}

/// A server that is killed with the test.
struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    serving: Value,
}

impl Server {
    fn start(segment: &Path) -> Outcome<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        command.args([
            "serve",
            "--bind",
            "127.0.0.1:0",
            "--time-source",
            "clockbound",
            "--seconds",
            "20",
            "--json",
        ]);
        command.args(["--timescale", "F1EE7", "--vmclock", "/nonexistent", "--clockbound"]).arg(segment);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let serving = serde_json::from_str(&line).unwrap_or_default();
        Ok(Server { child, output, serving })
    }

    /// Waits until it ends by itself: its exit code, and what it says.
    fn end(mut self) -> Outcome<(Option<i32>, String)> {
        self.output.read_to_string(&mut String::new())?;
        let mut said = String::new();
        self.child.stderr.take().ok_or("no output")?.read_to_string(&mut said)?;
        Ok((self.child.wait()?.code(), said))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn segment(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("netclock-clockbound-{}-{name}", std::process::id()))
}

#[test]
fn clients_have_the_bound_that_clockbound_states_until_a_disruption_ends_the_epoch() -> Outcome {
    let path = segment("served");
    write(&path, 4, 1)?;
    let server = Server::start(&path)?;
    assert_eq!(server.serving["clockbound"]["status"], "Synchronized", "{}", server.serving);
    let address = server.serving["address"].as_str().ok_or("no address")?.to_owned();
    let mut sync = Command::new(env!("CARGO_BIN_EXE_lab"));
    let synced = sync.args(["sync", &address, "--seconds", "3", "--json"]).output()?;
    assert_eq!(synced.status.code(), Some(0), "{}", String::from_utf8_lossy(&synced.stderr));
    let said = String::from_utf8(synced.stdout)?;
    let lines = said.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let last = lines.iter().rfind(|line| line["type"] == "reading").ok_or("it read")?;
    assert_eq!(last["timescale"], "0x00000000000f1ee7");
    let number = |name: &str| last[name].as_f64().unwrap_or(f64::NAN);
    // The truth is the machine's clock, which the segment says is within 1 ms of UTC.
    assert!(number("off_wall_ms").abs() <= number("in_all_ms"), "{last}");
    let inherited = number("in_all_ms") - number("bound_ms");
    assert!((1.0..1.1).contains(&inherited), "{inherited} ms of the segment: {last}");
    // The claim about UTC carries it too, beside its own tolerance of 1 ms and the drift since it was made.
    let claimed = last["utc"]["bound_ms"].as_f64().ok_or("UTC has a bound")? - number("bound_ms");
    assert!((2.0..4.0).contains(&claimed), "{claimed} ms of the claim: {last}");

    write(&path, 6, 3)?;
    let (code, said) = server.end()?;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("disrupted") && said.contains("This epoch is over"), "{said}");
    fs::remove_file(path)?;
    Ok(())
}

#[test]
fn without_a_daemon_it_says_what_to_do() -> Outcome {
    let (code, said) = Server::start(&segment("missing"))?.end()?;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("does its daemon run") && said.contains("--clockbound"), "{said}");
    Ok(())
}
