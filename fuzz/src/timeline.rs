//! A world's clock through the C ABI: any frames, any segments in any order, any reads. Shown time never goes
//! back within an epoch, bounds are not negative, and a refusal changes nothing. The inverse agrees with the
//! map.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;

use arbitrary::{Result, Unstructured};
use netclock::c::*;

use crate::input::{any_number, instant};
use crate::status::{OK, judge};

/// Calls in one run.
const CALLS: usize = 300;

/// `netclock_world_segment`: struct_size and instance, version and paused, server_epoch, since, real, world,
/// rate, tolerance, through. All structures here are arrays of eight-byte words.
type Segment = [u64; 9];
/// `netclock_reading`.
type Reading = [u64; 8];

/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    let (mut publisher, mut timeline) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: null for defaults, and room for what is made.
    unsafe {
        assert_eq!(netclock_publisher_create(ptr::null(), 1, 1, &raw mut publisher), OK);
        assert_eq!(netclock_timeline_create(ptr::null(), &raw mut timeline), OK);
    }
    let mut game = Game { publisher, timeline, real: 0, world: 0, segments: Vec::new(), shown: None };
    let _used_up = game.play(&mut input);
    // SAFETY: alive until now.
    unsafe {
        assert_eq!(netclock_publisher_destroy(publisher), OK);
        assert_eq!(netclock_timeline_destroy(timeline), OK);
    }
}

struct Game {
    publisher: *mut c_void,
    timeline: *mut c_void,
    real: i64,
    world: i64,
    segments: Vec<Segment>,
    /// Epoch and world time shown last.
    shown: Option<(u64, i64)>,
}

/// Two four-byte fields, the first one first in memory.
fn pair(first: u32, second: u32) -> u64 {
    let [a, b, c, d] = first.to_ne_bytes();
    let [e, f, g, h] = second.to_ne_bytes();
    u64::from_ne_bytes([a, b, c, d, e, f, g, h])
}

fn rate(input: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match input.int_in_range(0..=7)? {
        0 => f64::from_bits(input.arbitrary()?),
        1..=3 => 1.0,
        _ => f64::from(input.arbitrary::<u8>()?) / 64.0,
    })
}

impl Game {
    fn play(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut turns = 0..CALLS;
        while !input.is_empty() && turns.next().is_some() {
            match input.int_in_range(0..=11)? {
                0..=2 => self.observe(input)?,
                3..=4 => self.insert(input)?,
                5 => self.make_up(input)?,
                6 => self.confirm(input)?,
                7..=8 => self.show(input)?,
                9 => self.there_and_back(input)?,
                _ => self.datagram(input)?,
            }
        }
        Ok(())
    }

    fn observe(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (real, world) = (instant(input, self.real)?, instant(input, self.world)?);
        let (rate, paused) = (rate(input)?, i32::from(input.ratio(1, 8)?));
        let (mut due, mut before, mut after) = ([pair(72, 0); 9], [pair(72, 0); 9], [pair(72, 0); 9]);
        // SAFETY: alive, and room for what they say they have.
        unsafe {
            let known = netclock_publisher_newest(self.publisher, before.as_mut_ptr().cast());
            let status = judge(netclock_publisher_observe(
                self.publisher,
                real,
                world,
                rate,
                paused,
                due.as_mut_ptr().cast(),
            ));
            if status == OK {
                self.segments.push(due);
            } else if status < 0 {
                assert_eq!(netclock_publisher_newest(self.publisher, after.as_mut_ptr().cast()), known);
                assert_eq!(before, after, "changed by status {status}");
            }
            if status >= 0 && real.unsigned_abs() < 1 << 50 && world.unsigned_abs() < 1 << 50 {
                (self.real, self.world) = (real, world);
            }
            if input.ratio(1, 64)? {
                assert_eq!(netclock_publisher_begin_world(self.publisher), OK);
            }
        }
        Ok(())
    }

    /// A segment that was published, or an invented one, in any order.
    fn insert(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        if self.segments.is_empty() {
            return Ok(());
        }
        let segment = *input.choose(&self.segments)?;
        // SAFETY: alive, and a whole segment.
        judge(unsafe { netclock_timeline_insert(self.timeline, segment.as_ptr().cast()) });
        Ok(())
    }

