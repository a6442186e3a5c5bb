//! One client, one server, a link between them, and the truth. Simulated time; every run repeats from its seed.

use std::collections::BinaryHeap;

use crate::dice::Dice;
use crate::seed::seed;
use netclock::{
    Client, Config, Event, LocalTime, Reading, Refusal, Reply, Request, Responder, ServerTime, Span, State,
};

/// Of a run without `NETCLOCK_TEST_SEED`.
pub(crate) const SEED: u64 = 2026;

/// What a scenario overrides. Times in milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) forward: f64,
    pub(crate) reverse: f64,
    /// Mean of an exponential jitter, each way.
    pub(crate) jitter: f64,
    /// Probability that a message is lost, each way.
    pub(crate) loss: f64,
    /// Probability that a reply comes twice.
    pub(crate) duplicates: f64,
    /// Rate error of the server's clock against the client's.
    pub(crate) ppm: f64,
    /// Client frame.
    pub(crate) frame: f64,
}

impl Default for Link {
    fn default() -> Self {
        Link { forward: 25.0, reverse: 25.0, jitter: 4.0, loss: 0.0, duplicates: 0.0, ppm: 20.0, frame: 16.0 }
    }
}

/// A reply under way; the heap gives the earliest first.
#[derive(PartialEq, Eq)]
struct Letter {
    arrives: LocalTime,
    reply: (u64, u64, i64, i64),
}
impl Ord for Letter {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.arrives.cmp(&self.arrives).then(other.reply.cmp(&self.reply))
    }
}
impl PartialOrd for Letter {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// What was seen while the world ran.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) reads: u32,
    pub(crate) outside_bound: u32,
    pub(crate) backwards: u32,
    pub(crate) worst_ms: f64,
    pub(crate) largest_rate_deviation: f64,
    pub(crate) requests: u32,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) events: Vec<Event>,
}

pub(crate) struct World {
    pub(crate) client: Client,
    pub(crate) link: Link,
    pub(crate) now: LocalTime,
    /// Server time minus local time at local time zero.
    pub(crate) offset: Span,
    /// What the server adds to its stamps beyond its true clock: a lie, or a step.
    pub(crate) lie: Span,
    pub(crate) epoch: u64,
    /// Another server behind the same address, which answers every second request: its epoch, and how far it is ahead.
    pub(crate) rival: Option<(u64, Span)>,
    dice: Dice,
    letters: BinaryHeap<Letter>,
    last: Option<(LocalTime, Reading)>,
}

impl World {
    pub(crate) fn new(link: Link) -> Self {
        Self::with_config(link, Config::default())
    }

    pub(crate) fn with_config(link: Link, config: Config) -> Self {
        Self::numbered(link, config, 0)
    }

    /// One of several worlds that differ by chance alone.
    pub(crate) fn numbered(link: Link, config: Config, number: u64) -> Self {
        let seed = seed(SEED).wrapping_add(number);
        World {
            // A client refuses zero.
            client: Client::new(config, u128::from(seed).max(1)).expect("the configuration is valid"),
            link,
            now: LocalTime::from_ticks(5_000_000_000),
            offset: Span::from_secs(10_000),
            lie: Span::ZERO,
            epoch: 1,
            rival: None,
            dice: Dice(seed),
            letters: BinaryHeap::new(),
            last: None,
        }
    }

    /// The server's true time.
    pub(crate) fn truth(&self, local: LocalTime) -> ServerTime {
        let drift = (local.ticks() as f64 * self.link.ppm * 1e-6).round() as i64;
        ServerTime::from_ticks(local.ticks()) + self.offset + Span::from_ticks(drift) + self.lie
    }

    /// Runs `seconds`, frame by frame, reading and judging the clock at every frame.
    pub(crate) fn run(&mut self, seconds: f64) -> Seen {
        let mut seen = Seen::default();
        let end = self.now + Span::from_secs_f64(seconds);
        while self.now < end {
            self.now += Span::from_secs_f64(self.link.frame / 1000.0);
            self.frame(&mut seen);
        }
        seen
    }

    fn frame(&mut self, seen: &mut Seen) {
        while self.letters.peek().is_some_and(|letter| letter.arrives <= self.now) {
            let Some(letter) = self.letters.pop() else { break };
            let (id, epoch, received, sent) = letter.reply;
            let reply = Reply {
                id: netclock::RequestId(id),
                epoch,
                received: ServerTime::from_ticks(received),
                sent: ServerTime::from_ticks(sent),
            };
            if let Err(refusal) = self.client.handle_reply(&reply, letter.arrives) {
                seen.refusals.push(refusal);
            }
        }
        if let Ok(Some(request)) = self.client.tick(self.now) {
            seen.requests += 1;
            self.post(&request);
        }
        seen.events.extend(std::iter::from_fn(|| self.client.next_event()));
        self.judge(seen);
    }

    /// The server answers at once; the link takes its time both ways.
    pub(crate) fn post(&mut self, request: &Request) {
        let received = self.now + self.delay(self.link.forward);
        let sent = received + Span::from_millis(2);
        let arrives = sent + self.delay(self.link.reverse);
        if self.dice.fraction() < self.link.loss || self.dice.fraction() < self.link.loss {
            return;
        }
        let (epoch, ahead) =
            self.rival.filter(|_| self.dice.fraction() < 0.5).unwrap_or((self.epoch, Span::ZERO));
        let (received, sent) = (self.truth(received) + ahead, self.truth(sent) + ahead);
        let reply = Responder::new(epoch).respond(request, received, sent).expect("stamps in order");
        let reply = (reply.id.0, reply.epoch, reply.received.ticks(), reply.sent.ticks());
        if self.dice.fraction() < self.link.duplicates {
            self.letters.push(Letter { arrives: arrives + Span::from_millis(3), reply });
        }
        self.letters.push(Letter { arrives, reply });
    }

    fn delay(&mut self, base: f64) -> Span {
        Span::from_secs_f64((base - self.link.jitter * (1.0 - self.dice.fraction()).ln()) / 1000.0)
    }

    fn judge(&mut self, seen: &mut Seen) {
        let reading = self.client.read(self.now);
        if reading.state == State::Unsynced {
            return;
        }
        let ahead =
            self.rival.filter(|rival| rival.0 == reading.server_epoch).map_or(Span::ZERO, |rival| rival.1);
        let error = (reading.server_time - self.truth(self.now) - ahead).abs();
        seen.reads += 1;
        // A reading of the run before says nothing of this one.
        let speaks_of_this_run = reading.server_epoch == self.epoch || ahead != Span::ZERO;
        seen.outside_bound += u32::from(speaks_of_this_run && error > reading.error_bound);
        seen.worst_ms = seen.worst_ms.max(error.as_millis_f64());
        if let Some((then, before)) = self.last {
            if before.epoch == reading.epoch {
                let advanced = reading.server_time - before.server_time;
                let elapsed = self.now - then;
                seen.backwards += u32::from(advanced < Span::ZERO);
                // A tick of rounding in a frame is no deviation.
                let deviation =
                    ((advanced - elapsed).abs().ticks() - 1).max(0) as f64 / elapsed.ticks() as f64;
                seen.largest_rate_deviation = seen.largest_rate_deviation.max(deviation);
            }
        }
        self.last = Some((self.now, reading));
    }
}
