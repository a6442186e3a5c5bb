//! Simulated starts: a server and many clients, each client with its own path, crystal and frame loop.
//!
//! The messages of the clock and of the start use the same paths. Messages of the clock are stamped on
//! arrival. Messages of the start leave and are handled at frames, as in a game. True time `t` is in seconds;
//! the server's clock shows it.

use netclock::start::{HoldUp, Organiser, OrganiserConfig, Participant, Proposal, StartResult};
use netclock::wire::Datagram;
use netclock::{Client, Config, LocalTime, Reply, Request, Responder, ServerTime, Span};

use super::plan::{Plan, Round};
use netclock_sim::agenda::Agenda;
use netclock_sim::clock::{ClockConfig, Clocks};
use netclock_sim::frames::{FrameConfig, Frames};
use netclock_sim::leg::Leg;
use netclock_sim::random::Random;

/// Frames per second of clients and server.
pub const FPS: f64 = 60.0;
/// The first proposal, unless the plan says otherwise (s), and the confidence of all.
pub const SETTLE_S: f64 = 10.0;
const CONFIDENCE: f64 = 0.999;
/// The epoch of the server.
const EPOCH: u64 = 7;
/// Clients join within this time (s).
const JOIN_S: f64 = 3.0;
/// Time from a start's scheduling to its cancellation, and from there to the next proposal (s).
const CANCEL_AFTER_S: f64 = 0.1;
/// Time from the start to the arrival of the late joiner (s).
const LATE_S: f64 = 1.0;
/// A round ends this long after the start (s) ...
const AFTER_S: f64 = 5.0;
/// ... or this long after the first proposal, if there is no start (s).
const LONGEST_S: f64 = 80.0;

#[derive(Clone, Debug)]
enum Letter {
    Request(Request),
    Reply(Reply),
    Start(Datagram),
}

/// An event of a round.
enum Event {
    ServerFrame,
    ClientFrame(usize),
    AtServer(usize, Letter),
    AtClient(usize, Letter),
}

struct Player {
    clocks: Clocks,
    client: Client,
    participant: Participant,
    up: Leg,
    down: Leg,
    frames: Frames,
    joins_s: f64,
    inbox: Vec<Datagram>,
    silent: bool,
    /// Each start: its version, its true time (s), and the reported lateness and bound.
    fired: Vec<(u32, f64, Span, Span)>,
    joined: bool,
}

/// Plays one round.
pub fn play(plan: &Plan, seed: u64) -> Round {
    let mut game = Game::new(plan, seed);
    while let Some((at_s, event)) = game.agenda.next() {
        if at_s > game.end_s {
            break;
        }
        match event {
            Event::ServerFrame => game.server_frame(at_s),
            Event::ClientFrame(id) => game.client_frame(id, at_s),
            Event::AtServer(id, letter) => game.at_server(id, &letter, at_s),
            Event::AtClient(id, letter) => game.at_client(id, letter, at_s),
        }
    }
    game.judge()
}

struct Game<'a> {
    plan: &'a Plan,
    agenda: Agenda<Event>,
    responder: Responder,
    organiser: Organiser,
    server_frames: Frames,
    server_inbox: Vec<(usize, Datagram)>,
    players: Vec<Player>,
    first_proposal_s: Option<f64>,
    cancel_s: Option<f64>,
    propose_s: f64,
    cancelled: Option<u32>,
    start: Option<(f64, u32)>,
    end_s: f64,
    round: Round,
}

impl<'a> Game<'a> {
    fn new(plan: &'a Plan, seed: u64) -> Self {
        let count = plan.clients + usize::from(plan.rough);
        let config = OrganiserConfig { capacity: count as u32, ..plan.organiser };
        let mut organiser = Organiser::new(config, EPOCH).expect("settings are checked by the command");
        let mut agenda = Agenda::default();
        let players: Vec<Player> = (0..count).map(|id| player(plan, seed, id)).collect();
        for (id, player) in players.iter().enumerate().take(plan.clients) {
            organiser.admit(id as u64).expect("there is room for all");
            agenda.add(player.joins_s, Event::ClientFrame(id));
        }
        let server_frames = frames(0.0, seed, "server");
        agenda.add(server_frames.next(0.0), Event::ServerFrame);
        Game {
            plan,
            agenda,
            responder: Responder::new(EPOCH),
            organiser,
            server_frames,
            server_inbox: Vec::new(),
            players,
            first_proposal_s: None,
            cancel_s: None,
            propose_s: plan.settle_s,
            cancelled: None,
            start: None,
            end_s: plan.settle_s + LONGEST_S,
            round: Round { seed, ..Round::default() },
        }
    }

