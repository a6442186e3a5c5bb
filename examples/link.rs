//! `cargo run --example link`: a server and a player in one process, with NetClock's sockets and threads.
//! The player's frames only read the clock.

#![expect(clippy::disallowed_methods, reason = "a program waits between frames; the library never does")]

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use netclock::keyed::SessionKey;
use netclock::link::sockets::{ConnectConfig, LinkConnection, LinkServer, ServeConfig};
use netclock::{Client, Config, ServerTime, Span, monotonic_now};

fn main() -> Result<(), Box<dyn Error>> {
    // The server answers all players on one port. A random number identifies this run of the server's clock.
    let clock = |now: netclock::LocalTime| ServerTime::from_ticks(now.ticks());
    let server = LinkServer::serve(&ServeConfig::default(), getrandom::u64()?, clock)?;

    // Each player has a different key. The game sends the key and the port only over that player's
    // connection.
    let mut secret = [0; 16];
    getrandom::fill(&mut secret)?;
    let key = SessionKey::new(1, secret)?;
    server.admit(&key)?;
    let port = server.address().port();

    // The player's clock, and the player's end of the link.
    let seed = u128::from(getrandom::u64()?) << 64 | u128::from(getrandom::u64()?);
    let client = Client::new(Config::default(), seed)?;
    let reader = client.reader(); // for any thread
    let client = Arc::new(Mutex::new(client));
    let link = LinkConnection::connect(&ConnectConfig::to("127.0.0.1", port), client, &key, |now| now)?;
    for _frame in 0..600 {
        sleep(Duration::from_millis(16));
        let now = monotonic_now();
        if let Some(time) = reader.current_server_time(now) {
            let ahead = Span::from_ticks(time.ticks() - now.ticks());
            println!("server minus local: {ahead}, within {}", reader.read(now).error_bound);
            return Ok(());
        }
    }
    Err(format!("no time after 600 frames: {:?}", link.status()).into())
}
