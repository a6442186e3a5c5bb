//! The network commands as they are used: real processes, real sockets on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use netclock::{LocalTime, Request, RequestId, wire};
use serde_json::Value;

/// Nothing on loopback takes this long; a test that waits for it has failed.
const FOREVER: Duration = Duration::from_secs(30);

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json_lines(output: &Output) -> Result<Vec<Value>, serde_json::Error> {
    text(&output.stdout).lines().map(serde_json::from_str).collect()
}

/// A process that runs until its input is closed; killed if a test fails before.
struct Running {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Running {
    /// Starts it and reads its first line, which tells its address.
    fn start(arguments: &[&str]) -> Result<(Self, SocketAddr), Box<dyn std::error::Error>> {
        let mut command = lab(arguments);
        command.args(["--json", "--with-parent"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        let mut running = Running { process, input, output };
        let first = running.line()?;
        let address = first["address"].as_str().ok_or("no address")?.parse()?;
        Ok((running, address))
    }

    fn line(&mut self) -> Result<Value, Box<dyn std::error::Error>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn tell(&mut self, line: &str) -> std::io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| writeln!(input, "{line}"))
    }

    /// Ends it; its last line.
    fn end(mut self) -> Result<Value, Box<dyn std::error::Error>> {
        self.input = None;
        let mut last = Value::Null;
        for line in self.output.by_ref().lines() {
            last = serde_json::from_str(&line?)?;
        }
        assert!(self.process.wait()?.success());
        Ok(last)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn request(id: u64) -> Result<wire::Datagram, netclock::WireError> {
    let id = RequestId(id);
    wire::encode_request(&Request { id, client_time: LocalTime::from_ticks(1), reliable: false })
}

#[test]
fn without_a_server_sync_says_what_to_check() -> Outcome {
    let free = UdpSocket::bind("127.0.0.1:0")?.local_addr()?;
    let output = lab(&["sync", &free.to_string(), "--seconds", "4"]).output()?;
    assert_eq!(output.status.code(), Some(3));
    let complaint = text(&output.stderr);
    assert!(complaint.contains("lab serve") && complaint.contains(&free.to_string()), "{complaint}");
    if cfg!(target_os = "linux") {
        assert!(complaint.contains("connection refused"), "{complaint}");
    }
    Ok(())
}

#[test]
fn a_server_that_keeps_silent_is_no_server() -> Outcome {
    let silent = UdpSocket::bind("127.0.0.1:0")?;
    let output = lab(&["sync", &silent.local_addr()?.to_string(), "--seconds", "1"]).output()?;
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("no reply from"), "{}", text(&output.stderr));
    Ok(())
}

#[test]
fn unusable_input_ends_with_code_2() -> Outcome {
    let taken = UdpSocket::bind("127.0.0.1:0")?;
    let taken = taken.local_addr()?.to_string();
    let cases: [&[&str]; 6] = [
        &["sync", "nowhere"],
        &["sync", "127.0.0.1:70000"],
        &["sync", "127.0.0.1:7117", "--seconds", "0"],
        &["serve", "--bind", &taken],
        &["impair", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:7117", "--up", "speed=3"],
        &["demo", "--report", "/nowhere/at/all/report.html"],
    ];
    for case in cases {
        let output = lab(case).stdin(Stdio::null()).output()?;
        assert_eq!(output.status.code(), Some(2), "{case:?}");
        assert!(!output.stderr.is_empty(), "{case:?}");
    }
    Ok(())
}

#[test]
fn serve_and_sync_agree() -> Outcome {
    let (server, address) = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let output = lab(&["sync", &address.to_string(), "--seconds", "2", "--json"]).output()?;
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines = json_lines(&output)?;
    let of_type = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of_type("event")[0]["event"], "synced");
    assert!(of_type("reading").iter().all(|reading| reading["bound_ms"].as_f64().is_some_and(|ms| ms > 0.0)));
    let summary = of_type("summary")[0];
    assert_eq!((&summary["synced"], &summary["backwards"]), (&true.into(), &0.into()));
    assert!(summary["traffic"]["replies"].as_u64() >= Some(2));
    let served = server.end()?;
    assert!(served["answered"].as_u64() >= summary["traffic"]["replies"].as_u64());
    assert_eq!(served["malformed"]["length"], 0);
    Ok(())
}

#[test]
fn a_second_session_begins_with_what_the_first_one_learned() -> Outcome {
    let (server, address) = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let address = address.to_string();
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("second_session.state");
    std::fs::write(&file, "machine no state\nanother:1 4e53\n")?;
    let file = file.display().to_string();
    let session = || -> Result<Value, Box<dyn std::error::Error>> {
        let output =
            lab(&["sync", &address, "--seconds", "4", "--json", "--state", &file, "--hint"]).output()?;
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines = json_lines(&output)?;
        Ok(lines.into_iter().find(|line| line["type"] == "known").ok_or("nothing is said of the state")?)
    };
    let (first, second) = (session()?, session()?);
    assert_eq!((&first["machine"], &first["server"]), (&false.into(), &false.into()));
    assert_eq!((&second["machine"], &second["server"]), (&true.into(), &true.into()));
    assert!(second["doubt_ppm"].as_f64() >= Some(0.0), "{second}");
    assert!(std::fs::read_to_string(&file)?.contains("another:1 4e53"), "the state of another server stays");
    server.end()?;
    Ok(())
}

#[test]
fn a_server_with_keys_answers_those_who_have_one() -> Outcome {
    let write = |name: &str, text: &str| -> std::io::Result<String> {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&file, text)?;
        Ok(file.display().to_string())
    };
    let known = write(
        "keys",
        "7 00112233445566778899aabbccddeeff # one player\n8 102132435465768798a9bacbdcedfe0f\n",
    )?;
    let other = write("another-key", "7 ffeeddccbbaa99887766554433221100\n")?;
    let (server, address) = Running::start(&["serve", "--bind", "127.0.0.1:0", "--key-file", &known])?;
    let sync = |arguments: &[&str]| {
        let address = address.to_string();
        let usual = ["sync", &address, "--seconds", "2", "--json"];
        lab(&[&usual, arguments].concat()).output()
    };
    let output = sync(&["--key-file", &known])?;
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut lines = json_lines(&output)?;
    assert!(lines.iter().any(|line| line["event"] == "linked"), "its clock follows the link: {lines:?}");
    let summary = lines.pop().ok_or("no summary")?;
    assert!(summary["traffic"]["replies"].as_u64() >= Some(2), "{summary}");
    assert_eq!(summary["traffic"]["malformed"], 0);
    for refused in [&["--key-file", &other][..], &[]] {
        let output = sync(refused)?;
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("key"), "{}", text(&output.stderr));
    }
    let served = server.end()?;
    // What arrives after the end of a client is no reply that it used.
    assert!(served["answered"].as_u64() >= summary["traffic"]["replies"].as_u64(), "{served} {summary}");
    let unkeyed = |reason: &str| served["unkeyed"][reason].as_u64();
    assert!(unkeyed("forged") >= Some(2) && unkeyed("malformed") >= Some(2), "{served}");
    assert_eq!((unkeyed("unknown_key"), unkeyed("over_budget")), (Some(0), Some(0)));
    Ok(())
}

