//! A host and two guests whose datagrams meet any fate, frame by frame, and what must hold of them whatever
//! happens. Explorers and fuzz targets choose the fates.

use netclock::session::{Guest, GuestConfig, Host, HostConfig, View};
use netclock::start::Stage;
use netclock::timeline::Rate;
use netclock::{LocalTime, ServerTime, Span, State, UtcTime, WorldTime};

/// Length of a frame of all three (ticks; 20 ms).
const FRAME: i64 = 200_000;
/// Delay of a datagram, and of one that is late (frames).
const DELAY: u32 = 1;
const LATE: u32 = 9;
/// UTC at the server's zero (ticks).
const UTC_ZERO: i64 = 17_000_000_000_000_000;

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

/// A datagram under way.
#[derive(Clone, Debug)]
struct Letter {
    /// The guest that sent it, or to which it goes.
    guest: usize,
    is_down: bool,
    due: u32,
    bytes: Vec<u8>,
}

/// A guest, and what it showed.
struct Seat {
    guest: Guest,
    /// Its clock minus the server's (ticks).
    ahead: i64,
    shown: Option<View>,
    /// A datagram of this connection arrived.
    is_answered: bool,
    /// The newest start in this connection: the run of the server and its version.
    fired: Option<(u64, u32)>,
}

/// A host and two guests.
pub struct Conversation {
    host: Host,
    seats: [Seat; 2],
    frame: u32,
    world: i64,
    instance: u32,
    quarters: u8,
    letters: Vec<Letter>,
    hosts: u64,
    wants_start: bool,
    /// Promises that were broken.
    pub faults: Vec<String>,
}

impl Conversation {
    /// A conversation that has not begun.
    pub fn new() -> Self {
        let seat = |number: u8| Seat {
            guest: Guest::new(GuestConfig::default(), u128::from(number)).expect("the default is valid"),
            ahead: i64::from(number) * 77_777_777,
            shown: None,
            is_answered: false,
            fired: None,
        };
        let mut game = Conversation {
            host: host(1),
            seats: [seat(1), seat(2)],
            frame: 0,
            world: 0,
            instance: 1,
            quarters: 4,
            letters: Vec::new(),
            hosts: 1,
            wants_start: false,
            faults: Vec::new(),
        };
        game.admit();
        game
    }

    fn admit(&mut self) {
        for guest in 0..self.seats.len() as u64 {
            self.host.admit(guest, None).expect("there is room");
        }
        let at = self.now();
        self.host
            .observe_utc(at, UtcTime::from_ticks(UTC_ZERO + at.ticks()), Some(Span::ZERO))
            .expect("valid");
    }

    fn now(&self) -> ServerTime {
        ServerTime::from_ticks(i64::from(self.frame) * FRAME)
    }

    /// Does something.
    pub fn act(&mut self, deed: Deed) {
        match deed {
            Deed::Nothing => {}
            Deed::Runs(quarters) => self.quarters = quarters.min(4),
            Deed::Travels => {
                self.host.begin_world(0).expect("it is the first world");
                (self.world, self.instance) = (0, self.instance + 1);
            }
            Deed::Restarts => {
                self.hosts += 1;
                (self.host, self.instance) = (host(self.hosts), 1);
                self.admit();
                self.wants_start = false;
            }
            Deed::Connects(place) => {
                let now = self.local(place);
                let Some(seat) = self.seats.get_mut(place) else { return };
                seat.guest.connect(None, now).expect("frames are in order");
                (seat.is_answered, seat.fired, seat.shown) = (false, None, None);
            }
            Deed::Starts => self.wants_start = true,
            Deed::Cancels => {
                let _ = self.host.cancel_start(self.now());
                self.wants_start = false;
            }
        }
    }

    fn local(&self, place: usize) -> LocalTime {
        LocalTime::from_ticks(self.now().ticks() + self.seats[place].ahead)
    }

    /// Plays a frame. `fate` decides on each datagram that is sent in it.
    pub fn frame(&mut self, fate: &mut dyn FnMut() -> Fate) {
        self.frame += 1;
        self.world += FRAME / 4 * i64::from(self.quarters);
        let (now, frame) = (self.now(), self.frame);
        let (due, later) = std::mem::take(&mut self.letters).into_iter().partition(|it| it.due <= frame);
        self.letters = later;
        let due: Vec<Letter> = due;
        for letter in due.iter().filter(|it| !it.is_down) {
            self.host.polled(now).expect("it is in range");
            // Copies and datagrams of earlier connections are refused.
            let _ = self.host.receive(letter.guest as u64, &letter.bytes, now);
        }
        let rate = Rate::new(f64::from(self.quarters) / 4.0).unwrap_or(Rate::PAUSED);
        let _ = self.host.observe(0, now, WorldTime::from_ticks(self.world), rate);
        if self.wants_start {
            let _ = self.host.propose_start(now, 0.9);
        }
        let mut sent = Vec::new();
        while let Some((guest, bytes, _)) = self.host.next(now) {
            sent.push((guest as usize, true, bytes.to_vec()));
        }
        if sent.len() > 4 * self.seats.len() {
            self.faults.push(format!("frame {frame}: the host sends {} datagrams", sent.len()));
        }
        for place in 0..self.seats.len() {
            let local = self.local(place);
            for letter in due.iter().filter(|it| it.is_down && it.guest == place) {
                let seat = &mut self.seats[place];
                seat.guest.polled(local).expect("it is in range");
                seat.is_answered |= seat.guest.receive(&letter.bytes, local).is_ok();
            }
            self.judge(place, local);
            while let Some((bytes, _)) = self.seats[place].guest.next(local).expect("frames are in order") {
                sent.push((place, false, bytes.to_vec()));
            }
        }
        for (guest, is_down, bytes) in sent {
            let mut post = |delay| {
                self.letters.push(Letter { guest, is_down, due: frame + delay, bytes: bytes.clone() })
            };
            match fate() {
                Fate::Arrives => post(DELAY),
                Fate::Lost => {}
                Fate::Copied => {
                    post(DELAY);
                    post(LATE);
                }
                Fate::Late => post(LATE),
            }
        }
    }

