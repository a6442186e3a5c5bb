use super::*;

const NOW: i64 = 1_800_000_000;
const DAY: i64 = 86_400;

const BOOT: u64 = 5;
const EPOCH: u64 = 7;
const SERVER_BOOT: u64 = 9;

const NOTHING: Earlier<'static> = Earlier { seconds: NOW, boot: BOOT, ..Earlier::NONE };

fn after(config: &Config, earlier: &Earlier<'_>, rate_ppm: f64) -> Saved {
    let memory = Memory::new(config, earlier);
    let found = Rate { mean: rate_ppm * 1e-6, sigma: 0.4e-6, of_this_boot: true };
    memory.leave(found, None, earlier.seconds, Some(EPOCH)).expect("the rate is known")
}

fn prior(config: &Config, machine: &[u8], server: &[u8], seconds: i64) -> Prior {
    let mut memory = Memory::new(config, &Earlier { machine, server, seconds, boot: BOOT });
    let before = memory.prior(config);
    memory.recognise(EPOCH).unwrap_or(before)
}

fn stated(ppm: f64) -> Config {
    Config { server_rate: RateHint { ppm, doubt_ppm: 0.5 }, ..Config::default() }
}

#[test]
fn the_rate_of_a_known_server_is_known_to_the_drift_of_crystals() {
    let config = Config::default();
    let saved = after(&config, &NOTHING, -23.0);
    let again = prior(&config, &saved.machine, &saved.server, NOW + DAY);
    assert!((again.mean + 23e-6).abs() < 0.5e-6, "{again:?}");
    assert!((1.5e-6..3e-6).contains(&again.sigma), "{again:?}");
    let years_later = prior(&config, &[], &saved.server, NOW + 3_650 * DAY);
    assert_eq!(years_later, Prior::CRYSTALS, "too old to be useful");
    let set_back = prior(&config, &[], &saved.server, NOW - 40 * DAY);
    assert!(set_back.sigma > again.sigma, "a negative age counts like a positive one");
}

#[test]
fn servers_with_stated_rates_measure_the_machine() {
    // The machine's crystal is 30 ppm fast, and two servers state their rates.
    let first = after(&stated(5.0), &NOTHING, -25.0);
    let earlier = Earlier { machine: &first.machine, ..NOTHING };
    let second = after(&stated(-12.0), &earlier, -42.0);
    let third = prior(&stated(20.0), &second.machine, &[], NOW);
    assert!((third.mean + 10e-6).abs() < 0.5e-6, "{third:?}");
    assert!(third.sigma < 2e-6, "{third:?}");
    // A third server does not state its rate, which could have any value.
    let unstated = prior(&Config::default(), &second.machine, &[], NOW);
    assert!((unstated.mean + 30e-6).abs() < 0.5e-6, "{unstated:?}");
    assert!(unstated.sigma > 14e-6, "{unstated:?}");
}

#[test]
fn a_server_without_a_stated_rate_counts_once() {
    let config = Config::default();
    let first = after(&config, &NOTHING, -20.0);
    let sure = |saved: &Saved| State::read(&saved.machine, Kind::Machine, NOW, BOOT).expect("it is intact");
    let same = Earlier { machine: &first.machine, server: &first.server, ..NOTHING };
    let again = after(&config, &same, -20.0);
    assert!(sure(&again).rate.sigma >= sure(&first).rate.sigma);
    let other = Earlier { machine: &first.machine, ..NOTHING };
    let another = after(&config, &other, -36.0);
    assert!(sure(&another).rate.sigma < 0.8 * sure(&first).rate.sigma);
    assert!((sure(&another).rate.mean - 28e-6).abs() < 1e-6);
}

#[test]
fn a_crystal_that_changed_replaces_the_old_one() {
    let first = after(&stated(0.0), &NOTHING, -20.0);
    let earlier = Earlier { machine: &first.machine, ..NOTHING };
    let moved = after(&stated(0.0), &earlier, 35.0);
    let next = prior(&stated(0.0), &moved.machine, &[], NOW);
    assert!((next.mean - 35e-6).abs() < 0.1e-6, "{next:?}");
    // The system's current hint differs from the measured rate.
    let client_rate = RateHint { ppm: -35.0, doubt_ppm: 1.0 };
    let config = Config { client_rate, ..stated(0.0) };
    let hinted = prior(&config, &[], &first.server, NOW);
    assert!((hinted.mean - 35e-6).abs() < 0.1e-6, "{hinted:?}");
}

#[test]
fn damaged_foreign_and_impossible_states_are_ignored() {
    let config = Config::default();
    let saved = after(&config, &NOTHING, -23.0);
    for at in 0..SAVED_SIZE {
        for bit in 0..8 {
            let mut damaged = saved.server;
            damaged[at] ^= 1 << bit;
            assert_eq!(prior(&config, &[], &damaged, NOW), Prior::CRYSTALS, "byte {at}, bit {bit}");
        }
        assert_eq!(prior(&config, &[], &saved.server[..at], NOW), Prior::CRYSTALS, "cut at {at}");
    }
    assert_eq!(prior(&config, &saved.server, &saved.machine, NOW), Prior::CRYSTALS, "the wrong kind");
    let rate = Rate { mean: 500e-6, sigma: 0.0, of_this_boot: true };
    let lie = State { rate, sessions: 9, boots: [BOOT, EPOCH] }.write(Kind::Server, None, NOW);
    assert_eq!(prior(&config, &[], &lie, NOW), Prior::CRYSTALS, "outside the configured drift");
    assert_eq!(
        Memory::new(&config, &Earlier::NONE).leave(
            Rate { mean: 0.0, sigma: 15e-6, of_this_boot: true },
            None,
            NOW,
            None
        ),
        None,
        "nothing was found"
    );
}

