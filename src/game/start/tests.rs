//! Tests when an organiser starts a round and why it waits. Messages may be lost, late, forged, repeated or
//! misdirected.

use super::message::{Claim, Fired};
use super::*;
use crate::clock::{LocalTime, Reading, ServerTime, Span, State};

const FRAME: Span = Span::from_millis(16);
const EPOCH: u64 = 0xFEED_0000_0000_0007;

fn at(millis: i64) -> ServerTime {
    ServerTime::from_ticks(0) + Span::from_millis(millis)
}

fn reading(now: ServerTime, error: Span) -> Reading {
    Reading {
        server_time: now + error,
        error_bound: Span::from_millis(20),
        expected_error: Span::ZERO,
        round_trip: Span::from_millis(40),
        frequency_ppm: 0.0,
        state: State::Synced,
        epoch: 1,
        server_epoch: EPOCH,
    }
}

/// Messages between the organiser and its participants arrive at once unless a test drops them.
struct Simulation {
    now: ServerTime,
    organiser: Organiser,
    players: Vec<Participant>,
    readings: Vec<Reading>,
    fired: Vec<u32>,
}

impl Simulation {
    fn new(players: u64, config: StartConfig) -> Self {
        let mut organiser = Organiser::new(config, EPOCH).expect("in range");
        (0..players).for_each(|id| organiser.admit(id));
        Simulation {
            now: at(1000),
            organiser,
            players: (0..players).map(|_| Participant::default()).collect(),
            readings: (0..players).map(|_| reading(at(1000), Span::ZERO)).collect(),
            fired: vec![0; players as usize],
        }
    }

    /// All announcements arrive, but only the first `heard` players' reports arrive.
    fn frames(&mut self, count: usize, heard: usize) {
        for _ in 0..count {
            self.now += FRAME;
            for player in 0..self.players.len() {
                if let Some(announcement) = self.organiser.announcement() {
                    self.players[player].announced = Some((EPOCH, announcement));
                }
                let reading = Reading { server_time: self.now, ..self.readings[player] };
                self.fired[player] += u32::from(self.tick(player, &reading).fires);
                if let Some(report) = self.players[player].report.take().filter(|_| player < heard) {
                    assert!(self.organiser.receive(player as u64, &report, self.now), "{report:?}");
                }
            }
        }
    }

    fn tick(&mut self, player: usize, reading: &Reading) -> Progress {
        self.players[player].tick(LocalTime::from_ticks(self.now.ticks()), reading)
    }

    fn propose(&mut self) -> Proposal {
        self.organiser.propose(self.now, self.now, 0.999).expect("no start is under way")
    }

    fn start(&mut self) -> ServerTime {
        match self.propose() {
            Proposal::Scheduled { at, left_behind: 0, .. } => at,
            other => panic!("{other:?}"),
        }
    }

    fn held_up(&mut self) -> (u64, HoldUp) {
        match self.propose() {
            Proposal::HeldUp { participant, reason, .. } => (participant, reason),
            other => panic!("{other:?}"),
        }
    }
}

fn game(players: u64) -> Simulation {
    let mut game = Simulation::new(players, StartConfig::default());
    game.frames(60, players as usize);
    game
}

#[test]
fn lateness_is_measured_in_the_frame_and_has_a_bound() {
    let mut game = game(1);
    let start = game.start();
    game.frames(5, 1);
    let early = game.tick(0, &reading(start - Span::from_ticks(1), Span::ZERO));
    assert_eq!((early.stage, early.fires, early.at), (Stage::Announced, false, start));
    let progress = game.tick(0, &reading(start, Span::from_millis(7)));
    assert_eq!((progress.stage, progress.fires), (Stage::Started, true));
    assert_eq!((progress.version, progress.at), (early.version, start), "not the announced start");
    assert_eq!(progress.lateness, Span::from_millis(7));
    assert_eq!(progress.error_bound, Span::from_millis(20));
    assert!(!progress.joins_late);
    let after = game.tick(0, &reading(start, Span::from_millis(30)));
    assert_eq!((after.fires, after.lateness), (false, Span::from_millis(7)));
}

#[test]
fn each_reason_to_wait_is_named() {
    let mut game = game(3);
    let good = game.readings[1];
    let mut worse = |change: fn(&mut Reading)| {
        game.readings[1] = good;
        change(&mut game.readings[1]);
        game.frames(20, 3);
        let named = game.held_up();
        game.readings[1] = good;
        game.frames(20, 3);
        named
    };
    assert_eq!(worse(|reading| reading.state = State::Doubtful), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.state = State::Unsynced), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.error_bound = Span::MAX), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.server_epoch += 1), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.expected_error = Span::from_millis(2)), (1, HoldUp::Inaccurate));
    assert_eq!(worse(|reading| reading.round_trip = Span::from_secs(5)), (1, HoldUp::TooSlow));
    let mut silent = Simulation::new(2, StartConfig::default());
    silent.frames(60, 1);
    assert_eq!(silent.held_up(), (1, HoldUp::Silent));
    for (id, hold_up) in [(0, None), (1, Some(HoldUp::Silent))] {
        assert_eq!(silent.organiser.participation(id, silent.now).expect("admitted").hold_up, hold_up);
    }
    silent.organiser.remove(1);
    silent.start();
}

