//! Servers that show the clock which chrony disciplines: the real chronyd and chronyc, run by whoever runs
//! the tests, beside the machine's own and without touching its clock.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A process that dies with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

/// Where Debian has it, which is not on everybody's path.
fn chronyd() -> &'static str {
    if Command::new("chronyd").arg("--version").output().is_ok() { "chronyd" } else { "/usr/sbin/chronyd" }
}

fn is_missing() -> bool {
    !crate::tools::present(&["chronyc", chronyd()])
}

/// A chronyd of our own.
struct Chrony {
    _running: Running,
    dir: PathBuf,
}

impl Chrony {
    fn start(name: &str, settings: &str) -> Outcome<Self> {
        // Short, since the path of a socket must be.
        let dir = std::env::temp_dir().join(format!("nc-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir)?;
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700))?;
        let (socket, config) = (dir.join("s"), dir.join("conf"));
        let pid = dir.join("pid");
        let common = format!("cmdport 0\nbindcmdaddress {}\npidfile {}\n", socket.display(), pid.display());
        fs::write(&config, format!("{settings}{common}"))?;
        let user = Command::new("id").arg("-un").output()?.stdout;
        let mut command = Command::new(chronyd());
        // -x: it never touches the machine's clock. -U: it need not be root.
        command.args(["-U", "-x", "-d", "-u", String::from_utf8(user)?.trim(), "-f"]).arg(&config);
        let running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
        Ok(Chrony { _running: running, dir })
    }

    fn socket(&self) -> String {
        self.dir.join("s").display().to_string()
    }

    /// What `lab serve` says, which ends by itself.
    fn serve(&self) -> Outcome<Output> {
        let host = self.socket();
        let arguments = ["serve", "--bind", "127.0.0.1:0", "--time-source", "chrony", "--seconds", "1"];
        Ok(lab(&arguments).args(["--chrony-host", &host]).output()?)
    }

    /// Waits until it answers as `wanted`.
    fn wait(&self, wanted: &str) -> Outcome {
        for _ in 0..100 {
            let mut command = Command::new("chronyc");
            let said = command.args(["-n", "-c", "-h", &self.socket(), "tracking"]).output()?;
            if String::from_utf8_lossy(&said.stdout).trim().ends_with(wanted) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err(format!("chronyd did not get {wanted:?} in 20 s").into())
    }
}

impl Drop for Chrony {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// A server, and where it says what.
struct Server {
    _running: Running,
    _output: BufReader<ChildStdout>,
}

/// A server by this chronyd; its address, and what it says of chrony.
fn server(chrony: &Chrony, key_file: &str) -> Outcome<(Server, String, Value)> {
    let host = chrony.socket();
    let mut command = lab(&["serve", "--bind", "127.0.0.1:0", "--time-source", "chrony", "--json"]);
    command
        .args(["--chrony-host", &host, "--timescale", "F1EE7", "--key-file", key_file])
        .stdout(Stdio::piped());
    let mut running = Running(command.spawn()?);
    let output = running.0.stdout.take().ok_or("no output")?;
    let mut first = String::new();
    let mut output = BufReader::new(output);
    output.read_line(&mut first)?;
    let first: Value = serde_json::from_str(&first)?;
    let address = first["address"].as_str().ok_or("no address")?.to_owned();
    Ok((Server { _running: running, _output: output }, address, first["chrony"].clone()))
}

/// The lines of a client until there are this many readings, or it ends.
fn readings(output: &mut BufReader<ChildStdout>, count: usize) -> Outcome<Vec<Value>> {
    let (mut lines, mut found) = (Vec::new(), 0);
    while found < count {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            break;
        }
        let value: Value = serde_json::from_str(&line)?;
        found += usize::from(value["type"] == "reading");
        lines.push(value);
    }
    Ok(lines)
}

#[test]
fn a_client_goes_on_when_the_first_server_of_a_fleet_is_killed() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let free = UdpSocket::bind("127.0.0.1:0")?.local_addr()?.port();
    let first = Chrony::start(
        "a",
        &format!("local stratum 8\nallow 127.0.0.1\nport {free}\nbindaddress 127.0.0.1\n"),
    )?;
    let follows = format!("server 127.0.0.1 port {free} iburst minpoll -2 maxpoll 0\nport 0\n");
    let second = Chrony::start("b", &follows)?;
    first.wait("Normal")?;
    second.wait("Normal")?;
    // By the link, as games follow a fleet.
    let key_file = first.dir.join("keys");
    fs::write(&key_file, "7 00112233445566778899aabbccddeeff\n")?;
    let key_file = key_file.display().to_string();
    let (killed, address, chrony) = server(&first, &key_file)?;
    assert_eq!(chrony["stratum"], 8);
    let (_running, other, chrony) = server(&second, &key_file)?;
    assert_eq!(chrony["stratum"], 9);
    assert!(chrony["root_delay_s"].as_f64() > Some(0.0), "its report is a real one: {chrony}");

