//! `cargo run --example session`: a server and three players with different clocks. The players show the
//! time of the server's world, which pauses, and start at the same instant. Then a replay shows past times.
//! Time is simulated, and datagrams arrive in the next frame.

use std::error::Error;

use netclock::session::{Guest, GuestConfig, Host, HostConfig};
use netclock::start::{Proposal, StartConfig};
use netclock::timeline::{Rate, Timeline, TimelineConfig};
use netclock::{LocalTime, ServerTime, Span, WorldTime};

const EPOCH: u64 = 42;
const PLAYERS: u64 = 3;
const FRAME: Span = Span::from_millis(16);

fn main() -> Result<(), Box<dyn Error>> {
    let start = StartConfig { max_expected_error: Span::from_millis(10), ..StartConfig::default() };
    // A game gets epochs and seeds from the operating system.
    let mut host = Host::new(HostConfig { start, ..HostConfig::default() }, EPOCH, 7)?;
    let mut guests = Vec::new();
    for player in 0..PLAYERS {
        host.admit(player, None)?;
        guests.push(Guest::new(GuestConfig::default(), 8 + u128::from(player))?);
    }
    let mut replay = Timeline::new(TimelineConfig::default())?;
    let (mut server, mut world) = (ServerTime::from_ticks(0), WorldTime::from_ticks(0));
    let (mut is_scheduled, mut started) = (false, 0);
    for frame in 0..600 {
        // The server's frame.
        let is_paused = (200..300).contains(&frame);
        let rate = if is_paused { Rate::PAUSED } else { Rate::ONE };
        if let Some(segment) = host.observe(0, server, world, rate)? {
            replay.insert(&segment)?;
        }
        if frame > 60 && !is_scheduled {
            if let Proposal::Scheduled { at, .. } = host.propose_start(server, server, 0.999)? {
                println!("starting in {}", at - server);
                is_scheduled = true;
            }
        }
        while let Some((player, datagram, _reliable)) = host.next(server) {
            guests[player as usize].receive(datagram, local_time(player, server))?;
        }
        // The players' frames.
        for (player, guest) in (0..).zip(&mut guests) {
            let now = local_time(player, server);
            let view = guest.view(now)?;
            if let Some(shown) = view.worlds[0] {
                let error = (shown.world - world).abs();
                if error > shown.error_bound {
                    return Err(format!("frame {frame}: the shown world time is off by {error}").into());
                }
                if frame % 60 == 59 && player == 0 {
                    let (time, rate) = (shown.world.as_secs_f64(), shown.rate.as_f64());
                    println!("frame {frame}: the world is at {time:.3} s, rate {rate}, off by {error}");
                }
            }
            if view.start.fires {
                println!("player {player} starts {} after it, in its next frame", view.start.lateness);
                started += 1;
            }
            while let Some((datagram, _reliable)) = guest.next(now)? {
                host.receive(player, datagram, server)?;
            }
        }
        server += FRAME;
        world += if is_paused { Span::ZERO } else { FRAME };
    }
    for seconds in [2, 4, 6, 3] {
        let past = replay.world_at(EPOCH, ServerTime::from_ticks(0) + Span::from_secs(seconds))?;
        println!("after {seconds} s, the world was at {:.3} s", past.world.as_secs_f64());
    }
    if started == PLAYERS { Ok(()) } else { Err("some players did not start".into()) }
}

/// Each player's clock started at a different time and has a different rate.
fn local_time(player: u64, server: ServerTime) -> LocalTime {
    let player = player as i64;
    LocalTime::from_ticks(server.ticks() + server.ticks() / 50_000 * player) + Span::from_secs(1000 * player)
}
