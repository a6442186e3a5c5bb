//! Scheduled starts and beats through the C ABI: any messages, honest ones among them, in any order and at
//! any time.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;

use arbitrary::{Result, Unstructured};
use netclock::c::*;

use crate::input::instant;
use crate::status::{OK, judge};

/// Calls in one run.
const CALLS: usize = 400;
/// Participants. The organiser has room for one fewer.
const PLAYERS: usize = 4;
const EPOCH: u64 = 7;

/// A structure of the ABI that begins with its size, `N` words long.
fn sized<const N: usize>() -> [u64; N] {
    let mut words = [0; N];
    // SAFETY: the first four bytes of eight.
    unsafe { words.as_mut_ptr().cast::<u32>().write(8 * N as u32) };
    words
}

/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    let mut game = Game::new();
    let _used_up = game.play(&mut input);
    let _used_up = beats(&mut input);
    game.end();
}

struct Game {
    organiser: *mut c_void,
    client: *mut c_void,
    players: [*mut c_void; PLAYERS],
    /// The newest version at which each participant started.
    fired: [u32; PLAYERS],
    now: i64,
    letters: Vec<(usize, bool, [u8; 32])>,
}

impl Game {
    fn new() -> Self {
        let mut game = Game {
            organiser: ptr::null_mut(),
            client: ptr::null_mut(),
            players: [ptr::null_mut(); PLAYERS],
            fired: [0; PLAYERS],
            now: 1_000_000,
            letters: Vec::new(),
        };
        let mut config = sized::<6>();
        // `capacity`, after the size.
        config[0] |= (PLAYERS as u64 - 1) << 32;
        config[2] = 10_000_000;
        // SAFETY: a whole configuration, and room for handles.
        unsafe {
            assert_eq!(netclock_organiser_create(config.as_ptr().cast(), EPOCH, &raw mut game.organiser), OK);
            assert_eq!(netclock_client_create(ptr::null(), 1, 2, &raw mut game.client), OK);
            for (key, player) in (0..).zip(&mut game.players) {
                assert_eq!(netclock_participant_create(key, player), OK);
            }
        }
        game
    }

    fn play(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut turns = 0..CALLS;
        while !input.is_empty() && turns.next().is_some() {
            let player = input.int_in_range(0..=PLAYERS - 1)?;
            // SAFETY: live handles, and room for what is written.
            let status = unsafe {
                match input.int_in_range(0..=11)? {
                    0 => netclock_organiser_admit(self.organiser, player as u64),
                    1 => netclock_organiser_remove(self.organiser, player as u64),
                    2 => {
                        let at = self.now;
                        netclock_client_handle_exchange(self.client, at - 9, at, at, at, EPOCH)
                    }
                    3..=4 => self.tick(player, input)?,
                    5 => self.propose(input)?,
                    6 => netclock_organiser_cancel(self.organiser, instant(input, self.now)?),
                    7..=8 => self.deliver(input)?,
                    9 => self.collect(player),
                    10 => self.ask(player, input)?,
                    _ => {
                        self.now += i64::from(input.arbitrary::<u32>()? >> 8);
                        OK
                    }
                }
            };
            judge(status);
        }
        Ok(())
    }

    /// A frame of a player. It starts once for each version, and never early.
    unsafe fn tick(&mut self, player: usize, input: &mut Unstructured<'_>) -> Result<i32> {
        let at = if input.ratio(1, 8)? { instant(input, self.now)? } else { self.now };
        let mut progress = sized::<6>();
        // SAFETY: live handles, and a structure of the size it states.
        unsafe {
            let status = netclock_participant_tick(
                self.players[player],
                self.client,
                at,
                progress.as_mut_ptr().cast(),
            );
            let [fires, version] = [progress[1] as u32, (progress[1] >> 32) as u32];
            let mut shown = 0;
            let _ = netclock_client_current_server_time(self.client, at, &raw mut shown);
            if fires == 1 {
                assert_ne!(version, self.fired[player], "twice");
                assert!(shown >= progress[2] as i64 && progress[3] as i64 == shown - progress[2] as i64);
                self.fired[player] = version;
            }
            Ok(status)
        }
    }

    fn propose(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let confidence = f64::from(input.arbitrary::<u16>()?) / 65_536.0;
        let at = if input.ratio(1, 8)? { instant(input, self.now)? } else { self.now };
        let mut proposal = sized::<4>();
        // SAFETY: a live handle, and a structure of the size it states.
        let status = unsafe {
            netclock_organiser_propose(self.organiser, at, confidence, proposal.as_mut_ptr().cast())
        };
        if status == OK {
            let lead = proposal[1] as i64 - at;
            assert!((0..=50_000_000).contains(&lead), "half of the patience at most, not {lead}");
        }
        Ok(status)
    }