    /// What holds of each view.
    fn judge(&mut self, place: usize, local: LocalTime) {
        let (now, world, instance, frame) = (self.now(), self.world, self.instance, self.frame);
        let seat = &mut self.seats[place];
        let view = seat.guest.view(local).expect("frames are in order");
        let last = seat.shown.replace(view);
        let mut fault =
            |what: &str| self.faults.push(format!("frame {frame}, guest {place}: {what}: {view:?}"));
        let reading = view.reading;
        if !seat.is_answered && reading.state != State::Unsynced && reading.error_bound != Span::MAX {
            fault("a bound before the first reply of this connection");
        }
        if reading.state == State::Unsynced || reading.state == State::Doubtful {
            return;
        }
        let is_outside =
            |error: Span, bound: Span| bound != Span::MAX && error.abs() > bound + Span::from_ticks(1);
        if is_outside(reading.server_time - now, reading.error_bound) {
            fault("the server's time is outside its bound");
        }
        let runs = reading.server_epoch == self.hosts;
        if let Some(shown) = view.worlds[0].filter(|shown| runs && shown.instance == instance) {
            if is_outside(shown.world - WorldTime::from_ticks(world), shown.error_bound) {
                fault("the world is outside its bound");
            }
        }
        if let (Some(shown), Some(before)) = (view.worlds[0], last.and_then(|last| last.worlds[0])) {
            if (shown.epoch, shown.instance) == (before.epoch, before.instance) && shown.world < before.world
            {
                fault("the world went back");
            }
        }
        if let Some(utc) = view.utc {
            if is_outside(utc.utc - UtcTime::from_ticks(UTC_ZERO + now.ticks()), utc.error_bound) {
                fault("UTC is outside its bound");
            }
        }
        if view.start.fires {
            let name = (reading.server_epoch, view.start.version);
            if view.start.at > reading.server_time || seat.fired == Some(name) {
                fault("it starts early or twice");
            }
            seat.fired = Some(name);
        }
    }

    /// Whether the guest has confirmed all there is.
    fn is_current(&self, place: usize) -> bool {
        self.host.is_up_to_date(place as u64) == Ok(true)
    }

    /// The network heals. Plays until both guests know everything, and returns how many frames that took.
    pub fn heal(&mut self) -> u32 {
        self.letters.clear();
        let begun = self.frame;
        while self.frame - begun < 400 {
            self.frame(&mut || Fate::Arrives);
            let knows = |place: usize| {
                let view = self.seats[place].shown;
                self.is_current(place)
                    && view.is_some_and(|view| {
                        let is_now =
                            view.reading.server_epoch == self.hosts && view.reading.state == State::Synced;
                        is_now
                            && view.worlds[0].is_some_and(|shown| !shown.is_missing_news)
                            && view.utc.is_some()
                    })
            };
            if knows(0) && knows(1) {
                return self.frame - begun;
            }
        }
        let views = self.seats.each_ref().map(|seat| seat.shown);
        let confirmed = [0, 1].map(|place| self.is_current(place));
        self.faults.push(format!("after 8 s, not all is known: confirmed {confirmed:?}, {views:?}"));
        self.frame - begun
    }

    /// How many guests have started.
    pub fn started(&self) -> usize {
        let has = |seat: &&Seat| seat.shown.is_some_and(|view| view.start.stage == Stage::Started);
        self.seats.iter().filter(has).count()
    }
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

fn host(epoch: u64) -> Host {
    Host::new(HostConfig::default(), epoch, u128::from(epoch)).expect("the default is valid")
}

/// Plays the small session of this number: the fates of its first datagrams and two deeds. Each number below
/// [`SESSIONS`] is another one.
pub fn session(number: u64) -> Conversation {
    let mut game = Conversation::new();
    let (mut fates, deeds) = (number % FATES, number / FATES);
    let deed = |digit: u64| match digit {
        0 => Deed::Nothing,
        1 => Deed::Runs(0),
        2 => Deed::Runs(2),
        3 => Deed::Travels,
        4 => Deed::Restarts,
        5 => Deed::Connects(0),
        _ => Deed::Starts,
    };
    let mut fate = move || {
        let digit = fates % 4;
        fates /= 4;
        [Fate::Arrives, Fate::Lost, Fate::Copied, Fate::Late][digit as usize]
    };
    for frame in 0..40 {
        match frame {
            3 => game.act(deed(deeds % DEEDS)),
            12 => game.act(deed(deeds / DEEDS)),
            _ => {}
        }
        game.frame(&mut fate);
    }
    game.heal();
    game
}

/// Fates of ten datagrams.
const FATES: u64 = 1 << 20;
const DEEDS: u64 = 7;
/// How many small sessions there are.
pub const SESSIONS: u64 = FATES * DEEDS * DEEDS;
