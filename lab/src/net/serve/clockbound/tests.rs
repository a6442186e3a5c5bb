use std::fs;

use super::segment::{LENGTH, MAGIC, VERSION};
use super::*;

/// A segment as a daemon would write it.
#[derive(Clone, Copy)]
struct Fake {
    magic: u32,
    version: u16,
    generation: u16,
    /// Age of the statement, and for how long it holds (s).
    age: i64,
    holds: i64,
    bound_ns: i64,
    marker: u64,
    drift_ppb: u32,
    status: i32,
    watches: u8,
}

const GOOD: Fake = Fake {
    magic: MAGIC[0],
    version: VERSION,
    generation: 4,
    age: 2,
    holds: 1_000,
    bound_ns: 21_450,
    marker: 7,
    drift_ppb: 50_000,
    status: 1,
    watches: 1,
};

impl Fake {
    fn bytes(&self) -> Vec<u8> {
        let now = clock::kernel_monotonic().expect("the kernel has a clock").ticks();
        let (seconds, ns) = (now / netclock::TICKS_PER_SECOND, now % netclock::TICKS_PER_SECOND * 100);
        let mut bytes = Vec::new();
        bytes.extend(self.magic.to_ne_bytes());
        bytes.extend(MAGIC[1].to_ne_bytes());
        bytes.extend((LENGTH as u32).to_ne_bytes());
        bytes.extend(self.version.to_ne_bytes());
        bytes.extend(self.generation.to_ne_bytes());
        for at in [seconds - self.age, seconds - self.age + self.holds] {
            bytes.extend(at.to_ne_bytes());
            bytes.extend(ns.to_ne_bytes());
        }
        bytes.extend(self.bound_ns.to_ne_bytes());
        bytes.extend(self.marker.to_ne_bytes());
        bytes.extend(self.drift_ppb.to_ne_bytes());
        bytes.extend(self.status.to_ne_bytes());
        bytes.extend([self.watches; 8]);
        bytes
    }

    fn write(&self, path: &Path) {
        fs::write(path, self.bytes()).expect("the folder is writable");
    }
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("netclock-clockbound-{}-{name}", std::process::id()))
}

/// What is said of a segment that is refused, or nothing.
fn refused(path: &Path) -> String {
    ClockBound::open(path, Some(7)).map_or_else(|error| format!("{error:#}"), |_| String::new())
}

#[test]
fn the_bound_grows_by_the_drift_until_it_is_void() -> Result<()> {
    let path = path("good");
    GOOD.write(&path);
    let mut clockbound = ClockBound::open(&path, Some(7))?;
    // 21.45 us, and 50 ppm of 2 s; the clock goes on while the test runs.
    let us = clockbound.bound(Span::ZERO)?.as_secs_f64() * 1e6;
    assert!((121.45..=150.0).contains(&us), "{us}");
    let later = clockbound.bound(Span::from_secs(20))?.as_secs_f64() * 1e6;
    assert!((999.0..=1_030.0).contains(&(later - us)), "{later}");
    assert!(clockbound.bound(Span::from_secs(999)).is_err_and(|error| error.to_string().contains("is void")));
    // Nobody disciplines the clock now: the statement still holds.
    Fake { status: 2, generation: 6, bound_ns: 500_000, ..GOOD }.write(&path);
    clockbound.look()?;
    assert!(clockbound.bound(Span::ZERO)?.as_secs_f64() > 500e-6);
    fs::remove_file(&path)?;
    clockbound.look()?;
    assert!(clockbound.bound(Span::ZERO).is_ok(), "the last statement holds until it is void");
    Ok(())
}

#[test]
fn what_states_no_bound_now_leaves_the_last_statement() -> Result<()> {
    let path = path("unknown");
    GOOD.write(&path);
    let mut clockbound = ClockBound::open(&path, None)?;
    Fake { status: 0, generation: 6, bound_ns: 0, ..GOOD }.write(&path);
    clockbound.look()?;
    assert!(clockbound.bound(Span::ZERO)?.as_secs_f64() > 121e-6, "a bound of 0 is none");
    let said =
        clockbound.bound(Span::from_secs(2_000)).map_or_else(|error| error.to_string(), |_| String::new());
    assert!(said.contains("its status is unknown"), "{said}");
    fs::remove_file(&path)?;
    Ok(())
}

#[test]
fn a_disruption_ends_the_epoch_whichever_way_it_shows() -> Result<()> {
    let path = path("disrupted");
    for disrupted in [Fake { status: 3, generation: 6, ..GOOD }, Fake { marker: 8, generation: 6, ..GOOD }] {
        GOOD.write(&path);
        let mut clockbound = ClockBound::open(&path, Some(7))?;
        clockbound.look()?;
        disrupted.write(&path);
        let said = clockbound.look().map_or_else(|error| error.to_string(), |()| String::new());
        assert!(said.contains("disrupted") && said.contains("This epoch is over"), "{said}");
        assert!(refused(&path).contains("disrupted"));
    }
    // A daemon that does not watch has no marker to compare.
    Fake { watches: 0, marker: 0, ..GOOD }.write(&path);
    assert_eq!(refused(&path), "");
    fs::remove_file(&path)?;
    Ok(())
}

#[test]
fn a_segment_that_cannot_be_understood_is_refused_in_plain_words() -> Result<()> {
    let path = path("refused");
    assert!(refused(&path).contains("--clockbound"), "there is none");
    for (fake, reason) in [
        (Fake { magic: 1, ..GOOD }, "no segment of ClockBound"),
        (Fake { version: 3, ..GOOD }, "version 3"),
        (Fake { version: 1, ..GOOD }, "version 1"),
        (Fake { generation: 0, ..GOOD }, "has not written"),
        (Fake { generation: 5, ..GOOD }, "written all the time"),
        (Fake { status: 0, ..GOOD }, "status Unknown"),
        (Fake { status: 2, ..GOOD }, "status FreeRunning"),
        (Fake { status: 4, ..GOOD }, "status is 4"),
        (Fake { bound_ns: -1, ..GOOD }, "the bound is -1 ns"),
        (Fake { age: 1_001, ..GOOD }, "is void"),
        (Fake { age: -60, ..GOOD }, "is void"),
    ] {
        fake.write(&path);
        let said = refused(&path);
        assert!(said.contains(reason), "{reason}: {said}");
    }
    for length in [0, 3, 15, 16, LENGTH - 1] {
        fs::write(&path, &GOOD.bytes()[..length])?;
        assert!(refused(&path).contains("cut off"), "{length} bytes");
    }
    let mut endless = GOOD.bytes();
    endless[16..24].copy_from_slice(&i64::MAX.to_ne_bytes());
    fs::write(&path, endless)?;
    assert!(refused(&path).contains("as of: it is too far off"));
    fs::remove_file(&path)?;
    Ok(())
}
