//! A host that dies, simulated: its clients turn to another one, which takes the clock over from what they know.
//!
//! Clients have a path to each host and a crystal of their own. True time `t` is in seconds; the old host's clock runs by
//! it, the new one's by the crystal of client 0, or of a machine that was no client.

use netclock::authority::{AdoptionReply, AdoptionRequest, AuthorityReply, AuthorityRequest};
use netclock::server::{Adopted, Adoption, AdoptionConfig, AdoptionError};
use netclock::wire::Datagram;
use netclock::{
    Client, Config, Event as ClientEvent, LocalTime, Reading, Reply, Request, Responder, ServerTime, Span,
    State,
};
use serde::Serialize;

use super::agenda::Agenda;
use super::clock::{ClockConfig, Clocks, TICKS_PER_MS};
use super::leg::{Leg, LegConfig};
use super::metrics::quantile;
use super::random::Random;
use super::world::WorldConfig;

/// Names of the runs of the two hosts' clocks; the first is that of the timescale too.
const OLD: u64 = 7;
const NEW: u64 = 8;
/// Frames of the clients (s).
const FRAME_S: f64 = 1.0 / 60.0;
/// The old host dies at this time (s).
pub const DEATH_S: f64 = 30.0;
/// So long after, everybody has noticed and turns to the new one (s).
const NOTICE_S: f64 = 1.0;
/// So long the new host waits for answers before it goes by those that came (s).
const PATIENCE_S: f64 = 1.5;
/// Errors count as those of the settled clock from so long after the handover on (s).
const SETTLED_S: f64 = 5.0;
/// Length of a round (s).
const LENGTH_S: f64 = 60.0;
/// What liars claim their bound is.
const LIARS_BOUND: Span = Span::from_millis(1);

/// What a round is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of every client to each host, with seeds of their own.
    pub world: WorldConfig,
    /// How many clients there are.
    pub clients: usize,
    /// How many of them lie to the new host, all the same way, and how many lies it is told to tolerate.
    pub liars: usize,
    /// By how much they lie (ms).
    pub lie_ms: f64,
    /// The new host was a client itself.
    pub is_player: bool,
    /// The last client never answers the new host.
    pub is_one_silent: bool,
}

/// What happened in a round. Times in ms.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Round {
    /// Its seed.
    pub seed: u64,
    /// What the new host states, and how far its clock was really off the old one's.
    pub dispersion_ms: f64,
    /// See [`dispersion_ms`](Self::dispersion_ms).
    pub error_ms: f64,
    /// Who answered, and who agrees.
    pub answers: u32,
    /// See [`answers`](Self::answers).
    pub agreeing: u32,
    /// From the death of the old host to the first reply of the new one, and to the last client that went on.
    pub adopted_ms: f64,
    /// See [`adopted_ms`](Self::adopted_ms).
    pub gone_on_ms: f64,
    /// Clients that went on, and that began anew.
    pub gone_on: u32,
    /// See [`gone_on`](Self::gone_on).
    pub restarts: u32,
    /// Reads after the death, those outside their bound, and those before an earlier one in the same epoch.
    pub reads: u64,
    /// See [`reads`](Self::reads).
    pub outside: u64,
    /// See [`reads`](Self::reads).
    pub backwards: u64,
    /// Error of what clients show: in 99 of 100 reads, once settled on the new host; and the largest since the death.
    pub p99_ms: f64,
    /// See [`p99_ms`](Self::p99_ms).
    pub worst_ms: f64,
    /// Why the new host could not take over, at last.
    pub refused: Option<String>,
}

#[derive(Clone)]
enum Letter {
    Request(Request),
    Reply(Reply),
    Other(Datagram),
}

enum Event {
    Frame(usize),
    AtOld(usize, Letter),
    AtNew(usize, Letter),
    AtClient(usize, Letter),
}

struct Player {
    clocks: Clocks,
    client: Client,
    /// There and back, to the old host and to the new one.
    legs: [[Leg; 2]; 2],
    last: Option<Reading>,
    errors: Vec<f32>,
    /// Asks the new host.
    has_turned: bool,
}

/// The new host.
struct Host {
    clocks: Clocks,
    adoption: Adoption,
    adopted: Option<Adopted>,
}

impl Host {
    fn raw(&self, at_s: f64) -> LocalTime {
        LocalTime::from_ticks(self.clocks.client(at_s))
    }
}

/// Plays one round.
pub fn play(plan: &Plan, seed: u64) -> Round {
    let mut game = Game::new(plan, seed);
    while let Some((at_s, event)) = game.agenda.next() {
        if at_s > LENGTH_S {
            break;
        }
        match event {
            Event::Frame(id) => game.frame(id, at_s),
            Event::AtOld(id, letter) => game.at_old(id, &letter, at_s),
            Event::AtNew(id, letter) => game.at_new(id, &letter, at_s),
            Event::AtClient(id, letter) => game.at_client(id, &letter, at_s),
        }
    }
    game.judge()
}

struct Game<'a> {
    plan: &'a Plan,
    agenda: Agenda<Event>,
    players: Vec<Player>,
    host: Host,
    round: Round,
}

