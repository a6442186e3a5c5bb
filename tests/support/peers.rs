//! Peers and their relay on a simulated network, where the truth is known.

use crate::dice::Dice;
use netclock::peer::{MESSAGE_MOST, Peer, PeerReading, Relay, RelayConfig, Role, StreamReader};
use netclock::{Config, LocalTime, Span};

/// The network's grain, in ticks: 0.1 ms.
pub(crate) const STEP: i64 = 1000;
pub(crate) const MS: i64 = 10_000;

/// How messages travel; milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) delay: f64,
    pub(crate) jitter: f64,
    pub(crate) loss: f64,
    /// The relay holds each message for up to so long, up and down.
    pub(crate) hold: (f64, f64),
    /// In order and without loss, in pieces that ignore where messages end.
    pub(crate) stream: bool,
}

impl Default for Link {
    fn default() -> Self {
        Link { delay: 25.0, jitter: 4.0, loss: 0.0, hold: (0.0, 0.0), stream: false }
    }
}

struct Parcel {
    due: i64,
    /// To the relay, or to the peer.
    up: bool,
    peer: usize,
    /// When it came to the relay; it is handled later.
    received: Option<i64>,
    bytes: Vec<u8>,
}

pub(crate) struct Player {
    pub(crate) peer: Peer,
    pub(crate) alive: bool,
    ppm: f64,
    origin: i64,
    up: StreamReader,
    down: StreamReader,
    last_due: [i64; 2],
    shown: Option<(i64, u32)>,
    pub(crate) backwards: u32,
    pub(crate) game_messages: Vec<(u16, u16, u32, Vec<u8>)>,
}

impl Player {
    pub(crate) fn local(&self, t: i64) -> LocalTime {
        LocalTime::from_ticks(self.origin + t + (t as f64 * self.ppm * 1e-6) as i64)
    }
}

pub(crate) struct Net {
    pub(crate) t: i64,
    pub(crate) relay: Relay,
    pub(crate) players: Vec<Player>,
    pub(crate) link: Link,
    parcels: Vec<Parcel>,
    seed: u64,
    dice: Dice,
    /// The largest error that was seen between two peers with the same authority, against what both allowed.
    pub(crate) worst: Span,
    pub(crate) outside: u32,
    pub(crate) answers: u64,
}

pub(crate) const GAME: u64 = 77;

impl Net {
    pub(crate) fn new(link: Link, seed: u64) -> Self {
        println!("NETCLOCK_TEST_SEED={seed}");
        let config = RelayConfig { games: 2, ..RelayConfig::default() };
        let relay = Relay::new(config, u128::from(seed) + 1).expect("the default is valid");
        let (players, parcels) = (Vec::new(), Vec::new());
        Net {
            t: 0,
            relay,
            players,
            link,
            parcels,
            seed,
            dice: Dice(seed),
            worst: Span::ZERO,
            outside: 0,
            answers: 0,
        }
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.dice.fraction()
    }

    pub(crate) fn join(&mut self, ppm: f64) -> usize {
        let number = self.players.len();
        let peer = Peer::new(Config::default(), GAME, 1000 + number as u128).expect("the default is valid");
        self.players.push(Player {
            peer,
            alive: true,
            ppm,
            origin: (number as i64 + 1) * 123_456_789_012,
            up: StreamReader::new(),
            down: StreamReader::new(),
            last_due: [0; 2],
            shown: None,
            backwards: 0,
            game_messages: Vec::new(),
        });
        number
    }

    /// The relay's clock, 80 ppm fast.
    pub(crate) fn relay_time(t: i64) -> LocalTime {
        LocalTime::from_ticks(987_654_321 + t + t * 80 / 1_000_000)
    }

    pub(crate) fn read(&self, player: usize) -> PeerReading {
        let player = &self.players[player];
        player.peer.read(player.local(self.t))
    }

    pub(crate) fn run(&mut self, ms: i64) {
        let until = self.t + ms * MS;
        while self.t < until {
            self.t += STEP;
            self.deliver();
            self.players_act();
            self.relay_acts();
            if self.t % (10 * MS) == 0 {
                self.judge();
            }
        }
    }

    fn send(&mut self, peer: usize, bytes: &[u8], up: bool) {
        let link = self.link;
        if !link.stream && self.unit() < link.loss {
            return;
        }
        // By when and where it is sent, and by what it is: no other message changes how long this one takes.
        let place = (self.t as u64) << 16 | (peer as u64) << 1 | u64::from(up);
        let kind = bytes.iter().take(6).fold(0, |kind, byte| kind << 8 | u64::from(*byte));
        let mut dice = Dice(self.seed ^ Dice(place).next() ^ Dice(kind).next());
        let jitter = -link.jitter * (1.0 - dice.fraction()).ln();
        let mut due = self.t + ((link.delay + jitter) * MS as f64) as i64;
        if link.stream {
            let last = &mut self.players[peer].last_due[usize::from(up)];
            due = due.max(*last);
            *last = due;
        }
        self.parcels.push(Parcel { due, up, peer, received: None, bytes: bytes.to_vec() });
    }

