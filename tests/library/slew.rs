//! A clock that a time service slews by more than the limit: it is declared, and few reads are outside the
//! bound before. The lab's `slewed` has the slews of a usual time service.

use netclock::{Client, Config, Degradation, Event, LocalTime, Sample, Span};
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

/// What anyone can know: whether the stamps so far fit clocks that keep the stated limit. They do if and only
/// if no bound contradicts another one, aged (docs/theory.md).
struct Knowledge {
    /// The stated limit, per tick.
    drift: f64,
    /// The best bounds (ticks), as of `at`.
    upper: f64,
    lower: f64,
    at: LocalTime,
    knows: bool,
}

impl Knowledge {
    fn of(pair: &Pair) -> Self {
        let config = pair.client.config();
        let [client, server] = [config.client_drift_ppm, config.server_drift_ppm].map(|ppm| ppm * 1e-6);
        let drift = (client + server) / (1.0 - client);
        Knowledge { drift, upper: f64::INFINITY, lower: f64::NEG_INFINITY, at: pair.now, knows: false }
    }

    /// Takes in the newest exchange.
    fn learn(&mut self, client: &Client) {
        let Some(exchange) = client.last_sample().and_then(Sample::exchange) else { return };
        let at = exchange.client_received;
        let slack = |since: LocalTime| self.drift * (at - since).ticks() as f64;
        let (upper, lower) = (self.upper + slack(self.at), self.lower - slack(self.at));
        let sent = (exchange.server_received.ticks() - exchange.client_sent.ticks()) as f64;
        let (sent, received) =
            (sent + slack(exchange.client_sent), (exchange.server_sent.ticks() - at.ticks()) as f64);
        // Both clocks are read in whole ticks.
        self.knows |= received > upper + 2.0 || sent < lower - 2.0;
        (self.upper, self.lower, self.at) = (upper.min(sent), lower.max(received), at);
    }
}

/// Reads outside their bound before anyone can know of a slew by `ppm` for 40 s in each two minutes, and
/// after that.
fn outside(link: Link, ppm: i64, number: u64) -> [u32; 2] {
    const FRAME: Span = Span::from_millis(16);
    let mut pair = Pair::numbered(link, Config::default(), number);
    let (mut knowledge, mut is_declared) = (Knowledge::of(&pair), false);
    let mut outside = [0, 0];
    for frame in 0..20_000_u64 {
        let is_slewed = (3_750 + number * 131..6_250).contains(&(frame % 7_500));
        let gained = if is_slewed { FRAME.ticks() * ppm / 1_000_000 } else { 0 };
        pair.set_server_ahead(Span::from_ticks(gained));
        let seen = pair.run(FRAME.as_secs_f64());
        knowledge.learn(&pair.client);
        outside[usize::from(knowledge.knows)] += seen.outside_bound;
        is_declared |= count(&seen, SLEWED) > 0;
        assert!(!is_declared || ppm.abs() > USUAL || seen.outside_bound == 0, "{link:?}, {ppm} ppm");
    }
    outside
}

/// Slews by up to this have a rung of their own (ppm).
const USUAL: i64 = 550;

#[test]
fn no_read_is_outside_once_anyone_can_know_of_the_slew() {
    let lossy = Link { loss: 0.2, ..lan() };
    let near = Link { forward: 3.0, reverse: 2.0, jitter: 2.0, ..Link::default() };
    for link in [lan(), lossy, near, Link::default()] {
        for ppm in [150, 300, USUAL, -USUAL] {
            for number in 0..3 {
                let [before, after] = outside(link, ppm, number);
                println!("{ppm} ppm, {number}: {before} reads outside");
                assert_eq!(after, 0, "{link:?}, {ppm} ppm, {number}");
            }
        }
    }
}

/// Which of the higher rungs it is has to be found out: that takes a burst or two.
#[test]
fn a_faster_slew_is_followed_within_a_second_or_two() {
    for (link, ppm) in [(lan(), 5_000), (lan(), 20_000), (lan(), 83_333), (Link::default(), 83_333)] {
        let [before, after] = outside(link, ppm, 0);
        println!("{ppm} ppm: {before} reads outside, and {after} after anyone could know");
        assert!(after < 120, "{link:?}, {ppm} ppm: {after} reads");
    }
}
