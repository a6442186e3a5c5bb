//! Runs a link without sockets between a server and its players, while someone on the path attacks it.
//!
//! Datagrams are lost, delayed, duplicated, changed, truncated, reflected and misdirected. Unknown senders
//! and a player with a key invent other datagrams. Keys are admitted and revoked, paths break, and both ends
//! are polled at unusual times. In all cases:
//!
//! - the server replies only to datagrams sealed with an admitted key, its replies are as long as the
//!   requests, and it stays within its budgets;
//! - only datagrams that the server sealed for a client affect its clock, and each of them only once;
//! - the true time is within the bound, and the shown time never runs backwards;
//! - nothing is allocated, so memory use cannot grow.
//!
//! The first byte decides whether timestamps and calls are correct. The true time and the shown time are
//! checked only in correct runs.

mod attack;
mod players;
mod server;

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result, Unstructured};
use netclock::keyed::{Channel, KeyError, SealedChannel, SessionKey};
use netclock::link::{ClientLinkConfig, LinkError, LinkState, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{Client, Config, Direction, LocalTime, Reading, ServerTime};

use netclock_sim::remote::Run;

use crate::honest::{FARTHEST, server as any_run};
use crate::input::{config, duration, instant, repeat};
use crate::witness::Witness;

const STEPS: usize = 600;
const PLAYERS: usize = 3;
const LIAR: usize = 2;
/// There is room for one more key than there are players.
const CAPACITY: u32 = 4;
const ANSWERS: u32 = 10;
const OF_ALL: u32 = 30;
const REMEMBERED: usize = 64;

type Outcome<T = ()> = core::result::Result<T, LinkError>;

struct Player {
    key: SessionKey,
    client: LinkedClient,
    /// How far this player's local clock is ahead of the true time.
    origin: i64,
    called: Option<i64>,
    witness: Witness,
}

struct Sent {
    direction: Direction,
    player: usize,
    bytes: Vec<u8>,
    at: i64,
}

struct LinkRun {
    is_honest: bool,
    server: ServerLink,
    /// The server's single clock cannot go back, so it cannot send its next reply before this time.
    answered_at: i64,
    runs: Vec<Run>,
    config: Config,
    players: Vec<Player>,
    admitted: BTreeSet<u32>,
    now: i64,
    way: Vec<Sent>,
    /// Maps each message sealed by a player to that player, and to whether the server has accepted it.
    authored: BTreeMap<Vec<u8>, (usize, bool)>,
    liar: SealedChannel,
    /// Maps each message sealed by the server to its recipient, and to whether it has been used.
    answers: BTreeMap<Vec<u8>, (usize, bool)>,
    /// The times of recent replies to each key. Key 0 stands for all keys together.
    spent: BTreeMap<u32, Vec<ServerTime>>,
}

/// Interprets the input bytes as a server, its players and the fates of their datagrams.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let is_honest = input.arbitrary::<u8>()? % 4 != 0;
    let mut world = LinkRun::new(is_honest, config(input)?, input)?;
    repeat(input, STEPS, |input| {
        world.step(input)?;
        world.judge(input)
    })
}

fn key(id: u32, secret: u8) -> SessionKey {
    SessionKey::new(id, [secret | 1; 16]).expect("the secret is not zero")
}

fn end(key: SessionKey, sends: Direction) -> SealedChannel {
    SealedChannel::new(&key, Channel::Link, sends)
}

impl LinkRun {
    fn new(is_honest: bool, config: Config, input: &mut Unstructured<'_>) -> Result<Self> {
        let settings = ServerLinkConfig { capacity: CAPACITY, answers_per_key: ANSWERS, answers: OF_ALL };
        let server_link = ServerLink::new(settings, 1).expect("the settings are in range");
        let _formerly_a_setting: bool = input.arbitrary()?;
        let mut players = Vec::new();
        for id in 1..=PLAYERS as u32 {
            let client = Client::new(config, u128::from(id)).expect("the settings are valid");
            let key = key(id, id as u8 * 2);
            let client =
                LinkedClient::new(client, &key, ClientLinkConfig::default()).expect("there is memory");
            let origin = instant(input, 0)?.clamp(-FARTHEST, FARTHEST);
            players.push(Player { key, client, origin, called: None, witness: Witness::default() });
        }
        let first = any_run(input, &config, 1)?;
        let mut world = LinkRun {
            is_honest,
            server: server_link,
            answered_at: i64::MIN,
            runs: vec![first],
            config,
            players,
            admitted: BTreeSet::new(),
            now: 0,
            way: Vec::new(),
            authored: BTreeMap::new(),
            liar: end(key(LIAR as u32 + 1, (LIAR as u8 + 1) * 2), Direction::ToServer),
            answers: BTreeMap::new(),
            spent: BTreeMap::new(),
        };
        (1..=PLAYERS as u32).for_each(|id| world.admit(id));
        Ok(world)
    }

