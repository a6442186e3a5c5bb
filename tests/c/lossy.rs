//! Runs a complete C game server and its clients behind a proxy that drops a tenth of all datagrams. Each
//! client has its own session key.

#![expect(clippy::disallowed_types, reason = "the relay needs sockets, and true UTC comes from the system")]
#![expect(clippy::disallowed_methods, reason = "the relay runs in a thread")]

use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::compiler::Compiler;
use crate::examples::{Server, build};
use crate::library::Library;

#[test]
fn a_session_works_with_a_tenth_of_datagrams_lost() {
    if cfg!(not(unix)) {
        return crate::tools::skip("the examples use POSIX sockets");
    }
    let library = Library::get();
    for compiler in Compiler::all("c99") {
        let mut server = Server::start(&build("examples/c/session_server.c", &compiler, library), library);
        let printed = server.port();
        let (port, keys) = printed.split_once(' ').expect("the server prints its players' keys");
        let relay = Lossy::start(port);
        let client = build("examples/c/session_client.c", &compiler, library);
        let clients: Vec<Child> = keys
            .split(' ')
            .map(|key| {
                let mut command = Command::new(&client);
                library.lead(&mut command);
                let child = command.args(["127.0.0.1", &relay.port, key]).stdout(Stdio::piped()).spawn();
                child.expect("the program was just built")
            })
            .collect();
        for client in clients {
            let output = client.wait_with_output().expect("the client exits");
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{printed}");
            let numbers: Vec<f64> = printed.split([' ', '\n']).filter_map(|word| word.parse().ok()).collect();
            let [offset_ms, bound_ms, world_s, world_ms, utc_s, utc_ms, late_ms, late_bound_ms] = numbers[..]
            else {
                panic!("a client printed {printed:?}")
            };
            assert!(offset_ms.abs() <= bound_ms && bound_ms < 20.0, "{printed}");
            // The server's world pauses for one second out of every five.
            assert!((3.0..60.0).contains(&world_s) && world_ms < 1_000.0, "{printed}");
            let unix = SystemTime::now().duration_since(UNIX_EPOCH);
            let unix_s = unix.expect("it is past 1970").as_secs_f64();
            // On a busy machine, the client's clock may be ahead by its full bound. UTC is printed to the
            // millisecond.
            let ahead_s = bound_ms / 1e3 + 0.002;
            assert!(
                (-ahead_s..60.0).contains(&(unix_s - utc_s)) && (1_000.0..1_100.0).contains(&utc_ms),
                "{printed}"
            );
            assert!(late_ms >= 0.0 && late_bound_ms < 20.0, "{printed}");
        }
        let (passed, lost) = relay.counts();
        assert!(lost >= 2 && lost * 5 < passed, "{lost} lost, {passed} passed");
    }
}

struct Lossy {
    port: String,
    passed: Arc<[AtomicU32; 2]>,
}

impl Lossy {
    fn start(server: &str) -> Self {
        let bind = || {
            let socket = UdpSocket::bind("127.0.0.1:0").expect("loopback has a free port");
            let patience = Some(Duration::from_millis(1));
            socket.set_read_timeout(patience).expect("the timeout is not zero");
            socket
        };
        let (front, passed) = (bind(), Arc::new([const { AtomicU32::new(0) }; 2]));
        let port = front.local_addr().expect("it is bound").port().to_string();
        let (server, counts) = (format!("127.0.0.1:{server}"), Arc::clone(&passed));
        std::thread::spawn(move || {
            let mut clients: Vec<(SocketAddr, UdpSocket)> = Vec::new();
            let (mut bytes, mut count) = ([0; 512], 0_u32);
            let mut loses = || {
                count += 1;
                // We vary which of every ten datagrams is lost, so that losses don't always hit the same
                // requests or replies.
                let is_lost = count % 10 == count / 10 % 10;
                counts[usize::from(is_lost)].fetch_add(1, Ordering::Relaxed);
                is_lost
            };
            while Arc::strong_count(&counts) > 1 {
                if let Ok((size, from)) = front.recv_from(&mut bytes) {
                    let place = clients.iter().position(|(known, _)| *known == from).unwrap_or_else(|| {
                        let back = bind();
                        back.connect(&server).expect("the server has a socket");
                        clients.push((from, back));
                        clients.len() - 1
                    });
                    if !loses() {
                        let _ = clients[place].1.send(&bytes[..size]);
                    }
                }
                for (to, back) in &clients {
                    while let Ok(size) = back.recv(&mut bytes) {
                        if !loses() {
                            let _ = front.send_to(&bytes[..size], to);
                        }
                    }
                }
            }
        });
        Lossy { port, passed }
    }

    fn counts(&self) -> (u32, u32) {
        (self.passed[0].load(Ordering::Relaxed), self.passed[1].load(Ordering::Relaxed))
    }
}