#[test]
fn a_route_is_saved_and_rejected_with_the_rate() {
    let (config, found) = (Config::default(), Rate { mean: -23e-6, sigma: 0.4e-6, of_this_boot: true });
    let asymmetry = Asymmetry::earlier([0.090, -0.020, 0.001], 0.0);
    assert!(asymmetry.is_some());
    let saved = Memory::new(&config, &NOTHING).leave(found, asymmetry, NOW, None).expect("the rate is known");
    let of = |server: &[u8], seconds| Earlier { server, seconds, ..NOTHING }.asymmetry();
    let again = of(&saved.server, NOW + DAY).expect("one day is not too old").parts();
    assert!((again[0] - 0.090).abs() < 1e-6 && (again[1] + 0.020).abs() < 1e-6, "{again:?}");
    assert!((2e-3..5e-3).contains(&again[2]), "{again:?}");
    assert_eq!(of(&saved.server, NOW + 40 * DAY), None, "too old");
    assert_eq!(of(&saved.machine, NOW), None, "the wrong kind");
    for at in 0..SAVED_SIZE {
        let mut damaged = saved.server;
        damaged[at] ^= 0x10;
        assert_eq!(of(&damaged, NOW), None, "byte {at}");
    }
    let rate = prior(&config, &[], &saved.server, NOW).mean;
    assert!((rate + 23e-6).abs() < 1e-9, "{rate}");
}

#[test]
fn a_rate_is_less_certain_after_a_reboot() {
    let config = Config::default();
    let sure = |prior: Prior| prior == Prior::said(prior.mean, prior.sigma);
    for stated in [0, SERVER_BOOT] {
        let mut memory = Memory::new(&config, &NOTHING);
        memory.set_server_boot(stated);
        let found = Rate { mean: -23e-6, sigma: 0.4e-6, of_this_boot: true };
        let saved = memory.leave(found, None, NOW, Some(EPOCH)).expect("the rate is known");
        let earlier = |boot| Earlier { server: &saved.server, boot, ..NOTHING };
        let right = if stated == 0 { EPOCH } else { SERVER_BOOT };
        let mut same = Memory::new(&config, &earlier(BOOT));
        assert!(!sure(same.prior(&config)), "the server is not recognised yet");
        assert_eq!(same.recognise(right + 1), None, "the server was rebooted");
        let known = same.recognise(right);
        assert!(known.is_some_and(|prior| sure(prior) && (prior.mean + 23e-6).abs() < 1e-9), "{known:?}");
        assert_eq!(same.recognise(right), None, "once");
        for other in [BOOT + 1, 0] {
            let known = Memory::new(&config, &earlier(other)).recognise(right);
            assert!(known.is_some_and(|prior| !sure(prior)), "this machine was rebooted: {known:?}");
        }
    }
    let unknown = Earlier { seconds: NOW, ..Earlier::NONE };
    let saved = after(&config, &unknown, -23.0);
    let mut memory = Memory::new(&config, &Earlier { server: &saved.server, ..unknown });
    assert!(!sure(memory.prior(&config)) && memory.recognise(EPOCH).is_some_and(|prior| !sure(prior)));
}

#[test]
fn rates_from_two_boots_are_not_mixed() {
    let first = after(&stated(0.0), &NOTHING, -20.0);
    let next = |config: &Config, rate_ppm| {
        let earlier = Earlier { machine: &first.machine, boot: BOOT + 1, ..NOTHING };
        let saved = after(config, &earlier, rate_ppm);
        let boots = |boot| State::read(&saved.machine, Kind::Machine, NOW, boot).expect("it is intact").rate;
        [boots(BOOT), boots(BOOT + 1)]
    };
    let [old, new] = next(&stated(0.0), -23.0);
    assert!(new.of_this_boot, "{new:?}");
    assert!(!old.of_this_boot, "{old:?}");
    assert!((new.mean - 23e-6).abs() < 0.1e-6, "{new:?}");
    // The server states no rate, so this session reveals less about the crystal than the state from the
    // previous boot.
    let [old, new] = next(&Config::default(), -23.0);
    assert!(old.of_this_boot && !new.of_this_boot && (old.mean - 20e-6).abs() < 0.1e-6, "{old:?}");
    // The current hint overrides the state from a different boot.
    let config = Config { client_rate: RateHint { ppm: 22.0, doubt_ppm: 1.0 }, ..stated(0.0) };
    let server = after(&stated(0.0), &NOTHING, -20.0).server;
    let memory = Memory::new(&config, &Earlier { server: &server, boot: BOOT + 1, ..NOTHING });
    let (known, said) = (memory.prior(&config), Prior::said(-22e-6, 1e-6));
    assert_eq!(known.mean, said.mean);
    // Optimised code may round differently from the constant that the compiler calculates.
    assert!((known.odds / said.odds - 1.0).abs() < 1e-9, "{known:?}");
}
