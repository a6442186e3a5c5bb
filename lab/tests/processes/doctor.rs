//! `lab doctor` on loopback: a healthy server, a bad path, and nobody.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn doctor(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("doctor").args(arguments).env("NO_COLOR", "1").output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A program that runs until it is dropped, its address, and the pipe that it writes to.
struct Running {
    process: Child,
    address: String,
    _output: BufReader<ChildStdout>,
}

impl Running {
    fn start(arguments: &[&str]) -> Result<Self, Box<dyn std::error::Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        command.args(arguments).args(["--json", "--with-parent"]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut first = String::new();
        let mut output = BufReader::new(process.stdout.take().ok_or("no output")?);
        output.read_line(&mut first)?;
        let first: Value = serde_json::from_str(&first)?;
        let address = first["address"].as_str().ok_or("no address")?.to_owned();
        Ok(Running { process, address, _output: output })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn weight<'a>(report: &'a Value, id: &str) -> Option<&'a str> {
    let findings = report["findings"].as_array()?;
    findings.iter().find(|finding| finding["id"] == id)?["weight"].as_str()
}

#[test]
fn a_server_nearby_is_examined() -> Outcome {
    let server = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let ended = doctor(&[&server.address, "--seconds", "2", "--json"]);
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    // A busy machine may stall, lose and delay; it never invents answers, and never errs by more than a round
    // trip.
    assert!(matches!(ended.status.code(), Some(0 | 1)), "{report:#}{}", text(&ended.stderr));
    let (requests, answered) = (&report["path"]["requests"], &report["path"]["answered"]);
    assert!(answered.as_u64() > Some(0) && answered.as_u64() <= requests.as_u64(), "{report:#}");
    assert_eq!((&report["path"]["copies"], &report["path"]["strange"]), (&0.into(), &0.into()), "{report:#}");
    assert_eq!(weight(&report, "clock_back"), Some("fine"));
    let bound = report["accuracy"]["error_bound_ms"].as_f64().ok_or("a bound")?;
    assert!(bound > 0.0 && bound < 1_000.0, "{report:#}");
    Ok(())
}

#[test]
fn with_a_key_the_link_is_examined() -> Outcome {
    let file = |name: &str, text: &str| -> std::io::Result<String> {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&file, text)?;
        Ok(file.display().to_string())
    };
    let key = file("doctors-key", "7 00112233445566778899aabbccddeeff\n")?;
    let other = file("doctors-other-key", "7 ffeeddccbbaa99887766554433221100\n")?;
    let server = Running::start(&["serve", "--bind", "127.0.0.1:0", "--key-file", &key])?;
    let ended = doctor(&[&server.address, "--seconds", "2", "--json", "--key-file", &key]);
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    assert!(matches!(ended.status.code(), Some(0 | 1)), "{report:#}{}", text(&ended.stderr));
    let path = &report["path"];
    assert!(path["answered"].as_u64() > Some(5), "{report:#}");
    assert!(path["answered"].as_u64() <= path["requests"].as_u64(), "{report:#}");
    assert_eq!((&path["is_keyed"], &path["strange"], &path["copies"]), (&true.into(), &0.into(), &0.into()));
    if cfg!(target_os = "linux") {
        assert_eq!(weight(&report, "stamps"), Some("fine"), "{report:#}");
    }
    for refused in [&["--key-file", &other][..], &[]] {
        let ended = doctor(&[&[&server.address, "--seconds", "1"], refused].concat());
        assert_eq!(ended.status.code(), Some(3), "{}", text(&ended.stdout));
        assert!(text(&ended.stdout).contains("key"), "{}", text(&ended.stdout));
    }
    Ok(())
}

#[test]
fn a_path_that_loses_and_copies_is_told() -> Outcome {
    let server = Running::start(&["serve", "--bind", "127.0.0.1:0"])?;
    let bad = Running::start(&[
        "impair",
        "--listen",
        "127.0.0.1:0",
        "--to",
        &server.address,
        "--both",
        "delay=10,loss=30,duplicate=30",
    ])?;
    let ended = doctor(&[&bad.address, "--seconds", "4", "--json"]);
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!(ended.status.code(), Some(1), "{report:#}");
    assert_eq!(weight(&report, "loss"), Some("warning"), "{report:#}");
    assert_eq!(weight(&report, "copies"), Some("note"), "{report:#}");
    Ok(())
}

#[test]
fn silence_has_a_reason_and_an_exit_code() -> Outcome {
    let silent = UdpSocket::bind("127.0.0.1:0")?;
    let address = silent.local_addr()?;
    // The same port by TCP: the host is there.
    let door = TcpListener::bind(address);
    let ended = doctor(&[&address.to_string(), "--seconds", "1"]);
    let said = text(&ended.stdout);
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("no reply came to") && said.contains("Let UDP through"), "{said}");
    drop((silent, door));
    let ended = doctor(&[&address.to_string(), "--seconds", "1", "--json"]);
    let report: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!(ended.status.code(), Some(3));
    if cfg!(target_os = "linux") {
        assert_eq!(weight(&report, "nobody_listens"), Some("fault"), "{report:#}");
    }
    assert_eq!(report["accuracy"], Value::Null);
    Ok(())
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [&["nowhere"][..], &["127.0.0.1:0"], &["127.0.0.1:7117", "--seconds", "0"], &[]] {
        assert_eq!(doctor(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
