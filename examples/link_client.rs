//! `cargo run --example link_client [HOST [PORT]]`: follows a server's clock over the link and prints it.
use std::sync::{Arc, Mutex};

use netclock::keyed::SessionKey;
use netclock::link::sockets::{ConnectConfig, LinkConnection};
use netclock::{Client, Config, Span, monotonic_now};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = std::env::args().nth(1).unwrap_or("127.0.0.1".to_owned());
    let to = ConnectConfig::to(&host, std::env::args().nth(2).map_or(Ok(7117), |port| port.parse())?);
    // The key comes from the server, over the game's own connection. Its last number grows with every run.
    let key = SessionKey::new(1, 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210_u128.to_be_bytes())?
        .after_restarts((monotonic_now().ticks() / 1_000_000) as u32);
    let seed = u128::from(getrandom::u64()?) << 64 | u128::from(getrandom::u64()?); // unpredictable requests
    let client = Client::new(Config::default(), seed)?;
    let reader = client.reader(); // for any thread
    let _link = LinkConnection::connect(&to, Arc::new(Mutex::new(client)), &key, |now| now)?;
    let end = monotonic_now() + Span::from_secs(3);
    while monotonic_now() < end {
        let now = monotonic_now(); // a game reads the time once a frame
        if let Some(time) = reader.current_server_time(now) {
            let bound = reader.read(now).error_bound;
            println!("server time {:.6} s, within {bound}", time.ticks() as f64 / 1e7);
            return Ok(());
        }
    }
    Err(format!("no reply from {host}").into())
}
