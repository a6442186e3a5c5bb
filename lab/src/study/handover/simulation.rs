//! A simulated host that dies. Its clients switch to a new host, which adopts the timescale from them.
//!
//! Each client has its own crystal, and a path to each host. True time `t` is in seconds. The old host's
//! clock shows true time. The new host's clock runs on the crystal of client 0, or on that of a machine that
//! was not a client.

use netclock::adoption::{Adopted, Adoption, AdoptionConfig, AdoptionError};
use netclock::authority::{AdoptionReply, AdoptionRequest};
use netclock::wire::{self, Datagram};
use netclock::{Client, Config, Event, LocalTime, Reading, Request, Responder, ServerTime, Span, State};

use netclock_sim::agenda::Agenda;
use netclock_sim::clock::{ClockConfig, Clocks};
use netclock_sim::leg::{Leg, LegConfig};
use netclock_sim::measure::account::Account;
use netclock_sim::measure::figures::quantile;
use netclock_sim::network::NetworkConfig;
use netclock_sim::random::Random;

/// The epochs of the two hosts. The old host's epoch is also the name of the timescale.
const OLD: u64 = 7;
const NEW: u64 = 8;
/// Time between a client's frames (s).
const FRAME_S: f64 = 1.0 / 60.0;
/// The time at which the old host dies (s), and how much later all clients switch to the new host.
const DEATH_S: f64 = 30.0;
const NOTICE_S: f64 = 1.0;
/// How long the new host waits for answers (s). After that, it decides with the answers that it has.
const PATIENCE_S: f64 = 1.5;
/// This long after the adoption, clients count as settled (s).
const SETTLED_S: f64 = 5.0;
/// Length of a round (s).
const LENGTH_S: f64 = 60.0;
/// The error bound that liars claim.
const LIARS_BOUND: Span = Span::from_millis(1);

/// The parameters of a round.
#[derive(Clone, Debug)]
pub struct RoundConfig {
    /// The path of each client to each host; each path has its own seed.
    pub network: NetworkConfig,
    pub clients: usize,
    /// Number of clients that tell the new host the same lie. The host is configured to tolerate this number.
    pub liars: usize,
    /// Claimed time minus true time.
    pub lie_ms: f64,
    /// The new host was a client before.
    pub is_player: bool,
    /// The last client never answers the new host.
    pub is_one_silent: bool,
}

/// The results of a round.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    /// The dispersion that the new host stated, and the true difference between its clock and the old host's
    /// at the adoption.
    pub dispersion_ms: f64,
    pub error_ms: f64,
    /// Number of clients that answered the new host, and number of those that agree.
    pub answers: u32,
    pub agreeing: u32,
    /// Time since the death of the old host.
    pub adopted_ms: f64,
    /// Number of clients that continued without a step, and number of those that started over.
    pub continued: u32,
    pub restarts: u32,
    /// The clients' reads after the death.
    pub account: Account,
    /// Errors of the shown time: after the clients have settled on the new host, and since the death of the
    /// old one.
    pub p99_ms: f64,
    pub worst_ms: f64,
    /// Why the new host could not adopt the timescale, if it never did.
    pub refused: Option<String>,
}

impl Round {
    /// The promises that were broken.
    pub fn faults(&self, plan: &RoundConfig) -> Vec<String> {
        let Round { seed, account, restarts, continued, error_ms, dispersion_ms, .. } = self;
        let Account { reads, outside, backwards, .. } = *account;
        let refused = self.refused.as_deref().unwrap_or_default();
        let all = [
            (outside > 0, format!("{outside} of {reads} reads outside their bound")),
            (backwards > 0, format!("{backwards} reads backwards")),
            (*restarts > 0, format!("{restarts} clients started over")),
            (
                *continued as usize != plan.clients,
                format!("{continued} of {} clients continued", plan.clients),
            ),
            (
                error_ms > dispersion_ms,
                format!("the new clock is off by {error_ms} ms, but its dispersion is {dispersion_ms} ms"),
            ),
            (!refused.is_empty(), format!("the new host could not adopt the timescale: {refused}")),
        ];
        all.into_iter().filter(|it| it.0).map(|(_, words)| format!("seed {seed}: {words}")).collect()
    }
}

enum Step {
    Frame,
    AtOld(Datagram),
    AtNew(Datagram),
    AtClient(Datagram),
}

struct Player {
    clocks: Clocks,
    client: Client,
    /// The legs to and from the old host, then those to and from the new one.
    legs: [[Leg; 2]; 2],
    account: Account,
    /// The client has switched to the new host.
    has_turned: bool,
}

struct Simulation<'a> {
    plan: &'a RoundConfig,
    agenda: Agenda<(usize, Step)>,
    players: Vec<Player>,
    /// The new host.
    clocks: Clocks,
    adoption: Adoption,
    adopted: Option<Adopted>,
    /// Errors of settled clients (ms).
    errors: Vec<f32>,
    round: Round,
}