    let mut client = lab(&["sync", &address, "--next", &other, "--seconds", "20", "--json"]);
    client.args(["--key-file", &key_file]);
    let mut client = Running(client.stdout(Stdio::piped()).spawn()?);
    let mut output = BufReader::new(client.0.stdout.take().ok_or("no output")?);
    let mut lines = readings(&mut output, 5)?;
    drop(killed);
    lines.extend(readings(&mut output, usize::MAX)?);
    assert!(client.0.wait()?.success());

    let events: Vec<_> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(
        events,
        ["linked", "synced", "linked", "handed_over"],
        "it went on, and nothing else happened"
    );
    let summary = lines.last().ok_or("it said nothing")?;
    assert_eq!((&summary["type"], &summary["backwards"]), (&"summary".into(), &0.into()));
    let mut servers = Vec::new();
    for reading in lines.iter().filter(|line| line["type"] == "reading") {
        assert_eq!(reading["epoch"], 1, "one timeline: {reading}");
        servers.push(reading["server_epoch"].clone());
        // Both servers and the client read the wall clock of this machine, so that the truth is known.
        let off = reading["off_wall_ms"].as_f64().ok_or("a reading says how far off it is")?;
        let bound = reading["in_all_ms"].as_f64().ok_or("a reading has a bound")?;
        assert!(off.abs() <= bound, "{off} of {bound} ms: {reading}");
    }
    // Chrony states its error, so UTC has a bound; both servers and the client have one UTC.
    let utc: Vec<_> = lines.iter().filter_map(|line| line["utc"]["bound_ms"].as_f64()).collect();
    assert!(utc.len() > 10 && utc.iter().all(|bound| (0.0..100.0).contains(bound)), "{utc:?}");
    servers.dedup();
    assert_eq!(servers.len(), 2, "first one server, then the other: {servers:?}");
    let last = lines.iter().rfind(|line| line["type"] == "reading").ok_or("it read")?;
    assert_eq!(last["timescale"], "0x00000000000f1ee7");
    assert!(last["in_all_ms"].as_f64() > last["bound_ms"].as_f64(), "chrony's error is carried in: {last}");
    Ok(())
}

#[test]
fn a_clock_that_is_not_synchronised_is_not_served() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let lonely = Chrony::start("c", "port 0\n")?;
    lonely.wait("Not synchronised")?;
    let output = lonely.serve()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("has not synchronised this machine's clock (stratum 0") && said.contains("waitsync"),
        "{said}"
    );
    Ok(())
}

#[test]
fn without_a_daemon_it_says_what_to_do() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let output =
        lab(&["serve", "--time-source", "chrony", "--chrony-host", "/nonexistent/socket"]).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("Is chronyd running") && said.contains("--chrony-host"), "{said}");
    Ok(())
}

#[test]
fn chronyd_and_the_clock_are_measured_side_by_side() -> Outcome {
    if is_missing() {
        return Ok(());
    }
    let arguments =
        ["study", "chrony", "--seconds", "2", "--after", "6", "--both", "delay=5,jitter=1", "--json"];
    let output = lab(&arguments).output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}{trouble}");
    let lines: Vec<Value> = said.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let names: Vec<_> = lines.iter().filter_map(|line| line["clock"].as_str()).collect();
    assert!(names.len() == 2 && names[0] == "lab sync" && names[1].starts_with("chronyd "), "{said}");
    for clock in &lines[..2] {
        assert!(clock["reads"] == 8 && clock["requests"].as_u64() > Some(3), "{clock}");
        // Half a round trip is the most that either can be off.
        let worst = clock["errors"]["p99_ms"].as_f64();
        assert!(worst > Some(0.0) && worst < Some(20.0), "{clock}");
    }
    assert!(lines[2]["type"] == "ratio" && lines[2]["rms"].as_f64() > Some(0.0), "{said}");
    Ok(())
}

#[test]
fn without_chrony_it_says_what_to_install() -> Outcome {
    let output = lab(&["serve", "--time-source", "chrony"]).env("PATH", "/nonexistent").output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no chronyc on PATH") && said.contains("apt-get install chrony"), "{said}");
    let output = lab(&["study", "chrony"]).env("PATH", "/nonexistent").output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("apt-get install chrony"), "{said}");
    Ok(())
}