impl<'a> Game<'a> {
    fn new(plan: &'a Plan, seed: u64) -> Self {
        let mut agenda = Agenda::default();
        let players: Vec<Player> = (0..plan.clients).map(|id| player(plan, seed, id)).collect();
        let mut random = Random::new(seed, "host");
        for id in 0..plan.clients {
            agenda.add(random.between(0.0, 1.0), Event::Frame(id));
        }
        let clocks =
            if plan.is_player { players[0].clocks.clone() } else { crystal(plan, &mut random, seed) };
        let config = AdoptionConfig { liars: plan.liars as u32, ..AdoptionConfig::of(OLD) };
        let adoption =
            Adoption::new(&config, u128::from(random.word())).expect("the command checks the liars");
        let host = Host { clocks, adoption, adopted: None };
        Game { plan, agenda, players, host, round: Round { seed, ..Round::default() } }
    }

    /// The old host's clock, which goes on although nobody reads it any more.
    fn old_time(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.players[0].clocks.server(at_s))
    }

    fn frame(&mut self, id: usize, at_s: f64) {
        self.agenda.add(at_s + FRAME_S, Event::Frame(id));
        let player = &mut self.players[id];
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        if !player.has_turned && at_s >= DEATH_S + NOTICE_S {
            player.has_turned = true;
            player.client.begin_burst();
        }
        let request = player.client.tick(now).expect("frames are in order");
        let inquiry = player.client.request_authority(now).expect("frames are in order");
        while let Some(event) = player.client.next_event() {
            match event {
                ClientEvent::HandedOver => {
                    self.round.gone_on += 1;
                    self.round.gone_on_ms = self.round.gone_on_ms.max((at_s - DEATH_S) * 1e3);
                }
                ClientEvent::Discontinuity { .. } => self.round.restarts += 1,
                _ => {}
            }
        }
        let letters = request.map(Letter::Request).into_iter();
        for letter in letters.chain(inquiry.map(|inquiry| Letter::Other(inquiry.encode()))) {
            self.up(id, &letter, at_s);
        }
        self.read(id, now, at_s);
    }

    /// Reads the clock and compares it with that of the host it speaks of.
    fn read(&mut self, id: usize, now: LocalTime, at_s: f64) {
        let reading = self.players[id].client.read(now);
        let last = self.players[id].last.replace(reading);
        if at_s < DEATH_S || reading.state == State::Unsynced {
            return;
        }
        let truth = match self.host.adopted {
            Some(adopted) if reading.server_epoch == NEW => adopted.server_time(self.host.raw(at_s)),
            _ => self.old_time(at_s),
        };
        let error = (reading.server_time - truth).abs();
        self.round.reads += 1;
        // The old host's clock is read in ticks, as is the client's.
        self.round.outside += u64::from(error > reading.error_bound + Span::from_ticks(1));
        let is_back =
            last.is_some_and(|last| last.epoch == reading.epoch && reading.server_time < last.server_time);
        self.round.backwards += u64::from(is_back);
        self.round.worst_ms = self.round.worst_ms.max(ms(error));
        if at_s * 1e3 > DEATH_S * 1e3 + self.round.adopted_ms + SETTLED_S * 1e3 {
            self.players[id].errors.push(ms(error) as f32);
        }
    }

    fn up(&mut self, id: usize, letter: &Letter, at_s: f64) {
        let has_turned = self.players[id].has_turned;
        for arrives in self.players[id].legs[usize::from(has_turned)][0].arrivals(at_s) {
            let letter = letter.clone();
            let event = if has_turned { Event::AtNew(id, letter) } else { Event::AtOld(id, letter) };
            self.agenda.add(arrives, event);
        }
    }

    fn down(&mut self, id: usize, host: usize, letter: &Letter, at_s: f64) {
        for arrives in self.players[id].legs[host][1].arrivals(at_s) {
            self.agenda.add(arrives, Event::AtClient(id, letter.clone()));
        }
    }

    fn at_old(&mut self, id: usize, letter: &Letter, at_s: f64) {
        // It knows nothing of timescales and makes no statements.
        let Letter::Request(request) = letter else { return };
        if at_s < DEATH_S {
            let now = self.old_time(at_s);
            let reply = Responder::new(OLD).respond(request, now, now).expect("stamps are in order");
            self.down(id, 0, &Letter::Reply(reply), at_s);
        }
    }

    fn at_new(&mut self, id: usize, letter: &Letter, at_s: f64) {
        let raw = self.host.raw(at_s);
        match (letter, self.host.adopted) {
            (Letter::Request(request), Some(adopted)) => {
                let now = adopted.server_time(raw);
                let reply = Responder::new(NEW).respond(request, now, now).expect("stamps are in order");
                self.down(id, 1, &Letter::Reply(reply), at_s);
            }
            (Letter::Request(_), None) => {
                // Its own client is asked by no message.
                let is_self = self.plan.is_player && id == 0;
                let question = self.host.adoption.request(id as u64, raw).expect("there is room for all");
                if let Some(question) = question.filter(|_| !is_self) {
                    self.down(id, 1, &Letter::Other(question.encode()), at_s);
                }
                self.take_over(at_s);
            }
            (Letter::Other(bytes), Some(adopted)) => {
                let Ok(AuthorityRequest { id: inquiry }) = AuthorityRequest::decode(bytes) else { return };
                let statement = AuthorityReply { id: inquiry, authority: adopted.authority(NEW) };
                let datagram = statement.encode().expect("adoptions give no more than fits");
                self.down(id, 1, &Letter::Other(datagram), at_s);
            }
            (Letter::Other(bytes), None) => {
                let Ok(answer) = AdoptionReply::decode(bytes) else { return };
                // Copies are refused; that is the adoption's own business.
                let _ = self.host.adoption.handle_reply(id as u64, &answer, raw);
                self.take_over(at_s);
            }
            (Letter::Reply(_), _) => {}
        }
    }

    /// Takes the clock over, if everybody answered or was waited for long enough.
    fn take_over(&mut self, at_s: f64) {
        let raw = self.host.raw(at_s);
        if self.plan.is_player && self.host.adoption.answers() == 0 {
            let own = &self.players[0].client;
            let own =
                own.answer_adoption(&AdoptionRequest { id: 0, timescale: OLD }, raw).expect("it was in sync");
            self.host.adoption.add_own_reading(own.time, own.error_bound, raw).expect("it says one thing");
        }
        let waited = at_s >= DEATH_S + NOTICE_S + PATIENCE_S;
        if !waited && (self.host.adoption.answers() as usize) < self.plan.clients {
            return;
        }
        match self.host.adoption.settle(raw) {
            Ok(adopted) => {
                self.round.dispersion_ms = ms(adopted.dispersion);
                self.round.error_ms = ms((adopted.server_time(raw) - self.old_time(at_s)).abs());
                (self.round.answers, self.round.agreeing) = (adopted.answers, adopted.agreeing);
                self.round.adopted_ms = (at_s - DEATH_S) * 1e3;
                self.round.refused = None;
                self.host.adopted = Some(adopted);
            }
            Err(AdoptionError::TooFew { .. }) if !waited => {}
            Err(error) => self.round.refused = Some(error.to_string()),
        }
    }

    fn at_client(&mut self, id: usize, letter: &Letter, at_s: f64) {
        let plan = self.plan;
        let player = &mut self.players[id];
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        match letter {
            // Copies are refused; that is the client's own business.
            Letter::Reply(reply) => drop(player.client.handle_reply(reply, now)),
            Letter::Other(bytes) => {
                if let Ok(statement) = AuthorityReply::decode(bytes) {
                    let _ = player.client.handle_authority_reply(&statement, now);
                }
                let Ok(question) = AdoptionRequest::decode(bytes) else { return };
                let Ok(mut answer) = player.client.answer_adoption(&question, now) else { return };
                if plan.is_one_silent && id + 1 == plan.clients {
                    return;
                }
                // The first who are not the host.
                let first = usize::from(plan.is_player);
                if (first..first + plan.liars).contains(&id) {
                    answer.time += Span::from_secs_f64(plan.lie_ms * 1e-3);
                    answer.error_bound = LIARS_BOUND;
                }
                let datagram = answer.encode().expect("a client gives no more than fits");
                self.up(id, &Letter::Other(datagram), at_s);
            }
            Letter::Request(_) => {}
        }
    }

    fn judge(mut self) -> Round {
        let mut errors: Vec<f32> =
            self.players.iter_mut().flat_map(|player| std::mem::take(&mut player.errors)).collect();
        self.round.p99_ms = if errors.is_empty() { f64::INFINITY } else { quantile(&mut errors, 0.99) };
        self.round
    }
}