pub fn play(plan: &RoundConfig, seed: u64) -> Round {
    let mut simulation = Simulation::new(plan, seed);
    while let Some((at_s, (id, step))) = simulation.agenda.next().filter(|(at_s, _)| *at_s <= LENGTH_S) {
        match step {
            Step::Frame => simulation.frame(id, at_s),
            Step::AtOld(bytes) => simulation.at_old(id, &bytes, at_s),
            Step::AtNew(bytes) => simulation.at_new(id, &bytes, at_s),
            Step::AtClient(bytes) => simulation.at_client(id, &bytes, at_s),
        }
    }
    let account = simulation.players.iter().map(|player| player.account).sum();
    Round { p99_ms: quantile(&mut simulation.errors, 0.99), account, ..simulation.round }
}

impl<'a> Simulation<'a> {
    fn new(plan: &'a RoundConfig, seed: u64) -> Self {
        let mut agenda = Agenda::default();
        let players: Vec<Player> = (0..plan.clients).map(|id| player(plan, seed, id)).collect();
        let mut random = Random::new(seed, "host");
        for id in 0..plan.clients {
            agenda.add(random.between(0.0, 1.0), (id, Step::Frame));
        }
        let clocks =
            if plan.is_player { players[0].clocks.clone() } else { crystal(plan, &mut random, seed) };
        let config = AdoptionConfig { liars: plan.liars as u32, ..AdoptionConfig::of(OLD) };
        let adoption =
            Adoption::new(&config, u128::from(random.word())).expect("the command checks the liars");
        let round = Round { seed, ..Round::default() };
        Simulation { plan, agenda, players, clocks, adoption, adopted: None, errors: Vec::new(), round }
    }

