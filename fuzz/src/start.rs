//! Scheduled starts and beats: any messages, honest ones among them, in any order and at any time.

use arbitrary::{Result, Unstructured};
use netclock::start::{Beat, Organiser, OrganiserConfig, Participant, Proposal, StartResult, Stepper, Steps};
use netclock::{Client, Config, Exchange, LocalTime, ServerTime, Span};

use crate::input::instant;
use crate::refusal::unless_refused;

/// Calls in one run.
const CALLS: usize = 400;
/// Participants. The organiser has room for one fewer.
const PLAYERS: usize = 4;
const EPOCH: u64 = 7;

/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    let _used_up = Game::new().play(&mut input);
    let _used_up = beats(&mut input);
}

/// A message on its way to a player, or to the organiser from a player.
#[derive(Clone, Copy)]
struct Letter {
    player: usize,
    is_down: bool,
    datagram: [u8; 32],
}

struct Game {
    organiser: Organiser,
    client: Client,
    players: [Participant; PLAYERS],
    /// The newest version at which each participant started.
    fired: [u32; PLAYERS],
    now: i64,
    letters: Vec<Letter>,
}

impl Game {
    fn new() -> Self {
        let config = OrganiserConfig {
            capacity: PLAYERS as u32 - 1,
            max_expected_error: Span::from_secs(1),
            ..OrganiserConfig::default()
        };
        Game {
            organiser: Organiser::new(config, EPOCH).expect("the settings are valid"),
            client: Client::new(Config::default(), 1).expect("the default is valid"),
            players: std::array::from_fn(|key| Participant::new(key as u64)),
            fired: [0; PLAYERS],
            now: 1_000_000,
            letters: Vec::new(),
        }
    }

    fn play(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut turns = 0..CALLS;
        while !input.is_empty() && turns.next().is_some() {
            let player = input.int_in_range(0..=PLAYERS - 1)?;
            match input.int_in_range(0..=11)? {
                0 => drop(unless_refused(&mut self.organiser, |it| it.admit(player as u64))),
                1 => drop(unless_refused(&mut self.organiser, |it| it.remove(player as u64))),
                2 => self.exchange(),
                3..=4 => self.tick(player, input)?,
                5 => self.propose(input)?,
                6 => {
                    let at = ServerTime::from_ticks(instant(input, self.now)?);
                    let _ = unless_refused(&mut self.organiser, |it| it.cancel(at));
                }
                7..=8 => self.deliver(input)?,
                9 => self.collect(player),
                10 => self.ask(player, input)?,
                _ => self.now += i64::from(input.arbitrary::<u32>()? >> 8),
            }
        }
        Ok(())
    }

    /// Mostly the present.
    fn at(&self, input: &mut Unstructured<'_>) -> Result<i64> {
        if input.ratio(1, 8)? { instant(input, self.now) } else { Ok(self.now) }
    }

    fn exchange(&mut self) {
        let (local, server) = (LocalTime::from_ticks, ServerTime::from_ticks(self.now));
        let exchange = Exchange::from_stamps(local(self.now - 9), server, server, local(self.now));
        let _ = self.client.handle_exchange(&exchange, Some(EPOCH));
    }

    /// A frame of a player. It starts once for each version, and never early.
    fn tick(&mut self, player: usize, input: &mut Unstructured<'_>) -> Result<()> {
        let now = LocalTime::from_ticks(self.at(input)?);
        let reading = self.client.read(now);
        let told = unless_refused(&mut self.players[player], |it| it.tick(now, &reading));
        let Ok(progress) = told else { return Ok(()) };
        if progress.fires {
            assert_ne!(progress.version, self.fired[player], "twice");
            assert!(reading.server_time >= progress.at, "early: {progress:?}");
            assert_eq!(progress.lateness, reading.server_time - progress.at);
            self.fired[player] = progress.version;
        }
        Ok(())
    }

