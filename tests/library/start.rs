//! Tests when an organiser starts a round and why it waits. Messages may be lost, late, forged, repeated or
//! misdirected.

use netclock::start::{
    HoldUp, Organiser, OrganiserConfig, Participant, Progress, Proposal, Stage, StartError,
};
use netclock::{LocalTime, Reading, ServerTime, Span, State};

mod refusals;

const MILLISECOND: Span = Span::from_millis(1);
const FRAME: Span = Span::from_millis(16);
const EPOCH: u64 = 0xFEED_0000_0000_0007;
const CONFIDENCE: f64 = 0.999;

fn at(millis: i64) -> ServerTime {
    ServerTime::from_ticks(0) + Span::from_millis(millis)
}

fn reading(now: ServerTime, error: Span) -> Reading {
    netclock_sim::reading(EPOCH, now + error, Span::from_millis(20))
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
    fn new(players: u64, config: OrganiserConfig) -> Self {
        let mut organiser = Organiser::new(config, EPOCH).expect("in range");
        for id in 0..players {
            organiser.admit(id).expect("there is room");
        }
        Simulation {
            now: at(1000),
            organiser,
            players: (0..players).map(|_| Participant::default()).collect(),
            readings: (0..players).map(|_| reading(at(1000), Span::ZERO)).collect(),
            fired: vec![0; players as usize],
        }
    }

    fn frame(&mut self, mut passes: impl FnMut(usize, bool) -> bool) {
        self.now += FRAME;
        while let Some((id, datagram)) = self.organiser.next_message(self.now) {
            if passes(id as usize, true) {
                let handled = self.players[id as usize].receive(&datagram);
                assert!(matches!(handled, Ok(()) | Err(StartError::OtherRun)), "{handled:?}");
            }
        }
        for player in 0..self.players.len() {
            let reading = Reading { server_time: self.now, ..self.readings[player] };
            self.fired[player] += u32::from(self.tick(player, &reading).fires);
            while let Some(datagram) = self.players[player].next_message() {
                if passes(player, false) {
                    let told = self.organiser.receive(player as u64, &datagram, self.now);
                    assert!(
                        matches!(told, Ok(()) | Err(StartError::Duplicate | StartError::Stale)),
                        "{told:?}"
                    );
                }
            }
        }
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.frame(|_, _| true);
        }
    }

    fn tick(&mut self, player: usize, reading: &Reading) -> Progress {
        self.players[player].tick(LocalTime::from_ticks(self.now.ticks()), reading).expect("valid")
    }

    fn propose(&mut self) -> Proposal {
        self.organiser.propose(self.now, self.now, CONFIDENCE).expect("no start is under way")
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
    let mut game = Simulation::new(players, OrganiserConfig::default());
    game.frames(60);
    game
}

