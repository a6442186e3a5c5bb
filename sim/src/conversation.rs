//! Simulates a match with two guests for explorers and fuzz targets. The caller decides which datagrams are
//! lost, late or duplicated.

use crate::{ClockConfig, FrameConfig, LegConfig, Match, MatchConfig};
use netclock::authority::Authority;
use netclock::keyed::SessionKey;
use netclock::session::{LinkOffer, View, WORLDS};
use netclock::start::Stage;
use netclock::watch::RateLevel;
use netclock::{Span, State};

const FPS: f64 = 50.0;
/// Delay of normal datagrams (s). `LATE_S` is the delay of late datagrams.
const DELAY_S: f64 = 1.0 / FPS;
const LATE_S: f64 = 9.0 / FPS;
/// Enough time for a clock to follow a new host after an outage, and for a start to take place (s).
const HEALS_S: f64 = 8.0;
/// When the network has recovered, a guest that follows the host's clock is up to date this long after the
/// first datagram or later news (s). The time consists of two round trips, plus a frame for rounding. Half a
/// round trip later, the host knows that the guest is up to date.
const CONVERGES_S: f64 = 2.0 * 2.0 * DELAY_S + 1.0 / FPS;
const CONFIRMS_S: f64 = CONVERGES_S + DELAY_S;
/// Maximum number of datagrams that the host sends per frame. Each guest receives the replies to four
/// requests and the two remaining parts of an update.
const MOST_DATAGRAMS: u64 = 2 * (4 + 2);
const TIMESCALE: u64 = 77;
const DISPERSION: Span = Span::from_millis(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    Lost,
    /// Arrives twice. The second copy is late.
    Copied,
    /// Arrives after later datagrams.
    Late,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Nothing,
    /// Sets the world's rate in quarters of the normal rate.
    Runs(u8),
    Travels,
    Restarts,
    Connects(usize),
    Starts,
    Cancels,
    Offers(usize),
    /// States the authority of the host's clock. Later hosts state the same timescale.
    States,
}

pub struct Conversation {
    game: Match,
    at_s: f64,
    /// Number of offers, and the key id of the latest offer to each guest.
    offers: u32,
    offered: [Option<u32>; 2],
    stated: Option<Authority>,
    /// Violations that the guests' accounts do not count.
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
            // With this many worlds, a full update takes three datagrams.
            worlds: WORLDS,
            ..MatchConfig::default()
        };
        let mut game = Match::new(config, 2, 1).expect("the default is valid");
        game.observe_utc(0.0, Span::ZERO);
        Conversation { game, at_s: 0.0, offers: 0, offered: [None; 2], stated: None, faults: Vec::new() }
    }
}

