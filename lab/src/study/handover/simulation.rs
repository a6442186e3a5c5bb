//! A simulated host that dies: its clients turn to a new host, which adopts the timescale from them.
//!
//! Each client has its own crystal, and a path to each host. True time `t` is in seconds. The old host's
//! clock shows true time. The new host's clock runs by the crystal of client 0, or of a machine that was no
//! client.

use netclock::adoption::{Adopted, Adoption, AdoptionConfig, AdoptionError};
use netclock::authority::{AdoptionReply, AdoptionRequest, AuthorityReply, AuthorityRequest};
use netclock::wire::Datagram;
use netclock::{
    Client, Config, Event as ClientEvent, LocalTime, Reply, Request, Responder, ServerTime, Span, State,
};

use super::plan::{Plan, Round};
use netclock_sim::agenda::Agenda;
use netclock_sim::clock::{ClockConfig, Clocks};
use netclock_sim::leg::{Leg, LegConfig};
use netclock_sim::measure::figures::quantile;
use netclock_sim::measure::last_read::LastRead;
use netclock_sim::random::Random;

/// The epochs of the two hosts. The old host's epoch is also the name of the timescale.
const OLD: u64 = 7;
const NEW: u64 = 8;
/// Time between the frames of a client (s).
const FRAME_S: f64 = 1.0 / 60.0;
/// The old host dies at this time (s).
pub const DEATH_S: f64 = 30.0;
/// Time after the death at which all clients turn to the new host (s).
const NOTICE_S: f64 = 1.0;
/// How long the new host waits for answers; then it decides with those that it has (s).
const PATIENCE_S: f64 = 1.5;
/// From this time after the adoption, clients count as settled (s).
const SETTLED_S: f64 = 5.0;
/// Length of a round (s).
const LENGTH_S: f64 = 60.0;
/// The error bound that liars claim.
const LIARS_BOUND: Span = Span::from_millis(1);

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
    /// To and from the old host, then to and from the new one.
    legs: [[Leg; 2]; 2],
    last: LastRead,
    errors: Vec<f32>,
    /// Talks to the new host.
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

    /// The time of the old host's clock, which continues after the host's death.
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
        let authority_request = player.client.request_authority(now).expect("frames are in order");
        while let Some(event) = player.client.next_event() {
            match event {
                ClientEvent::HandedOver => self.round.continued += 1,
                ClientEvent::Discontinuity { .. } => self.round.restarts += 1,
                _ => {}
            }
        }
        let letters = request.map(Letter::Request).into_iter();
        for letter in letters.chain(authority_request.map(|request| Letter::Other(request.encode()))) {
            self.up(id, &letter, at_s);
        }
        self.read(id, now, at_s);
    }

    /// Reads the clock and compares it with the clock of the host that it names.
    fn read(&mut self, id: usize, now: LocalTime, at_s: f64) {
        let reading = self.players[id].client.read(now);
        let is_back = self.players[id].last.goes_back(reading.epoch, reading.server_time.ticks());
        if at_s < DEATH_S || reading.state == State::Unsynced {
            return;
        }
        let truth = match self.host.adopted {
            Some(adopted) if reading.server_epoch == NEW => adopted.server_time(self.host.raw(at_s)),
            _ => self.old_time(at_s),
        };
        let error = (reading.server_time - truth).abs();
        self.round.reads += 1;
        // Both clocks are read in whole ticks.
        self.round.outside += u64::from(error > reading.error_bound + Span::from_ticks(1));
        self.round.backwards += u64::from(is_back);
        self.round.worst_ms = self.round.worst_ms.max(error.as_millis_f64());
        if at_s * 1e3 > DEATH_S * 1e3 + self.round.adopted_ms + SETTLED_S * 1e3 {
            self.players[id].errors.push(error.as_millis_f64() as f32);
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
        // The old host answers only requests.
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
                // The new host asks its own client without a message.
                let is_self = self.plan.is_player && id == 0;
                let request = self.host.adoption.request(id as u64, raw).expect("there is room for all");
                if let Some(request) = request.filter(|_| !is_self) {
                    self.down(id, 1, &Letter::Other(request.encode()), at_s);
                }
                self.take_over(at_s);
            }
            (Letter::Other(bytes), Some(adopted)) => {
                let Ok(request) = AuthorityRequest::decode(bytes) else { return };
                let reply = AuthorityReply { id: request.id, authority: adopted.authority(NEW) };
                let datagram = reply.encode().expect("adoptions give no more than fits");
                self.down(id, 1, &Letter::Other(datagram), at_s);
            }
            (Letter::Other(bytes), None) => {
                let Ok(reply) = AdoptionReply::decode(bytes) else { return };
                // The adoption refuses copies.
                let _ = self.host.adoption.handle_reply(id as u64, &reply, raw);
                self.take_over(at_s);
            }
            (Letter::Reply(_), _) => {}
        }
    }

    /// Adopts the timescale if all clients answered, or if the wait is over.
    fn take_over(&mut self, at_s: f64) {
        let raw = self.host.raw(at_s);
        if self.plan.is_player && self.host.adoption.answers() == 0 {
            let own = &self.players[0].client;
            let own = own
                .respond_to_adoption(&AdoptionRequest { id: 0, timescale: OLD }, raw)
                .expect("it was in sync");
            self.host.adoption.add_own_reading(own.time, own.error_bound, raw).expect("it says one thing");
        }
        let waited = at_s >= DEATH_S + NOTICE_S + PATIENCE_S;
        if !waited && (self.host.adoption.answers() as usize) < self.plan.clients {
            return;
        }
        match self.host.adoption.settle(raw) {
            Ok(adopted) => {
                self.round.dispersion_ms = adopted.dispersion.as_millis_f64();
                self.round.error_ms = (adopted.server_time(raw) - self.old_time(at_s)).abs().as_millis_f64();
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
            // The client refuses copies.
            Letter::Reply(reply) => drop(player.client.handle_reply(reply, now)),
            Letter::Other(bytes) => {
                if let Ok(reply) = AuthorityReply::decode(bytes) {
                    let _ = player.client.handle_authority_reply(&reply, now);
                }
                let Ok(request) = AdoptionRequest::decode(bytes) else { return };
                let Ok(mut answer) = player.client.respond_to_adoption(&request, now) else { return };
                if plan.is_one_silent && id + 1 == plan.clients {
                    return;
                }
                // The liars are the first clients, except the host.
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
        // The path of the host to itself has no delay.
        let none = LegConfig::default();
        let is_self = is_new && plan.is_player && id == 0;
        let (up, down) =
            if is_self { (&none, &none) } else { (&plan.network.forward, &plan.network.reverse) };
        [Leg::new(up, seed, "forward"), Leg::new(down, seed, "reverse")]
    });
    let client = Client::new(Config::default(), u128::from(random.word())).expect("the default is valid");
    Player { clocks, client, legs, last: LastRead::default(), errors: Vec::new(), has_turned: false }
}

/// Crystals differ by tens of ppm, and two of them by no more than clients allow.
fn crystal(plan: &Plan, random: &mut Random, seed: u64) -> Clocks {
    let drift_ppm = random.normal(20.0).clamp(-45.0, 45.0);
    Clocks::new(&ClockConfig { drift_ppm, ..plan.network.clock.clone() }, LENGTH_S, seed)
}