    /// The time of the old host's clock, which continues after the host's death.
    fn old_time(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.players[0].clocks.server(at_s))
    }

    /// The clock of the new host's machine.
    fn raw(&self, at_s: f64) -> LocalTime {
        LocalTime::from_ticks(self.clocks.client(at_s))
    }

    fn frame(&mut self, id: usize, at_s: f64) {
        self.agenda.add(at_s + FRAME_S, (id, Step::Frame));
        let player = &mut self.players[id];
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        if !player.has_turned && at_s >= DEATH_S + NOTICE_S {
            player.has_turned = true;
            player.client.begin_burst();
        }
        let request = player.client.tick(now).expect("frames are in order");
        while let Some(event) = player.client.next_event() {
            self.round.continued += u32::from(event == Event::HandedOver);
            // A first synchronisation behind a queue may be corrected at once. That would be long before the
            // handover.
            let is_restart = at_s >= DEATH_S && matches!(event, Event::Discontinuity { .. });
            self.round.restarts += u32::from(is_restart);
        }
        if let Some(request) = request {
            self.up(id, wire::encode_request(&request).expect("in range"), at_s);
        }
        self.read(id, now, at_s);
    }

    /// Reads the clock and compares it with the clock of the host that the reading names.
    fn read(&mut self, id: usize, now: LocalTime, at_s: f64) {
        let reading = self.players[id].client.read(now);
        if at_s < DEATH_S || reading.state == State::Unsynced {
            return;
        }
        let truth = match self.adopted {
            Some(adopted) if reading.server_epoch == NEW => adopted.server_time(self.raw(at_s)),
            _ => self.old_time(at_s),
        };
        // Both clocks are read in whole ticks.
        let error_bound = reading.error_bound + Span::from_ticks(1);
        let error = self.players[id].account.add(&Reading { error_bound, ..reading }, truth).abs();
        self.round.worst_ms = self.round.worst_ms.max(error.as_millis_f64());
        if at_s * 1e3 > DEATH_S * 1e3 + self.round.adopted_ms + SETTLED_S * 1e3 {
            self.errors.push(error.as_millis_f64() as f32);
        }
    }

    fn up(&mut self, id: usize, bytes: Datagram, at_s: f64) {
        let has_turned = self.players[id].has_turned;
        for arrives in self.players[id].legs[usize::from(has_turned)][0].arrivals(at_s) {
            self.agenda.add(arrives, (id, if has_turned { Step::AtNew(bytes) } else { Step::AtOld(bytes) }));
        }
    }

    fn down(&mut self, id: usize, host: usize, bytes: Datagram, at_s: f64) {
        for arrives in self.players[id].legs[host][1].arrivals(at_s) {
            self.agenda.add(arrives, (id, Step::AtClient(bytes)));
        }
    }

    /// Answers a request at time `now` of the host's clock.
    fn answer(&mut self, id: usize, host: usize, request: &Request, now: ServerTime, at_s: f64) {
        let responder = Responder::new([OLD, NEW][host]);
        let reply = responder.respond(request, now, now).expect("stamps are in order");
        self.down(id, host, wire::encode_reply(&reply).expect("in range"), at_s);
    }

    /// Lets the old host handle a datagram. It only answers requests.
    fn at_old(&mut self, id: usize, bytes: &Datagram, at_s: f64) {
        if let Some(request) = wire::decode_request(bytes).ok().filter(|_| at_s < DEATH_S) {
            self.answer(id, 0, &request, self.old_time(at_s), at_s);
        }
    }

    fn at_new(&mut self, id: usize, bytes: &Datagram, at_s: f64) {
        let raw = self.raw(at_s);
        if let Some(adopted) = self.adopted {
            if let Ok(request) = wire::decode_request(bytes) {
                self.answer(id, 1, &request, adopted.server_time(raw), at_s);
            }
            return;
        }
        if wire::decode_request(bytes).is_ok() {
            // The new host gets its own client's answer without a message.
            let is_self = self.plan.is_player && id == 0;
            let request = self.adoption.request(id as u64, raw).expect("there is room for all");
            if let Some(request) = request.filter(|_| !is_self) {
                self.down(id, 1, request.encode(), at_s);
            }
        } else if let Ok(reply) = AdoptionReply::decode(bytes) {
            // The adoption refuses copies.
            let _ = self.adoption.handle_reply(id as u64, &reply, raw);
        } else {
            return;
        }
        self.take_over(raw, at_s);
    }

    /// Adopts the timescale if all clients have answered, or if the wait is over.
    fn take_over(&mut self, raw: LocalTime, at_s: f64) {
        if self.plan.is_player && self.adoption.answers() == 0 {
            let request = AdoptionRequest { id: 0, timescale: OLD };
            let own = self.players[0].client.respond_to_adoption(&request, raw).expect("it was in sync");
            self.adoption.add_own_reading(own.time, own.error_bound, raw).expect("it says one thing");
        }
        let waited = at_s >= DEATH_S + NOTICE_S + PATIENCE_S;
        if !waited && (self.adoption.answers() as usize) < self.plan.clients {
            return;
        }
        match self.adoption.settle(raw) {
            Ok(adopted) => {
                self.round.dispersion_ms = adopted.dispersion.as_millis_f64();
                self.round.error_ms = (adopted.server_time(raw) - self.old_time(at_s)).abs().as_millis_f64();
                (self.round.answers, self.round.agreeing) = (adopted.answers, adopted.agreeing);
                self.round.adopted_ms = (at_s - DEATH_S) * 1e3;
                (self.round.refused, self.adopted) = (None, Some(adopted));
            }
            Err(AdoptionError::TooFew { .. }) if !waited => {}
            Err(error) => self.round.refused = Some(error.to_string()),
        }
    }

    fn at_client(&mut self, id: usize, bytes: &Datagram, at_s: f64) {
        let (plan, player) = (self.plan, &mut self.players[id]);
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        // The client refuses copies.
        if let Ok(reply) = wire::decode_reply(bytes) {
            // In a session, the datagram with a host's reply also states the host's authority.
            if let Some(adopted) = self.adopted.filter(|_| reply.epoch == NEW) {
                let _ = player.client.set_authority(&adopted.authority(NEW), now);
            }
            let _ = player.client.handle_reply(&reply, now);
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
        self.up(id, answer.encode().expect("a client gives no more than fits"), at_s);
    }
}

fn player(plan: &RoundConfig, seed: u64, id: usize) -> Player {
    let own = seed.wrapping_mul(1_000_003).wrapping_add(id as u64);
    let mut random = Random::new(own, "player");
    let clocks = crystal(plan, &mut random, own);
    let legs = [false, true].map(|is_new| {
        let seed = own.wrapping_add(u64::from(is_new) << 32);
        // The path from the host to itself has no delay.
        let none = LegConfig::default();
        let is_self = is_new && plan.is_player && id == 0;
        let (up, down) =
            if is_self { (&none, &none) } else { (&plan.network.forward, &plan.network.reverse) };
        [Leg::new(up, seed, "forward"), Leg::new(down, seed, "reverse")]
    });
    let client = Client::new(Config::default(), u128::from(random.word())).expect("the default is valid");
    Player { clocks, client, legs, account: Account::default(), has_turned: false }
}

/// Crystals differ by tens of ppm, but no two differ by more than clients allow for.
fn crystal(plan: &RoundConfig, random: &mut Random, seed: u64) -> Clocks {
    let drift_ppm = random.normal(20.0).clamp(-45.0, 45.0);
    Clocks::new(&ClockConfig { drift_ppm, ..plan.network.clock.clone() }, LENGTH_S, seed)
}