    fn server_time(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.players[0].clocks.server(at_s))
    }

    fn server_frame(&mut self, at_s: f64) {
        let now = self.server_time(at_s);
        for (id, datagram) in std::mem::take(&mut self.server_inbox) {
            // The organiser refuses repeated and overtaken messages.
            let _ = self.organiser.receive(id as u64, &datagram, now);
        }
        if self.start.is_none() && at_s >= self.propose_s {
            self.propose(at_s, now);
        }
        if self.cancel_s.is_some_and(|cancel_s| at_s >= cancel_s) {
            self.cancel_s = None;
            self.organiser.cancel(now).expect("the start is yet to come");
            self.cancelled = self.start.take().map(|(_, version)| version);
            self.propose_s = at_s + CANCEL_AFTER_S;
            self.first_proposal_s = None;
        }
        if let Some((start_s, _)) =
            self.start.filter(|_| self.plan.rough && self.players.last().is_some_and(|it| !it.joined))
        {
            if at_s >= start_s + LATE_S {
                let id = self.players.len() - 1;
                self.players[id].joined = true;
                self.organiser.admit(id as u64).expect("there is room for one more");
                self.agenda.add(at_s, Event::ClientFrame(id));
            }
        }
        while let Some((id, datagram)) = self.organiser.next_message(now) {
            self.down(id as usize, Letter::Start(datagram), at_s);
        }
        self.agenda.add(self.server_frames.next(at_s + 1e-9), Event::ServerFrame);
    }

    fn propose(&mut self, at_s: f64, now: ServerTime) {
        let first_s = *self.first_proposal_s.get_or_insert(at_s);
        match self.organiser.propose(now, CONFIDENCE).expect("the confidence is in range") {
            Proposal::HeldUp { participant, reason, .. } => {
                self.round.held_up_by = Some((participant, name(reason).to_owned()));
            }
            Proposal::Scheduled { at, version, .. } => {
                let lead_s = (at - now).as_secs_f64();
                self.start = Some((at_s + lead_s, version));
                self.end_s = at_s + lead_s + AFTER_S;
                self.round.lead_ms = lead_s * 1e3;
                self.round.held_up_ms = self.round.held_up_ms.max((at_s - first_s) * 1e3);
                if self.plan.rough && self.cancelled.is_none() {
                    self.cancel_s = Some(at_s + CANCEL_AFTER_S);
                    self.end_s = self.plan.settle_s + LONGEST_S;
                }
            }
        }
    }

    fn client_frame(&mut self, id: usize, at_s: f64) {
        let player = &mut self.players[id];
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        for datagram in std::mem::take(&mut player.inbox) {
            // The participant refuses stale announcements.
            let _ = player.participant.receive(&datagram);
        }
        let request = player.client.tick(now).expect("frames are in order");
        let progress = player.participant.tick(now, &player.client.read(now)).expect("valid");
        if progress.fires {
            player.fired.push((progress.version, at_s, progress.lateness, progress.error_bound));
            self.round.heard_late += u32::from(progress.joins_late && id < self.plan.clients);
        }
        let mut letters: Vec<Letter> = request.map(Letter::Request).into_iter().collect();
        while let Some(datagram) = player.participant.next_message() {
            if !player.silent {
                letters.push(Letter::Start(datagram));
            }
        }
        let again = player.frames.next(at_s + 1e-9);
        for letter in letters {
            for arrives in self.players[id].up.arrivals(at_s) {
                self.agenda.add(arrives, Event::AtServer(id, letter.clone()));
            }
        }
        self.agenda.add(again, Event::ClientFrame(id));
    }

    fn at_server(&mut self, id: usize, letter: &Letter, at_s: f64) {
        match letter {
            Letter::Request(request) => {
                let now = self.server_time(at_s);
                let reply = self.responder.respond(request, now, now).expect("stamps are in order");
                self.down(id, Letter::Reply(reply), at_s);
            }
            Letter::Start(datagram) => self.server_inbox.push((id, *datagram)),
            Letter::Reply(_) => {}
        }
    }

    fn at_client(&mut self, id: usize, letter: Letter, at_s: f64) {
        let player = &mut self.players[id];
        match letter {
            Letter::Reply(reply) => {
                let arrived = LocalTime::from_ticks(player.clocks.client(at_s));
                // The client refuses copies.
                let _ = player.client.handle_reply(&reply, arrived);
            }
            Letter::Start(datagram) => player.inbox.push(datagram),
            Letter::Request(_) => {}
        }
    }

    fn down(&mut self, id: usize, letter: Letter, at_s: f64) {
        for arrives in self.players[id].down.arrivals(at_s) {
            self.agenda.add(arrives, Event::AtClient(id, letter.clone()));
        }
    }

    fn judge(mut self) -> Round {
        let mut round = std::mem::take(&mut self.round);
        let Some((start_s, version)) = self.start else {
            round.faults.push("no start was scheduled".into());
            return round;
        };
        let result = self.organiser.result().expect("a start was scheduled");
        round.counted = result.counted;
        round.reported_ms = (result.latest - result.earliest).as_millis_f64();
        let mut moments = Vec::new();
        for (id, player) in self.players.iter().enumerate() {
            let known = self.organiser.participation(id as u64, self.server_time(self.end_s));
            let counted = known.is_ok_and(|known| known.counted);
            let of_this = player.fired.iter().filter(|(of, ..)| *of == version).count();
            if player.fired.len() != of_this {
                round.faults.push(format!("client {id} started after the cancellation"));
            }
            if of_this != usize::from(!player.silent) {
                round.faults.push(format!("client {id} started {of_this} times"));
            }
            for &(_, at_s, lateness, bound) in &player.fired {
                let true_ms = (at_s - start_s) * 1e3;
                let error_ms = lateness.as_millis_f64() - true_ms;
                if error_ms.abs() > bound.as_millis_f64() + 1e-3 {
                    round.faults.push(format!(
                        "client {id}: lateness {lateness} is off by {error_ms} ms, beyond {bound}"
                    ));
                }
                if counted {
                    moments.push((true_ms, error_ms));
                } else if id >= self.plan.clients {
                    round.joined_ms = Some(lateness.as_millis_f64());
                }
            }
        }
        self.compare(&mut round, &result, &moments);
        round
    }

    /// Compares the truth with what the server computed.
    fn compare(&self, round: &mut Round, result: &StartResult, moments: &[(f64, f64)]) {
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let (low, high) = moments
                .iter()
                .map(of)
                .fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(it), high.max(it)));
            if moments.is_empty() { 0.0 } else { high - low }
        };
        (round.spread_ms, round.clocks_ms) = (spread(|it| it.0), spread(|it| it.1));
        if (result.acknowledged, result.fired) != (result.counted, result.counted) {
            round.faults.push(format!("the server received {} of {} starts", result.fired, result.counted));
        }
        if self.plan.rough {
            if round.held_up_by != Some((0, name(HoldUp::Silent).to_owned())) {
                round.faults.push(format!("held up by {:?} instead of the silent client", round.held_up_by));
            }
            let joiner = &self.players[self.plan.clients];
            if joiner.fired.len() == 1 && round.joined_ms.is_none_or(|late| late < LATE_S * 1e3) {
                round.faults.push(format!("the late joiner reports {:?} ms", round.joined_ms));
            }
        }
    }
}

