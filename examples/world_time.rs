//! `cargo run --example world_time`: a server's world runs, pauses and continues, and a client shows its
//! time. Then a delayed spectator shows the time and seeks back. Time is simulated, and the world's messages
//! arrive immediately.

use std::error::Error;

use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig};
use netclock::{Client, Config, LocalTime, Reading, Responder, ServerTime, Span, WorldTime};

/// A game gets this number from the operating system.
const EPOCH: u64 = 42;
const FRAME: Span = Span::from_millis(16);
/// The server's clock minus the client's.
const AHEAD: Span = Span::from_secs(1234);
/// The delay of a request, and also of its reply.
const WAY: Span = Span::from_millis(5);

fn main() -> Result<(), Box<dyn Error>> {
    let responder = Responder::new(EPOCH);
    let mut publisher = Publisher::new(PublisherConfig::default(), EPOCH, 1)?;
    let mut client = Client::new(Config::default(), 7)?;
    let mut timeline = Timeline::new(TimelineConfig::default())?;
    let mut replay =
        Replay { published: Vec::new(), view: Timeline::new(TimelineConfig::default())?, next: 0 };
    let (mut now, mut world) = (LocalTime::from_ticks(0), WorldTime::from_ticks(0));
    for frame in 0..600 {
        // The server's frame.
        let server = ServerTime::from_ticks((now + AHEAD).ticks());
        let is_paused = (200..300).contains(&frame);
        let rate = if is_paused { Rate::PAUSED } else { Rate::ONE };
        if let Some(segment) = publisher.observe(server, world, rate)? {
            let message = segment.encode()?; // the game sends it to every client
            timeline.insert(&Segment::decode(&message)?)?;
            replay.published.push(segment);
        }
        // The client's frame.
        if let Some(request) = client.tick(now)? {
            let reply = responder.respond(&request, server + WAY, server + WAY)?;
            client.handle_reply(&reply, now + WAY + WAY)?;
        }
        if let Ok(shown) = timeline.show(&client.read(now)) {
            let error = (shown.world - world).abs();
            if error > shown.error_bound {
                return Err(format!("frame {frame}: the world is shown {error} wrong").into());
            }
            if frame % 60 == 59 {
                let (time, rate) = (shown.world.as_secs_f64(), shown.rate.as_f64());
                println!("frame {frame}: the world is at {time:.3} s, rate {rate}, shown {error} wrong");
            }
        }
        now += FRAME;
        world += if is_paused { Span::ZERO } else { FRAME };
    }
    for seconds in [2, 4, 6, 3] {
        let past = Reading {
            server_time: ServerTime::from_ticks(AHEAD.ticks()) + Span::from_secs(seconds),
            ..client.read(now)
        };
        if seconds == 3 {
            replay.seek(past.server_time)?;
        }
        println!("{seconds} s after the start the world was at {:.3} s", replay.show(&past)?.as_secs_f64());
    }
    Ok(())
}

/// A view of the past: a delayed spectator, a kill cam, a replay.
struct Replay {
    /// All segments of the recorded match. A timeline keeps only the latest ones.
    published: Vec<Segment>,
    view: Timeline,
    next: usize,
}

impl Replay {
    /// `past` is a reading whose server time the game has delayed.
    fn show(&mut self, past: &Reading) -> Result<WorldTime, Box<dyn Error>> {
        while let Some(due) = self.published.get(self.next).filter(|due| due.since <= past.server_time) {
            self.view.insert(due)?;
            self.next += 1;
        }
        Ok(self.view.show(past)?.world)
    }

    /// Seeks back or far ahead, by creating a timeline with the two segments around the new time.
    fn seek(&mut self, to: ServerTime) -> Result<(), Box<dyn Error>> {
        let begun = self.published.partition_point(|segment| segment.since <= to);
        (self.view, self.next) = (Timeline::new(TimelineConfig::default())?, begun.saturating_sub(2));
        Ok(())
    }
}
