//! `cargo run --example start`: four clients with different clocks start at the same instant of the server's
//! time. Time is simulated, and messages arrive immediately.

use std::error::Error;

use netclock::start::{Organiser, OrganiserConfig, Participant, Proposal};
use netclock::{Client, Config, LocalTime, Responder, ServerTime, Span};

/// A game gets this number from the operating system.
const EPOCH: u64 = 42;
const CLIENTS: u64 = 4;
const FRAME: Span = Span::from_millis(33);
/// The delay of a request, and also of its reply.
const WAY: Span = Span::from_millis(10);

fn main() -> Result<(), Box<dyn Error>> {
    let responder = Responder::new(EPOCH);
    let config = OrganiserConfig { max_expected_error: Span::from_millis(10), ..OrganiserConfig::default() };
    let mut organiser = Organiser::new(config, EPOCH)?;
    let mut players = Vec::new();
    for id in 0..CLIENTS {
        organiser.admit(id)?;
        // A game gets seeds and keys from the operating system.
        players.push((Client::new(Config::default(), 1 + u128::from(id))?, Participant::new(7 + id)));
    }
    let (mut server, mut is_scheduled) = (ServerTime::from_ticks(0), false);
    for _frame in 0..300 {
        server += FRAME;
        // The server's frame: propose the start until all players are ready, and send due datagrams.
        if !is_scheduled {
            if let Proposal::Scheduled { at, .. } = organiser.propose(server, 0.999)? {
                println!("starting in {}", at - server);
                is_scheduled = true;
            }
        }
        while let Some((id, message)) = organiser.next_message(server) {
            players[id as usize].1.receive(&message)?;
        }
        // The players' frames, at different times and with different clocks.
        for (id, (client, participant)) in (0_u64..).zip(&mut players) {
            let real = server + Span::from_millis(5 * id as i64);
            let now = LocalTime::from_ticks(real.ticks()) + Span::from_secs(1000 * id as i64);
            if let Some(request) = client.tick(now)? {
                let reply = responder.respond(&request, real + WAY, real + WAY)?;
                client.handle_reply(&reply, now + WAY + WAY)?;
            }
            let progress = participant.tick(now, &client.read(now))?;
            if progress.fires {
                println!("player {id} starts {} after it, in its next frame", progress.lateness);
            }
            while let Some(message) = participant.next_message() {
                organiser.receive(id, &message, real)?;
            }
        }
    }
    let result = organiser.result()?;
    println!("{} of {CLIENTS} started, {} apart", result.fired, result.latest - result.earliest);
    if u64::from(result.fired) == CLIENTS { Ok(()) } else { Err("some clients did not start".into()) }
}