#[test]
fn garbage_is_counted_and_only_another_version_is_told() -> Outcome {
    let (server, address) = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(FOREVER))?;
    let good = request(7)?;
    let changed = |at: usize, to: u8| {
        let mut bytes = good;
        bytes[at] = to;
        bytes
    };
    for length in [0, 1, 31, 33, 100, 1400] {
        socket.send_to(&vec![0x4E; length], address)?;
    }
    let other_version = changed(2, 9);
    for bytes in [changed(0, 0), other_version, changed(3, 2), changed(5, 1), changed(16, 0x7F)] {
        socket.send_to(&bytes, address)?;
    }
    socket.send_to(&good, address)?;
    // Datagrams on loopback keep their order: an answer to any of the others would have come first.
    let mut buffer = [0; 2048];
    let (length, _) = socket.recv_from(&mut buffer)?;
    let notice = wire::version_notice(&other_version).ok_or("a request of another version has a notice")?;
    assert_eq!(buffer[..length], notice);
    let (length, _) = socket.recv_from(&mut buffer)?;
    assert_eq!(wire::decode_reply(&buffer[..length])?.id, RequestId(7));
    let served = server.end()?;
    assert_eq!(served["answered"], 1);
    let counted = |reason: &str| served["malformed"][reason].as_u64();
    assert_eq!(counted("length"), Some(6));
    for reason in ["magic", "version", "kind", "reserved", "stamp"] {
        assert_eq!(counted(reason), Some(1), "{reason}");
    }
    Ok(())
}

#[test]
fn the_relay_passes_both_ways_and_changes_at_run_time() -> Outcome {
    let (server, address) = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let to = address.to_string();
    let (mut relay, relay_address) = Running::start(&[
        "impair",
        "--listen",
        "127.0.0.1:0",
        "--to",
        &to,
        "--both",
        "delay=1",
        "--seed",
        "1",
    ])?;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(FOREVER))?;
    let answer = || -> Result<RequestId, Box<dyn std::error::Error>> {
        let mut buffer = [0; 2048];
        let (length, from) = socket.recv_from(&mut buffer)?;
        assert_eq!(from, relay_address);
        Ok(wire::decode_reply(&buffer[..length])?.id)
    };
    socket.send_to(&request(1)?, relay_address)?;
    assert_eq!(answer()?, RequestId(1));
    relay.tell("both duplicate=100")?;
    assert_eq!(relay.line()?["type"], "changed");
    socket.send_to(&request(2)?, relay_address)?;
    for _ in 0..4 {
        assert_eq!(answer()?, RequestId(2), "two requests, two replies to each");
    }
    relay.tell("both duplicate=0,delay=2")?;
    assert_eq!(relay.line()?["type"], "changed");
    socket.send_to(&request(3)?, relay_address)?;
    assert_eq!(answer()?, RequestId(3));
    let summary = relay.end()?;
    let (up, down) = (&summary["up"], &summary["down"]);
    assert_eq!((&up["counts"]["received"], &up["counts"]["sent"]), (&3.into(), &4.into()));
    assert_eq!((&down["counts"]["received"], &down["counts"]["sent"]), (&4.into(), &6.into()));
    assert_eq!(down["settings"]["delay"], 2.0);
    server.end()?;
    Ok(())
}