    fn deliver(&mut self) {
        let (due, later) =
            std::mem::take(&mut self.parcels).into_iter().partition(|parcel| parcel.due <= self.t);
        self.parcels = later;
        let mut due: Vec<Parcel> = due;
        due.sort_by_key(|parcel| parcel.due);
        for parcel in due {
            if !parcel.up {
                self.arrive(parcel.peer, &parcel.bytes);
            } else if let Some(received) = parcel.received {
                let _ = self.relay.receive(parcel.peer as u64, &parcel.bytes, Self::relay_time(received));
            } else {
                // Those to the primary are requests: the two directions of an exchange differ by who sends.
                let (first, second) = self.link.hold;
                let most = if self.read(parcel.peer).role == Some(Role::Primary) { second } else { first };
                let hold = (self.unit() * most * MS as f64) as i64;
                let mut due = self.t + hold;
                if self.link.stream {
                    due = due.max(
                        self.parcels
                            .iter()
                            .filter(|other| other.up && other.peer == parcel.peer && other.received.is_some())
                            .map(|other| other.due)
                            .max()
                            .unwrap_or(0),
                    );
                    // In pieces of 7 bytes, and put together again.
                    let mut message = [0; MESSAGE_MOST];
                    for piece in parcel.bytes.chunks(7) {
                        let frames = &mut self.players[parcel.peer].up;
                        assert_eq!(frames.push(piece), Ok(piece.len()));
                        while let Ok(Some(size)) = frames.next_message(&mut message) {
                            let bytes = message[..size].to_vec();
                            self.parcels.push(Parcel {
                                due,
                                received: Some(self.t),
                                up: true,
                                peer: parcel.peer,
                                bytes,
                            });
                        }
                    }
                } else {
                    self.parcels.push(Parcel { due, received: Some(self.t), ..parcel });
                }
            }
        }
    }

    fn arrive(&mut self, player: usize, bytes: &[u8]) {
        let now = self.players[player].local(self.t);
        let player = &mut self.players[player];
        if !player.alive {
            return;
        }
        let mut message = [0; MESSAGE_MOST];
        for piece in bytes.chunks(11) {
            let _ = player.down.push(piece);
            while let Ok(Some(size)) = player.down.next_message(&mut message) {
                if let Ok(Some(game)) = player.peer.receive(&message[..size], now) {
                    player.game_messages.push((game.id, game.slot, game.stamp, game.data.to_vec()));
                }
            }
        }
    }

    fn players_act(&mut self) {
        let mut message = [0; MESSAGE_MOST];
        for number in 0..self.players.len() {
            let now = self.players[number].local(self.t);
            if !self.players[number].alive {
                continue;
            }
            self.players[number].peer.tick(now).expect("time goes on");
            while let Some(size) = self.players[number].peer.next_message(now, &mut message) {
                self.send(number, &message[..size], true);
            }
        }
    }

    fn relay_acts(&mut self) {
        let mut message = [0; MESSAGE_MOST];
        while let Ok(Some((connection, size))) =
            self.relay.next_message(Self::relay_time(self.t), &mut message)
        {
            self.answers += 1;
            if (connection as usize) < self.players.len() {
                self.send(connection as usize, &message[..size], false);
            }
        }
    }

    fn judge(&mut self) {
        let readings: Vec<PeerReading> = (0..self.players.len()).map(|number| self.read(number)).collect();
        for (number, reading) in readings.iter().enumerate() {
            if !self.players[number].alive {
                continue;
            }
            let player = &mut self.players[number];
            let now = (reading.time.ticks(), reading.epoch);
            player.backwards +=
                u32::from(player.shown.is_some_and(|(time, epoch)| epoch == now.1 && time > now.0));
            player.shown = Some(now);
            let authority = readings
                .iter()
                .find(|other| other.role == Some(Role::Primary) && other.authority == reading.authority);
            let Some(authority) =
                authority.filter(|other| other.time.ticks() > 0 && reading.time.ticks() > 0)
            else {
                continue;
            };
            let error = (reading.time - authority.time).abs();
            self.worst = self.worst.max(error);
            self.outside += u32::from(error > reading.error_bound + authority.error_bound);
        }
    }
}