impl Conversation {
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Nothing => {}
            Action::Runs(quarters) => self.game.rate = f64::from(quarters.min(4)) / 4.0,
            Action::Travels => self.game.travel(self.at_s),
            Action::Restarts => {
                self.game.restart_host().expect("the default is valid");
                self.game.observe_utc(self.at_s, Span::ZERO);
                self.game.wants_start = false;
                self.offered = [None; 2];
                if self.stated.is_some() {
                    self.act(Action::States);
                }
            }
            Action::Connects(place) => self.game.connect(place, self.at_s),
            Action::Starts => self.game.wants_start = true,
            Action::Cancels => {
                // Cancelling fails harmlessly if no start is scheduled.
                let _ = self.game.host.cancel_start(self.game.server_time(self.at_s));
                self.game.wants_start = false;
            }
            Action::Offers(place) => {
                self.offers += 1;
                self.offered[place] = Some(self.offers);
                let key = SessionKey::new(self.offers, [7; 16]).expect("the key id is not zero");
                let player = self.game.players[place].id;
                self.game.host.offer_link(player, LinkOffer { port: 7_777, key }).expect("it is admitted");
            }
            Action::States => {
                let epoch = self.game.host.epoch();
                let stated = Authority { epoch, timescale: TIMESCALE, dispersion: DISPERSION };
                self.game.host.state_authority(stated).expect("it is in range");
                self.stated = Some(stated);
            }
        }
    }

    /// Plays one frame and calls `fate` for each datagram sent in it.
    pub fn frame(&mut self, fate: &mut dyn FnMut() -> Fate) {
        self.at_s += 1.0 / FPS;
        self.game.observe_utc(self.at_s, Span::ZERO);
        let sent = |game: &Match| game.players.iter().map(|player| player.datagrams.1).sum::<u64>();
        let before = sent(&self.game);
        self.game.play_by(self.at_s, &mut |_, at_s| match fate() {
            Fate::Arrives => vec![at_s + DELAY_S],
            Fate::Lost => Vec::new(),
            Fate::Copied => vec![at_s + DELAY_S, at_s + LATE_S],
            Fate::Late => vec![at_s + LATE_S],
        });
        let sent = sent(&self.game) - before;
        if sent > MOST_DATAGRAMS {
            self.faults.push(format!("the host sent {sent} datagrams at {} s", self.at_s));
        }
        let now = self.game.server_time(self.at_s);
        for player in &self.game.players {
            let trip = self.game.host.round_trip(player.id, now).expect("it is admitted");
            if trip.is_some_and(|trip| trip.as_secs_f64() < 2.0 * DELAY_S - 1e-6) {
                self.faults.push(format!("guest {} has a round trip of {trip:?}", player.id));
            }
        }
    }

    fn knows_all(&self, place: usize) -> bool {
        let player = &self.game.players[place];
        let is_stated = |view: &View| {
            self.stated.is_none_or(|stated| {
                // The dispersion grows if no authority has been stated for 20 s.
                view.authority.is_some_and(|known| Authority { dispersion: DISPERSION, ..known } == stated)
            })
        };
        self.game.is_current(place)
            && player.view.is_some_and(|view| is_stated(&view))
            && self.offered[place].is_none_or(|offered| {
                player.guest.link_offer().is_some_and(|offer| offer.key.id() == offered)
            })
    }

    fn is_confirmed(&self, place: usize) -> bool {
        self.knows_all(place) && self.game.host.is_up_to_date(self.game.players[place].id) == Ok(true)
    }

    /// Drops the datagrams in transit, then runs on a healthy network until both guests are up to date and
    /// any requested start has happened. Returns all violations.
    pub fn heal(&mut self) -> Vec<String> {
        self.game.lose_all();
        let end_s = self.at_s + HEALS_S;
        let starts = self.game.wants_start;
        let datagrams = |game: &Match, place: usize| game.players[place].datagrams;
        let before = [0, 1].map(|place| datagrams(&self.game, place));
        let mut reached_s = [f64::INFINITY; 2];
        while !(self.is_confirmed(0) && self.is_confirmed(1)) || starts && self.started() < 2 {
            if self.at_s > end_s {
                let views: Vec<_> = self.game.players.iter().map(|player| player.view).collect();
                self.faults.push(format!("guests still lack state after {HEALS_S} s: {views:?}"));
                break;
            }
            self.frame(&mut || Fate::Arrives);
            for place in [0, 1] {
                let follows = self.game.players[place].view.is_some_and(|view| {
                    (view.reading.server_epoch, view.reading.state) == (self.game.host.epoch(), State::Synced)
                });
                if follows && datagrams(&self.game, place) != before[place] {
                    reached_s[place] = reached_s[place].min(self.at_s);
                }
                let passed_s = self.at_s - reached_s[place].max(self.game.news_s);
                let is_late = passed_s > CONVERGES_S && !self.knows_all(place);
                if is_late || passed_s > CONFIRMS_S && !self.is_confirmed(place) {
                    let view = self.game.players[place].view;
                    self.faults.push(format!("guest {place} is not up to date at {} s: {view:?}", self.at_s));
                    reached_s[place] = f64::INFINITY;
                }
            }
        }
        for player in &self.game.players {
            if self.game.host.verdict(player.id).is_ok_and(|verdict| verdict.worst > RateLevel::Plausible) {
                self.faults.push(format!(
                    "guest {} was judged dishonest: {:?}",
                    player.id,
                    self.game.host.verdict(player.id)
                ));
            }
        }
        self.faults.extend(self.game.faults().into_iter().cloned());
        std::mem::take(&mut self.faults)
    }

    pub fn started(&self) -> usize {
        let views = self.game.players.iter().filter_map(|player| player.view);
        views.filter(|view| view.start.stage == Stage::Started).count()
    }
}

/// `number` selects two actions and the fates of the first datagrams. Each number below [`SESSIONS`] produces
/// a different session. Returns the violations and the number of guests that started.
pub fn session(number: u64) -> (Vec<String>, usize) {
    let mut game = Conversation::default();
    let (mut fates, actions) = (number % FATES, number / FATES);
    let all = [
        Action::Nothing,
        Action::Runs(0),
        Action::Runs(2),
        Action::Travels,
        Action::Restarts,
        Action::Connects(0),
        Action::Starts,
        Action::Offers(0),
        Action::States,
    ];
    let mut fate = move || {
        let digit = fates % 4;
        fates /= 4;
        [Fate::Arrives, Fate::Lost, Fate::Copied, Fate::Late][digit as usize]
    };
    for frame in 0..40 {
        match frame {
            3 => game.act(all[(actions % ACTIONS) as usize]),
            12 => game.act(all[(actions / ACTIONS) as usize]),
            _ => {}
        }
        game.frame(&mut fate);
    }
    (game.heal(), game.started())
}

/// The number of ways to assign four fates to ten datagrams.
const FATES: u64 = 1 << 20;
const ACTIONS: u64 = 9;
pub const SESSIONS: u64 = FATES * ACTIONS * ACTIONS;