    fn make_up(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let small = |input: &mut Unstructured<'_>| -> Result<u32> {
            if input.ratio(1, 8)? { input.arbitrary() } else { Ok(u32::from(input.arbitrary::<u8>()? / 16)) }
        };
        let real = instant(input, self.real)?;
        let segment = [
            pair(72, small(input)?),
            pair(small(input)?, u32::from(input.ratio(1, 8)?)),
            u64::from(input.arbitrary::<u8>()? / 100),
            if input.arbitrary()? { real } else { instant(input, real)? } as u64,
            real as u64,
            instant(input, self.world)? as u64,
            rate(input)?.to_bits(),
            any_number(input)? as u64,
            if input.arbitrary()? { i64::MIN } else { instant(input, real)? } as u64,
        ];
        self.segments.push(segment);
        // SAFETY: alive, and a whole segment.
        judge(unsafe { netclock_timeline_insert(self.timeline, segment.as_ptr().cast()) });
        Ok(())
    }

    fn confirm(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (epoch, instance) =
            (u64::from(input.arbitrary::<u8>()? / 100), u32::from(input.arbitrary::<u8>()? / 16));
        let (version, at) = (u32::from(input.arbitrary::<u8>()? / 8), instant(input, self.real)?);
        // SAFETY: alive.
        judge(unsafe { netclock_timeline_confirm(self.timeline, epoch, instance, version, at) });
        Ok(())
    }

    fn now(&self, input: &mut Unstructured<'_>) -> Result<Reading> {
        let (time, bound) = (instant(input, self.real)?, any_number(input)?);
        let (epoch, clock) = (u64::from(input.arbitrary::<u8>()? / 100), u32::from(input.ratio(1, 32)?));
        let synced = u32::from(!input.ratio(1, 16)?);
        Ok([pair(64, synced), time as u64, bound as u64, 0, 0, 0, epoch, u64::from(clock)])
    }

    fn show(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (now, mut shown) = (self.now(input)?, [pair(72, 0); 9]);
        // SAFETY: alive, a whole reading, and room for one.
        let status = judge(unsafe {
            netclock_timeline_show(self.timeline, now.as_ptr().cast(), shown.as_mut_ptr().cast())
        });
        if status != OK {
            assert_eq!(shown, [pair(72, 0); 9], "written to in spite of status {status}");
            return Ok(());
        }
        let [head, world, bound, unchanged, ..] = shown;
        let (world, bound, unchanged) = (world as i64, bound as i64, unchanged as i64);
        assert!(0 <= unchanged && unchanged <= bound, "{unchanged} of {bound}");
        if let Some((epoch, last)) = self.shown {
            assert!(epoch != head || world >= last, "{last}, then {world}");
        }
        self.shown = Some((head, world));
        Ok(())
    }

    fn there_and_back(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (epoch, real) = (u64::from(input.arbitrary::<u8>()? / 100), instant(input, self.real)?);
        let (mut there, mut first, mut last) = ([pair(72, 0); 9], 0, 0);
        // SAFETY: alive, and room for outputs.
        unsafe {
            if judge(netclock_timeline_world_at(self.timeline, epoch, real, there.as_mut_ptr().cast())) == OK
            {
                let world = there[1] as i64;
                let back =
                    netclock_timeline_real_at(self.timeline, epoch, world, &raw mut first, &raw mut last);
                assert_eq!(back, OK, "{world} was just said");
                assert!(first <= real && real <= last, "{real} is not within {first} and {last}");
            }
            judge(netclock_timeline_real_at(self.timeline, epoch, real, &raw mut first, &raw mut last));
        }
        Ok(())
    }

    fn datagram(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (mut bytes, mut again, mut segment): ([u8; 72], [u8; 72], _) =
            (input.arbitrary()?, [0; 72], [pair(72, 0); 9]);
        if input.ratio(7, 8)? {
            bytes[..4].copy_from_slice(b"NK\x01\x03");
            bytes[12..16].fill(0);
        }
        // SAFETY: room for as much as is said.
        unsafe {
            if judge(netclock_decode_segment(bytes.as_ptr().cast(), 72, segment.as_mut_ptr().cast())) == OK {
                assert_eq!(
                    netclock_encode_segment(segment.as_ptr().cast(), again.as_mut_ptr().cast(), 72),
                    OK
                );
                assert_eq!(bytes, again);
                judge(netclock_timeline_insert(self.timeline, segment.as_ptr().cast()));
            }
            if let Some(made) = self.segments.last() {
                let status =
                    judge(netclock_encode_segment(made.as_ptr().cast(), again.as_mut_ptr().cast(), 72));
                assert!(
                    status != OK
                        || netclock_decode_segment(again.as_ptr().cast(), 72, segment.as_mut_ptr().cast())
                            == OK
                );
            }
        }
        Ok(())
    }
}
