//! `cargo run --example server [PORT]`: answers requests for the time over UDP until it is stopped. The
//! default port is 7777. Port 0 selects a free port. The program prints the port.

#![expect(clippy::disallowed_types, reason = "the library has no sockets of the game, a program has")]

use std::error::Error;
use std::net::{Ipv4Addr, UdpSocket};

use netclock::{Responder, ServerTime, monotonic_now, wire};

fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).map_or(Ok(7777), |it| it.parse())?;
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port))?;
    println!("port {}", socket.local_addr()?.port());
    let responder = Responder::new(getrandom::u64()?); // a random number identifies this run of the clock
    let now = || ServerTime::from_ticks(monotonic_now().ticks());
    let mut datagram = [0; wire::SIZE + 1]; // longer ones are not NetClock's
    loop {
        let Ok((size, client)) = socket.recv_from(&mut datagram) else { continue };
        let received = now(); // as close to the socket as possible
        let Ok(request) = wire::decode_request(&datagram[..size]) else { continue };
        let reply = responder.respond(&request, received, now())?.found_after(received); // it waited in recv
        // A client may have left, but this must not stop the server.
        let _ = socket.send_to(&wire::encode_reply(&reply)?, client);
    }
}