    fn step(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        match input.int_in_range(0..=19)? {
            0..=4 => {
                self.pass(i64::from(input.arbitrary::<u8>()?) * 2_000);
                (0..PLAYERS).try_for_each(|player| self.poll(player, 0, input))
            }
            5..=8 => self.deliver(input),
            9..=10 => self.deliver_all(input),
            11..=12 => self.attack(input),
            13 if input.ratio(1, 4)? => self.flood(input),
            13 => {
                let message = self.message(input)?;
                self.serve_liar(&message, input)
            }
            14 => {
                let id = input.int_in_range(1..=CAPACITY + 2)?;
                if input.ratio(1, 4)? {
                    self.revoke(id)
                } else {
                    self.admit(id)
                }
                Ok(())
            }
            15 => {
                self.pass(duration(input)?);
                Ok(())
            }
            16 => {
                let early = i64::from(input.arbitrary::<u8>()?) * 6_000;
                self.poll(input.int_in_range(0..=PLAYERS - 1)?, early, input)
            }
            17 => self.play_by_messages(input),
            _ if input.ratio(1, 4)? => self.restart(input),
            _ => Ok(()),
        }
    }

    fn pass(&mut self, span: i64) {
        self.now = (self.now + span).min(FARTHEST);
    }

    // Keys

    fn admit(&mut self, id: u32) {
        let expected = match self.admitted.contains(&id) {
            true => Err(KeyError::Duplicate),
            false if self.admitted.len() == CAPACITY as usize => Err(KeyError::Full),
            false => Ok(()),
        };
        let admitted = self.server.admit(&key(id, id as u8 * 2));
        assert_eq!(admitted, expected);
        if admitted.is_ok() {
            self.admitted.insert(id);
            // A restarted session has its full budget again, and has forgotten which datagrams it accepted.
            self.spent.remove(&id);
            let of_key = |(player, _): &&mut (usize, bool)| *player as u32 + 1 == id;
            self.authored.values_mut().filter(of_key).for_each(|(_, taken)| *taken = false);
        }
    }

    fn revoke(&mut self, id: u32) {
        assert_eq!(self.server.revoke(id).is_ok(), self.admitted.remove(&id));
    }

    fn restart(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let next = any_run(input, &self.config, self.runs.len() as u64 + 1)?;
        self.server.begin_epoch(next.epoch);
        self.runs.push(next);
        self.spent.clear();
        Ok(())
    }

    // The path of a datagram

    fn post(&mut self, direction: Direction, player: usize, bytes: &[u8], at: i64) {
        if self.way.len() == REMEMBERED {
            self.way.remove(0);
        }
        self.way.push(Sent { direction, player, bytes: bytes.to_vec(), at });
    }

    fn deliver_all(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        for Sent { direction, player, bytes, at } in std::mem::take(&mut self.way) {
            self.hand_over(direction, player, &bytes, at, input)?;
        }
        Ok(())
    }

    fn deliver(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        if self.way.is_empty() {
            return Ok(());
        }
        let chosen = input.choose_index(self.way.len())?;
        let Sent { direction, player, ref bytes, at } = self.way[chosen];
        let bytes = bytes.clone();
        match input.int_in_range(0..=7)? {
            0 => drop(self.way.remove(chosen)),
            1..=2 => self.hand_over(direction, player, &bytes, at, input)?,
            _ => {
                self.way.remove(chosen);
                self.hand_over(direction, player, &bytes, at, input)?;
            }
        }
        Ok(())
    }

    fn hand_over(
        &mut self,
        direction: Direction,
        player: usize,
        bytes: &[u8],
        sent: i64,
        input: &mut Unstructured<'_>,
    ) -> Result<()> {
        match direction {
            Direction::ToServer => self.serve(bytes, input),
            Direction::ToClient => {
                // The player may handle the datagram some time after its arrival.
                let late = i64::from(input.arbitrary::<u8>()? % 16) * 20_000;
                self.now = self.now.max(sent);
                self.receive(player, bytes, (self.now - late).max(sent), input)
            }
        }
    }

    // Readings

    fn run(&self) -> Run {
        self.runs[self.runs.len() - 1]
    }

    fn readings(&self, player: usize) -> (Reading, LinkState) {
        let it = &self.players[player];
        (it.client.read(LocalTime::from_ticks(it.called.unwrap_or(0))), it.client.state())
    }

    fn judge(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let away = i64::from(input.arbitrary::<i8>()?) * 1_000;
        for it in &mut self.players {
            while it.client.next_event().is_some() {}
            if !self.is_honest {
                Witness::default().read(&it.client, it.called.unwrap_or(0).saturating_add(away), None);
                continue;
            }
            for at in [self.now, self.now + away] {
                it.witness.judge(&it.client, &self.runs, at, it.origin, it.called);
            }
        }
        Ok(())
    }
}