#[test]
fn lateness_is_measured_in_the_frame_and_has_a_bound() {
    let mut game = game(1);
    let start = game.start();
    game.frames(5);
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
        game.frames(20);
        let named = game.held_up();
        game.readings[1] = good;
        game.frames(20);
        named
    };
    assert_eq!(worse(|reading| reading.state = State::Doubtful), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.state = State::Unsynced), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.error_bound = Span::MAX), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.server_epoch += 1), (1, HoldUp::Unsynced));
    assert_eq!(worse(|reading| reading.expected_error = Span::from_millis(2)), (1, HoldUp::Inaccurate));
    assert_eq!(worse(|reading| reading.round_trip = Span::from_secs(5)), (1, HoldUp::TooSlow));
    let mut silent = Simulation::new(2, OrganiserConfig::default());
    for _ in 0..60 {
        silent.frame(|player, _| player == 0);
    }
    assert_eq!(silent.held_up(), (1, HoldUp::Silent));
    for (id, hold_up) in [(0, None), (1, Some(HoldUp::Silent))] {
        assert_eq!(silent.organiser.participation(id, silent.now).expect("admitted").hold_up, hold_up);
    }
    assert_eq!(silent.organiser.remove(1), Ok(()));
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
        let mut game = Simulation::new(3, OrganiserConfig { patience, ..OrganiserConfig::default() });
        lie(&mut game.readings[2]);
        game.frames(60);
        let asked = game.now;
        let (start, left_behind) = loop {
            match game.propose() {
                Proposal::Scheduled { at, left_behind, .. } => break (at, left_behind),
                Proposal::HeldUp { participant, count, .. } => assert_eq!((participant, count), (2, 1)),
            }
            game.frames(1);
        };
        assert!(start - asked <= patience, "liar {number} delayed the start by {}", start - asked);
        assert!(start > game.now, "liar {number} makes the others start in the past");
        assert_eq!(left_behind, u32::from(number < 3), "liar {number}");
        game.frames(300);
        assert_eq!(game.fired[..2], [1, 1]);
        let result = game.organiser.result().expect("started");
        assert_eq!((result.counted, result.at), (3 - left_behind, start), "liar {number}");
        assert!(result.latest < FRAME, "liar {number} made others late: {}", result.latest);
    }
}

#[test]
fn a_participant_that_misses_the_cancellation_reports_its_start() {
    let mut game = game(2);
    let start = game.start();
    game.frames(3);
    game.organiser.cancel(game.now).expect("under way");
    while game.now < start + FRAME {
        game.frame(|player, _| player == 0);
    }
    assert_eq!(game.fired, [0, 1]);
    game.frames(40);
    let missed = game.organiser.participation(1, game.now).expect("admitted");
    assert!(missed.acknowledged, "{missed:?}");
    assert!(missed.lateness.is_some_and(|late| late < FRAME), "{missed:?}");
    let heard = game.organiser.participation(0, game.now).expect("admitted");
    assert_eq!(heard.lateness, None, "it missed the cancellation");
    assert_eq!(game.organiser.result().expect("there was a start").fired, 1);
    // The announcement of this start outlasts the outage.
    game.start();
    game.frames(200);
    assert_eq!(game.fired, [1, 2]);
}

#[test]
fn a_restarted_server_forgets_its_starts() {
    let mut game = game(1);
    let start = game.start();
    game.frames(3);
    let other = Reading { server_epoch: EPOCH + 1, ..reading(start, Span::ZERO) };
    let progress = game.tick(0, &other);
    assert_eq!((progress.stage, progress.fires), (Stage::Waiting, false));
    let mut new = Organiser::new(OrganiserConfig::default(), EPOCH + 1).expect("in range");
    new.admit(0).expect("there is room");
    game.organiser = new;
    game.readings[0].server_epoch = EPOCH + 1;
    game.frames(60);
    game.start();
    game.frames(100);
    assert_eq!(game.fired, [1], "the new server's start was ignored");
}

#[test]
fn silent_participants_cost_little_before_and_nothing_after_a_start() {
    let mut game = game(2);
    let start = game.start();
    let mut sent = [0, 0];
    // The second participant's messages stop, but at first it still counts as connected.
    while game.now < start + Span::from_secs(20) {
        game.frame(|player, down| {
            sent[player] += u32::from(down);
            down || player == 0
        });
    }
    assert!(sent[0] <= 4, "{sent:?}");
    let most = (start - at(1960)).ticks() / OrganiserConfig::default().interval.ticks() + 8;
    assert!(i64::from(sent[1]) <= most, "{sent:?}: only until the start, plus 1.5 s after its last message");
}

#[test]
fn nothing_is_allocated_after_creation() {
    let mut game = game(8);
    let made = allocation_counter::measure(|| {
        for _ in 0..4 {
            game.start();
            game.frames(300);
            let _ = game.organiser.result();
        }
    });
    assert_eq!((made.count_total, game.fired), (0, vec![4; 8]));
}