#[test]
fn no_claim_delays_a_start_beyond_the_patience() {
    let patience = Span::from_secs(4);
    let liars: [fn(&mut Reading); 4] = [
        |reading| reading.state = State::Unsynced,
        |reading| reading.expected_error = Span::from_secs(1),
        |reading| reading.round_trip = Span::from_secs(400),
        // A slightly longer round trip would count as too slow.
        |reading| reading.round_trip = Span::from_millis(1_300),
    ];
    for (number, lie) in liars.into_iter().enumerate() {
        let mut game = Simulation::new(3, StartConfig { patience, ..StartConfig::default() });
        lie(&mut game.readings[2]);
        game.frames(60, 3);
        let asked = game.now;
        let (start, left_behind) = loop {
            match game.propose() {
                Proposal::Scheduled { at, left_behind, .. } => break (at, left_behind),
                Proposal::HeldUp { participant, count, .. } => assert_eq!((participant, count), (2, 1)),
            }
            game.frames(1, 3);
        };
        assert!(start - asked <= patience, "liar {number} delayed the start by {}", start - asked);
        assert!(start > game.now, "liar {number} makes the others start in the past");
        assert_eq!(left_behind, u32::from(number < 3), "liar {number}");
        game.frames(300, 3);
        assert_eq!(game.fired[..2], [1, 1]);
        let result = game.organiser.result().expect("started");
        assert_eq!((result.counted, result.at), (3 - left_behind, start), "liar {number}");
        assert!(result.latest < FRAME, "liar {number} made others late: {}", result.latest);
    }
}

#[test]
fn impossible_results_are_rejected() {
    let mut game = game(1);
    let start = game.start();
    let version = game.organiser.announcement().expect("scheduled").version;
    let claim = Claim { error_bound: Span::ZERO, expected_error: Span::ZERO, round_trip: Span::ZERO, run: 7 };
    let (late, error_bound) = (Span::from_millis(5), Span::from_millis(20));
    let result = Fired { version, at: start + late, error_bound };
    let early = Fired { at: start - Span::from_ticks(1), ..result };
    let other = Fired { version: 9, ..result };
    // The clock may be ahead by up to its bound of 20 ms.
    let soonest = result.at - error_bound;
    let organiser = &mut game.organiser;
    let report = |number, fired| Report { number, claim, fired: Some(fired) };
    let before = organiser.participation(0, start);
    for (fired, now) in [(early, start + late), (result, soonest - Span::from_ticks(1))] {
        assert!(!organiser.receive(0, &report(100, fired), now));
        assert_eq!(organiser.participation(0, start), before, "a rejected result changed the state");
    }
    assert!(organiser.receive(0, &report(101, other), soonest), "the claim counts");
    assert_eq!(organiser.result().expect("scheduled").fired, 0);
    assert!(organiser.receive(0, &report(102, result), soonest));
    assert!(!organiser.receive(0, &report(102, result), soonest), "a copy");
    assert!(organiser.receive(0, &report(103, Fired { at: start, ..result }), start), "the claim counts");
    assert_eq!(organiser.result().expect("scheduled").fired, 1, "once");
    assert_eq!(organiser.participation(0, start).expect("admitted").lateness, Some(late));
}

#[test]
fn an_announcement_takes_effect_once_the_clock_follows_its_epoch() {
    let mut game = game(1);
    let start = game.start();
    game.frames(3, 1);
    game.players[0].announced = Some((EPOCH + 1, Announcement { version: 1, at: Some(start) }));
    assert_eq!(game.tick(0, &reading(start, Span::ZERO)).stage, Stage::Started, "the old run is shown");
    let other = Reading { server_epoch: EPOCH + 1, ..reading(start - FRAME, Span::ZERO) };
    let progress = game.tick(0, &other);
    assert_eq!((progress.stage, progress.fires, progress.version), (Stage::Announced, false, 1));
    assert!(game.tick(0, &Reading { server_time: start, ..other }).fires);
    let back = game.tick(0, &reading(start + FRAME, Span::ZERO));
    assert_eq!((back.stage, back.fires), (Stage::Waiting, false), "the old run's start is forgotten");
}
