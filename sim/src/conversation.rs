//! A match of two guests whose datagrams meet any fate. Explorers and fuzz targets choose the fates.

use crate::clock::ClockConfig;
use crate::frames::FrameConfig;
use crate::leg::LegConfig;
use crate::matched::{Match, MatchConfig};
use netclock::Span;
use netclock::start::Stage;

/// Frames per second of all three.
const FPS: f64 = 50.0;
/// Delay of a datagram, and of one that is late (s).
const DELAY_S: f64 = 1.0 / FPS;
const LATE_S: f64 = 9.0 / FPS;
/// A healed network has this long until all is known (s).
const HEALS_S: f64 = 8.0;
/// What the host may send in a frame to both.
const MOST_DATAGRAMS: u64 = 8;

/// What becomes of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives.
    Arrives,
    /// It is lost.
    Lost,
    /// It arrives twice, the second time late.
    Copied,
    /// It arrives after others that were sent later.
    Late,
}

/// What happens between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Nothing.
    Nothing,
    /// The world runs at so many quarters of real time from now on.
    Runs(u8),
    /// The world is replaced.
    Travels,
    /// The host's process is replaced by another one, on the same clock.
    Restarts,
    /// A guest (0 or 1) connects again.
    Connects(usize),
    /// A start is wanted.
    Starts,
    /// The start is cancelled.
    Cancels,
}

/// A host and two guests.
pub struct Conversation {
    game: Match,
    at_s: f64,
    /// Promises that were broken, beside those that the guests' accounts have.
    faults: Vec<String>,
}

impl Default for Conversation {
    fn default() -> Self {
        let frames = FrameConfig::even(FPS, 0.0);
        let config = MatchConfig {
            clock: ClockConfig { drift_ppm: 0.0, ..ClockConfig::default() },
            forward: LegConfig::default(),
            reverse: LegConfig::default(),
            client: frames.clone(),
            server: frames,
            ..MatchConfig::default()
        };
        let mut game = Match::new(config, 2, 1).expect("the default is valid");
        game.observe_utc(0.0, Span::ZERO);
        Conversation { game, at_s: 0.0, faults: Vec::new() }
    }
}

impl Conversation {
    /// Does something.
    pub fn act(&mut self, deed: Deed) {
        match deed {
            Deed::Nothing => {}
            Deed::Runs(quarters) => self.game.rate = f64::from(quarters.min(4)) / 4.0,
            Deed::Travels => self.game.travel(self.at_s),
            Deed::Restarts => {
                self.game.restart_host().expect("the default is valid");
                self.game.observe_utc(self.at_s, Span::ZERO);
                self.game.wants_start = false;
            }
            Deed::Connects(place) => self.game.connect(place, self.at_s),
            Deed::Starts => self.game.wants_start = true,
            Deed::Cancels => {
                // There may be none.
                let _ = self.game.host.cancel_start(self.game.server_time(self.at_s));
                self.game.wants_start = false;
            }
        }
    }

    /// Plays a frame. `fate` decides on each datagram that is sent in it.
    pub fn frame(&mut self, fate: &mut dyn FnMut() -> Fate) {
        self.at_s += 1.0 / FPS;
        let sent = |game: &Match| game.players.iter().map(|player| player.account.datagrams.1).sum::<u64>();
        let before = sent(&self.game);
        self.game.play_by(self.at_s, &mut |_, at_s| match fate() {
            Fate::Arrives => vec![at_s + DELAY_S],
            Fate::Lost => Vec::new(),
            Fate::Copied => vec![at_s + DELAY_S, at_s + LATE_S],
            Fate::Late => vec![at_s + LATE_S],
        });
        let sent = sent(&self.game) - before;
        if sent > MOST_DATAGRAMS {
            self.faults.push(format!("at {} s the host sends {sent} datagrams", self.at_s));
        }
    }

    /// The network heals. Plays until both guests know everything, and have started if a start was still
    /// wanted. Returns all promises that were broken by then.
    pub fn heal(&mut self) -> Vec<String> {
        self.game.lose_all();
        let end_s = self.at_s + HEALS_S;
        let knows = |game: &Match, place: usize| {
            game.is_current(place) && game.players[place].view.is_some_and(|view| view.utc.is_some())
        };
        let starts = self.game.wants_start;
        while !(knows(&self.game, 0) && knows(&self.game, 1)) || starts && self.started() < 2 {
            if self.at_s > end_s {
                let views: Vec<_> = self.game.players.iter().map(|player| player.view).collect();
                self.faults.push(format!("after {HEALS_S} s, not all is known: {views:?}"));
                break;
            }
            self.frame(&mut || Fate::Arrives);
        }
        self.faults.extend(self.game.faults().into_iter().cloned());
        std::mem::take(&mut self.faults)
    }

    /// How many guests have started.
    pub fn started(&self) -> usize {
        let views = self.game.players.iter().filter_map(|player| player.view);
        views.filter(|view| view.start.stage == Stage::Started).count()
    }
}

/// Plays the small session of this number: the fates of its first datagrams and two deeds. Each number below
/// [`SESSIONS`] is another one. Returns the broken promises and how many guests have started.
pub fn session(number: u64) -> (Vec<String>, usize) {
    let mut game = Conversation::default();
    let (mut fates, deeds) = (number % FATES, number / FATES);
    let all = [
        Deed::Nothing,
        Deed::Runs(0),
        Deed::Runs(2),
        Deed::Travels,
        Deed::Restarts,
        Deed::Connects(0),
        Deed::Starts,
    ];
    let mut fate = move || {
        let digit = fates % 4;
        fates /= 4;
        [Fate::Arrives, Fate::Lost, Fate::Copied, Fate::Late][digit as usize]
    };
    for frame in 0..40 {
        match frame {
            3 => game.act(all[(deeds % DEEDS) as usize]),
            12 => game.act(all[(deeds / DEEDS) as usize]),
            _ => {}
        }
        game.frame(&mut fate);
    }
    (game.heal(), game.started())
}

/// Fates of ten datagrams.
const FATES: u64 = 1 << 20;
const DEEDS: u64 = 7;
/// How many small sessions there are.
pub const SESSIONS: u64 = FATES * DEEDS * DEEDS;
