//! `cargo run --example client [HOST:PORT]`: requests the time until ten replies have been accepted, and
//! prints it. To start a server, use `cargo run --example server`.

#![expect(clippy::disallowed_types, reason = "the library has no sockets of the game, a program has")]

use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::time::Duration;

use netclock::{Client, Config, Span, monotonic_now, wire};

/// Returns a socket connected to the server. After a network change (Wi-Fi to LTE, a VPN), only a new socket
/// receives datagrams.
fn connect(server: &str) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(server)?;
    socket.set_read_timeout(Some(Duration::from_millis(5)))?; // the frame period of the loop below
    Ok(socket)
}

fn main() -> Result<(), Box<dyn Error>> {
    let server = std::env::args().nth(1).unwrap_or("127.0.0.1:7777".to_owned());
    let mut socket = connect(&server)?;
    let seed = u128::from(getrandom::u64()?) << 64 | u128::from(getrandom::u64()?); // unpredictable requests
    // [calls]
    let mut client = Client::new(Config::default(), seed)?;
    // [/calls]
    let (mut now, mut replies) = (monotonic_now(), 0);
    let (mut heard, end) = (now, now + Span::from_secs(10));
    // A game does this in every frame.
    while replies < 10 && now < end {
        // [calls]
        if let Some(request) = client.tick(now)? {
            let _ = socket.send(&wire::encode_request(&request)?);
        }
        // [/calls]
        let mut datagram = [0; wire::SIZE + 1]; // longer ones are not NetClock's
        if let Ok(size) = socket.recv(&mut datagram) {
            let arrived = monotonic_now(); // as close to the socket as possible
            client.polled(arrived)?; // `recv` waited for it; not needed in a game that polls in each frame
            // [calls]
            if let Ok(reply) = wire::decode_reply(&datagram[..size]) {
                // A rejected reply has no effect.
                replies += u32::from(client.handle_reply(&reply, arrived).is_ok());
                heard = now;
            }
            // [/calls]
        }
        // A settled client sends a request every 4 s, so count 2 s from its oldest unanswered request.
        if now - heard > Span::from_secs(2) {
            heard = now;
            socket = connect(&server).unwrap_or(socket); // else try again in the next iteration
        }
        now = monotonic_now();
    }
    // [calls]
    let reading = client.read(now); // time, error bound, expected error, rate, state, epoch
    // [/calls]
    let time = client.current_server_time(now).ok_or("no reply from the server")?;
    let ahead = Span::from_ticks(time.ticks() - now.ticks());
    println!("server minus local: {ahead}, within {}", reading.error_bound);
    Ok(())
}