fn player(plan: &Plan, seed: u64, id: usize) -> Player {
    let own = seed.wrapping_mul(1_000_003).wrapping_add(id as u64);
    let mut random = Random::new(own, "player");
    // Crystals differ by tens of ppm, and frame loops do too.
    let clock =
        ClockConfig { drift_ppm: random.normal(20.0).clamp(-80.0, 80.0), ..plan.network.clock.clone() };
    Player {
        clocks: Clocks::new(&clock, plan.settle_s + LONGEST_S, own),
        client: Client::new(Config::default(), u128::from(random.word())).expect("the default is valid"),
        participant: Participant::new(random.word()),
        up: Leg::new(&plan.network.forward, own, "forward"),
        down: Leg::new(&plan.network.reverse, own, "reverse"),
        frames: frames(random.between(-50.0, 50.0), own, "client"),
        joins_s: random.between(0.0, JOIN_S),
        inbox: Vec::new(),
        silent: plan.rough && id == 0,
        fired: Vec::new(),
        joined: id < plan.clients,
    }
}

fn frames(ppm: f64, seed: u64, name: &str) -> Frames {
    Frames::new(&FrameConfig::even(FPS, ppm), seed, name)
}

/// A reason in words.
fn name(reason: HoldUp) -> &'static str {
    match reason {
        HoldUp::Silent => "silent",
        HoldUp::Unsynced => "not in sync",
        HoldUp::Inaccurate => "not accurate enough",
        HoldUp::TooSlow => "too slow",
    }
}
