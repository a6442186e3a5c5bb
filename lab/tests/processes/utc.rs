//! The server's UTC over real sockets: what `lab sync` shows, and that answers are never longer than
//! requests.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use netclock::utc::{UTC_DATAGRAM_SIZE, UtcReply, UtcRequest};
use serde_json::Value;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A server, which dies with the test.
struct Server {
    process: Child,
    address: SocketAddr,
    /// Kept open, so that the server can write.
    _output: BufReader<ChildStdout>,
}

impl Server {
    fn start(arguments: &[&str]) -> Outcome<Self> {
        let mut command = lab(&["serve", "--json", "--bind", "127.0.0.1:0", "--seconds", "30"]);
        let mut process = command.args(arguments).stdout(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(process.stdout.take().ok_or("no output")?);
        let mut first = String::new();
        output.read_line(&mut first)?;
        let first: Value = serde_json::from_str(&first)?;
        let address = first["address"].as_str().ok_or("no address")?.parse()?;
        Ok(Server { process, address, _output: output })
    }

    /// The last read of UTC that a client of two seconds shows.
    fn shown(&self, arguments: &[&str]) -> Outcome<(Value, Value)> {
        let address = self.address.to_string();
        let output = lab(&["sync", &address, "--seconds", "2", "--json"]).args(arguments).output()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines: Result<Vec<Value>, _> =
            String::from_utf8_lossy(&output.stdout).lines().map(serde_json::from_str).collect();
        let lines = lines?;
        let last = lines.iter().rfind(|line| line["type"] == "reading").ok_or("no reading")?;
        Ok((last["utc"].clone(), lines.last().ok_or("no summary")?["traffic"].clone()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

#[test]
fn sync_shows_the_servers_utc_with_the_bound_that_somebody_states() -> Outcome {
    let before = netclock::utc_now().ok_or("this machine has a UTC")?.utc.ticks();
    let server = Server::start(&["--utc-error-us", "2000"])?;
    let (utc, traffic) = server.shown(&[])?;
    let after = netclock::utc_now().ok_or("this machine has a UTC")?.utc.ticks();
    let shown = utc["utc_ticks"].as_i64().ok_or("no UTC")?;
    // One machine: what was read in between lies in between, give or take its bound.
    let bound = utc["bound_ms"].as_f64().ok_or("no bound")?;
    let slack = (bound * 10_000.0) as i64;
    assert!((before - slack..=after + slack).contains(&shown), "{before} {shown} {after}");
    assert!(bound > 3.0, "2 ms of the source, 1 ms of tolerance, and the clock's: {utc}");
    assert!(utc["utc"].as_str().is_some_and(|date| date.starts_with("20") && date.len() == 23), "{utc}");
    assert_eq!(
        (traffic["utc_replies"].as_u64(), traffic["malformed"].as_u64()),
        (Some(1), Some(0)),
        "{traffic}"
    );
    Ok(())
}

#[test]
fn without_a_statement_utc_has_no_bound_and_keys_seal_it_too() -> Outcome {
    let keys = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("keys-of-utc");
    std::fs::write(&keys, "7 00112233445566778899aabbccddeeff\n")?;
    let keys = ["--key-file", keys.to_str().ok_or("utf-8")?];
    let server = Server::start(&keys)?;
    let (utc, traffic) = server.shown(&keys)?;
    assert!(utc["utc_ticks"].is_i64() && utc["bound_ms"].is_null(), "{utc}");
    assert_eq!(traffic["utc_replies"], 1);
    // Without a seal there is no answer.
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_millis(300)))?;
    socket.send_to(&UtcRequest { id: 1 }.encode(), server.address)?;
    assert!(socket.recv_from(&mut [0; 64]).is_err());
    Ok(())
}

#[test]
fn an_answer_is_as_long_as_its_request_and_nothing_else_is_answered() -> Outcome {
    let server = Server::start(&[])?;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    let good = UtcRequest { id: 77 }.encode();
    let mut reserved = good;
    reserved[UTC_DATAGRAM_SIZE - 1] = 1;
    for other in [&good[..8], &good[..32], &good[..47], &[&good[..], &[0]].concat(), &reserved] {
        socket.send_to(other, server.address)?;
    }
    socket.send_to(&good, server.address)?;
    // Datagrams on loopback keep their order: an answer to any of the others would have come first.
    let mut buffer = [0; 1024];
    let (length, _) = socket.recv_from(&mut buffer)?;
    assert_eq!(length, good.len());
    let reply = UtcReply::decode(&buffer[..length])?;
    assert_eq!((reply.id, reply.claim.version, reply.claim.bound), (77, 1, None));
    // A reply is no request, so two servers cannot be made to answer each other.
    socket.send_to(&buffer[..length], server.address)?;
    socket.send_to(&UtcRequest { id: 78 }.encode(), server.address)?;
    let (length, _) = socket.recv_from(&mut buffer)?;
    assert_eq!(UtcReply::decode(&buffer[..length])?.id, 78);
    Ok(())
}