    /// Delivers a message that was sent, or an invented one: once or more often, perhaps changed or
    /// truncated.
    fn deliver(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let mut letter =
            (input.int_in_range(0..=PLAYERS - 1)?, input.arbitrary()?, input.arbitrary::<[u8; 32]>()?);
        if !self.letters.is_empty() && input.ratio(15, 16)? {
            let place = input.choose_index(self.letters.len())?;
            letter = if input.ratio(3, 4)? { self.letters.swap_remove(place) } else { self.letters[place] };
        }
        let (to, down, mut datagram) = letter;
        if input.ratio(1, 8)? {
            datagram[input.int_in_range(0..=31)?] = input.arbitrary()?;
        }
        let length = if input.ratio(1, 16)? { input.int_in_range(0..=31)? } else { 32 };
        let at = if input.ratio(1, 16)? { instant(input, self.now)? } else { self.now };
        let bytes = datagram.as_ptr().cast();
        // SAFETY: live handles, and as many bytes as is said.
        Ok(unsafe {
            if down {
                netclock_participant_receive(self.players[to], bytes, length)
            } else {
                netclock_organiser_receive(self.organiser, to as u64, bytes, length, at)
            }
        })
    }

    /// Sends everything that is due, which must come to an end.
    unsafe fn collect(&mut self, player: usize) -> i32 {
        let (mut to, mut datagram) = (0_u64, [0_u8; 32]);
        let mut most = PLAYERS;
        // SAFETY: live handles, and room for what is written.
        unsafe {
            while netclock_organiser_next_message(
                self.organiser,
                self.now,
                &raw mut to,
                datagram.as_mut_ptr().cast(),
                32,
            ) == OK
            {
                self.letters.push((to as usize, true, datagram));
                most = most.checked_sub(1).expect("one for each");
            }
            most = 2;
            while netclock_participant_next_message(self.players[player], datagram.as_mut_ptr().cast(), 32)
                == OK
            {
                self.letters.push((player, false, datagram));
                most = most.checked_sub(1).expect("an answer and a readiness");
            }
        }
        self.letters.truncate(64);
        OK
    }

    fn ask(&mut self, player: usize, input: &mut Unstructured<'_>) -> Result<i32> {
        let (mut known, mut outcome) = (sized::<9>(), sized::<7>());
        let at = instant(input, self.now)?;
        // SAFETY: a live handle, and structures of the sizes they state.
        unsafe {
            let status = netclock_organiser_result(self.organiser, outcome.as_mut_ptr().cast());
            let [counted, acknowledged, fired] =
                [outcome[5] as u32, (outcome[5] >> 32) as u32, outcome[6] as u32];
            assert!(acknowledged <= counted && fired <= counted && counted < PLAYERS as u32);
            assert!(outcome[2] as i64 >= 0 && outcome[3] as i64 >= outcome[2] as i64, "{outcome:?}");
            assert!(status >= 0);
            Ok(netclock_organiser_participation(self.organiser, player as u64, at, known.as_mut_ptr().cast()))
        }
    }

    fn end(&self) {
        // SAFETY: alive until now.
        unsafe {
            for player in self.players {
                assert_eq!(netclock_participant_destroy(player), OK);
            }
            assert_eq!(netclock_organiser_destroy(self.organiser), OK);
            assert_eq!(netclock_client_destroy(self.client), OK);
        }
    }
}

/// Steps at any rate and time. None comes twice, and each one left out is declared.
fn beats(input: &mut Unstructured<'_>) -> Result<()> {
    let origin = instant(input, 0)?;
    let (rate, most): (u64, u64) = (input.arbitrary()?, input.arbitrary()?);
    let mut beat = [origin as u64, 0, rate, most];
    let mut now = origin;
    for _ in 0..20 {
        now = if input.ratio(7, 8)? {
            now.wrapping_add(i64::from(input.arbitrary::<u32>()?))
        } else {
            instant(input, now)?
        };
        let (before, mut steps) = (beat[1] as i64, [0_u64; 5]);
        // SAFETY: whole structures.
        let status =
            unsafe { netclock_beat_advance(beat.as_mut_ptr().cast(), now, steps.as_mut_ptr().cast()) };
        let [first, count, skipped, behind] = [0, 1, 2, 3].map(|at| steps[at] as i64);
        if status == OK {
            assert!(count >= 0 && skipped >= 0 && behind >= 0);
            assert_eq!((before + skipped, first + count), (first, beat[1] as i64));
            assert!((0.0..1.0).contains(&f64::from_bits(steps[4])));
        } else {
            assert_eq!(before, beat[1] as i64);
        }
        let (mut number, mut alpha, mut begins) = (0, 0.0, 0);
        // SAFETY: whole structures, and room for what is written.
        unsafe {
            if netclock_beat_at(beat.as_ptr().cast(), now, &raw mut number, &raw mut alpha) == OK {
                assert_eq!(netclock_beat_time(beat.as_ptr().cast(), number, &raw mut begins), OK);
                assert!(begins <= now || now < -(1 << 62), "{begins} after {now}");
            }
        }
    }
    Ok(())
}
