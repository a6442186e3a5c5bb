//! A clock that a time service slews by more than the limit: it is declared, and few reads are outside the
//! bound before. The lab's `slewed` has the slews of a usual time service.

use netclock::{Config, Degradation, Event, Span};
use netclock_sim::pair::{Link, Pair, Seen};

const SLEWED: Event = Event::Degraded(Degradation::Slewed);

/// A pair of `link` that has run for a minute.
fn settled(link: Link, config: Config) -> Pair {
    let mut pair = Pair::with_config(link, config);
    let seen = pair.run(60.0);
    assert_eq!((seen.outside_bound, seen.backwards), (0, 0));
    assert!(!seen.events.contains(&SLEWED), "{:?}", seen.events);
    pair
}

/// Runs `pair` for `seconds` while its server's clock gains `ppm`, and adds what was seen to `all`.
fn slew(pair: &mut Pair, seconds: u32, ppm: i64, all: &mut Seen) {
    // In parts of three frames, so that the clock is slewed and not stepped.
    let part = Span::from_millis(48);
    for _ in 0..i64::from(seconds) * 1_000 / 48 {
        pair.set_server_ahead(Span::from_ticks(part.ticks() * ppm / 1_000_000));
        let seen = pair.run(part.as_secs_f64());
        all.reads += seen.reads;
        all.outside_bound += seen.outside_bound;
        all.backwards += seen.backwards;
        all.events.extend(seen.events);
    }
}

/// A slew of `ppm` for 40 s in each of `cycles` times 120 s.
fn cycles(pair: &mut Pair, cycles: u32, ppm: i64) -> Seen {
    let mut all = Seen::default();
    for _ in 0..cycles {
        slew(pair, 40, ppm, &mut all);
        slew(pair, 80, 0, &mut all);
    }
    assert_eq!(all.backwards, 0);
    all
}

/// How fast the bound grows. The shown clock runs at the estimated rate, which adds some ppm.
fn growth_ppm(pair: &Pair) -> f64 {
    let (now, later) = (pair.now, pair.now + Span::from_secs(1_000));
    (pair.client.read(later).error_bound - pair.client.read(now).error_bound).as_millis_f64()
}

fn count(seen: &Seen, event: Event) -> usize {
    seen.events.iter().filter(|it| **it == event).count()
}

fn lan() -> Link {
    Link { forward: 0.1, reverse: 0.1, jitter: 0.02, ..Link::default() }
}

#[test]
fn a_slew_far_beyond_the_usual_takes_a_step_for_its_first_sign() {
    // Chrony, if nobody limits it.
    let mut pair = settled(Link::default(), Config::default());
    let mut seen = Seen::default();
    slew(&mut pair, 12, 83_333, &mut seen);
    assert!(count(&seen, SLEWED) >= 1, "{:?}", seen.events);
    let (before, reads) = (seen.outside_bound, seen.reads);
    println!("{before} of {reads} reads outside, {:?}", seen.events);
    let mut later = Seen::default();
    slew(&mut pair, 30, 0, &mut later);
    slew(&mut pair, 12, -83_333, &mut later);
    assert_eq!(later.outside_bound, 0, "{:?}", later.events);
}

#[test]
fn after_twenty_minutes_without_evidence_bounds_are_as_before() {
    let mut pair = settled(lan(), Config::default());
    let seen = cycles(&mut pair, 1, 500);
    assert_eq!(count(&seen, SLEWED), 1);
    assert!(growth_ppm(&pair) > 600.0, "{} ppm", growth_ppm(&pair));
    // Marks of the time before show it for up to three minutes more.
    let seen = pair.run(1_400.0);
    assert_eq!((seen.outside_bound, count(&seen, Event::Recovered)), (0, 1), "{:?}", seen.events);
    assert!(growth_ppm(&pair) < 150.0, "{} ppm", growth_ppm(&pair));
}