    fn propose(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let confidence = f64::from(input.arbitrary::<u16>()?) / 65_536.0;
        let now = ServerTime::from_ticks(self.at(input)?);
        let proposed = unless_refused(&mut self.organiser, |it| it.propose(now, confidence));
        match proposed {
            Ok(Proposal::Scheduled { at, .. }) => {
                let most = OrganiserConfig::default().patience.ticks() / 2;
                assert!((0..=most).contains(&(at - now).ticks()), "at {at:?}, proposed at {now:?}");
            }
            Ok(Proposal::HeldUp { participant, count, .. }) => {
                assert!((1..PLAYERS as u32).contains(&count), "{count} hold it up");
                let known = self.organiser.participation(participant, now);
                assert!(known.is_ok(), "held up by one who is not admitted: {known:?}");
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Delivers a message that was sent, or an invented one: once or more often, perhaps changed or
    /// truncated.
    fn deliver(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let player = input.int_in_range(0..=PLAYERS - 1)?;
        let mut letter = Letter { player, is_down: input.arbitrary()?, datagram: input.arbitrary()? };
        if !self.letters.is_empty() && input.ratio(15, 16)? {
            let place = input.choose_index(self.letters.len())?;
            letter = if input.ratio(3, 4)? { self.letters.swap_remove(place) } else { self.letters[place] };
        }
        if input.ratio(1, 8)? {
            letter.datagram[input.int_in_range(0..=31)?] = input.arbitrary()?;
        }
        let length = if input.ratio(1, 16)? { input.int_in_range(0..=31)? } else { 32 };
        let at = if input.ratio(1, 16)? { instant(input, self.now)? } else { self.now };
        let Letter { player, is_down, datagram } = letter;
        let (bytes, at) = (&datagram[..length], ServerTime::from_ticks(at));
        let _ = if is_down {
            unless_refused(&mut self.players[player], |it| it.receive(bytes))
        } else {
            unless_refused(&mut self.organiser, |it| it.receive(player as u64, bytes, at))
        };
        Ok(())
    }

    /// Sends everything that is due, which must come to an end.
    fn collect(&mut self, player: usize) {
        let now = ServerTime::from_ticks(self.now);
        let down = std::iter::from_fn(|| self.organiser.next_message(now));
        let down: Vec<_> = down
            .map(|(to, datagram)| Letter { player: to as usize, is_down: true, datagram })
            .take(PLAYERS + 1)
            .collect();
        let up = std::iter::from_fn(|| self.players[player].next_message());
        let up: Vec<_> = up.map(|datagram| Letter { player, is_down: false, datagram }).take(3).collect();
        assert!(down.len() <= PLAYERS, "more than one for each");
        assert!(up.len() <= 2, "more than an answer and a readiness");
        self.letters.extend(down.into_iter().chain(up));
        self.letters.truncate(64);
    }

    fn ask(&mut self, player: usize, input: &mut Unstructured<'_>) -> Result<()> {
        let at = ServerTime::from_ticks(instant(input, self.now)?);
        if let Ok(result) = self.organiser.result() {
            let StartResult { counted, acknowledged, fired, earliest, latest, .. } = result;
            assert!(counted < PLAYERS as u32, "more than are admitted: {result:?}");
            assert!(acknowledged <= counted, "{result:?}");
            assert!(fired <= counted, "{result:?}");
            assert!(earliest >= Span::ZERO, "before the start: {result:?}");
            assert!(latest >= earliest, "{result:?}");
        }
        let _ = self.organiser.participation(player as u64, at);
        Ok(())
    }
}

/// Steps at any rate and time. None comes twice, and each one left out is declared.
fn beats(input: &mut Unstructured<'_>) -> Result<()> {
    let mut now = instant(input, 0)?;
    let (beats, seconds) = (u32::from(input.arbitrary::<u16>()?), u32::from(input.arbitrary::<u8>()?));
    let (most_steps, most_behind) = input.arbitrary()?;
    let Ok(beat) = Beat::new(ServerTime::from_ticks(now), beats, seconds) else { return Ok(()) };
    let mut stepper = Stepper::new(beat, (beats % 2 == 0).then_some(0), most_steps, most_behind);
    for _ in 0..20 {
        now = if input.ratio(7, 8)? {
            now.wrapping_add(i64::from(input.arbitrary::<u32>()?))
        } else {
            instant(input, now)?
        };
        let (before, at) = (stepper.next(), ServerTime::from_ticks(now));
        let Steps { first, count, skipped, behind, alpha } = stepper.advance(at);
        assert!(skipped >= 0, "{skipped} at {at:?}");
        assert!(behind >= 0, "{behind} at {at:?}");
        assert!((0.0..1.0).contains(&alpha), "{alpha} at {at:?}");
        assert_eq!((before + skipped, first + i64::from(count)), (first, stepper.next()));
        let begins = beat.time_of(beat.at(at).0);
        assert!(begins <= at || now < -(1 << 62), "{begins:?} after {at:?}");
    }
    Ok(())
}