fn player(plan: &Plan, seed: u64, id: usize) -> Player {
    let own = seed.wrapping_mul(1_000_003).wrapping_add(id as u64);
    let mut random = Random::new(own, "player");
    let clocks = crystal(plan, &mut random, own);
    let legs = [false, true].map(|is_new| {
        let seed = own.wrapping_add(u64::from(is_new) << 32);
        // Its own host is no way at all.
        let none = LegConfig::default();
        let is_self = is_new && plan.is_player && id == 0;
        let (up, down) = if is_self { (&none, &none) } else { (&plan.world.forward, &plan.world.reverse) };
        [Leg::new(up, seed, "forward"), Leg::new(down, seed, "reverse")]
    });
    let client = Client::new(Config::default(), u128::from(random.word())).expect("the default is valid");
    Player { clocks, client, legs, last: None, errors: Vec::new(), has_turned: false }
}

/// Crystals differ by tens of ppm; two of them by no more than clients allow for.
fn crystal(plan: &Plan, random: &mut Random, seed: u64) -> Clocks {
    let drift_ppm = random.normal(20.0).clamp(-45.0, 45.0);
    Clocks::new(&ClockConfig { drift_ppm, ..plan.world.clock.clone() }, LENGTH_S, seed)
}

fn ms(span: Span) -> f64 {
    span.ticks() as f64 / TICKS_PER_MS
}
