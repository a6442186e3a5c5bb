//! Tests a local clock that counts audio samples in blocks, runs fast, and stops during underruns.

use netclock::{Client, Config, Event, LocalTime, Span};
use netclock_sim::leg::LegConfig;
use netclock_sim::pair::SEED;
use netclock_sim::random::seed;
use netclock_sim::remote::{Remote, Run};

const SAMPLES: i64 = 1_024;
const SAMPLES_PER_S: i64 = 48_000;
const TICKS_PER_S: i64 = 10_000_000;
/// The sound card's crystal runs fast by this many parts per billion.
const FAST_PPB: i64 = 180_000;
const UNDERRUN: Span = Span::from_millis(60);
/// The number of blocks between two underruns (32 s).
const UNDERRUN_EVERY: i64 = 1_500;

fn counted(block: i64) -> LocalTime {
    LocalTime::from_ticks(block * SAMPLES * TICKS_PER_S / SAMPLES_PER_S)
}

/// Runs for 20 minutes and returns the number of readings outside their bounds, and the client's events.
fn session(config: Config, are_told: bool) -> (u32, Vec<Event>) {
    let mut client = Client::new(config, 1).expect("the settings are valid");
    let leg = LegConfig { base_ms: 5.0, jitter_ms: 5.0, ..LegConfig::default() };
    let run = Run { rate_ppb: -FAST_PPB, ..Run::default() };
    let mut server = Remote::new(&[leg.clone(), leg], run, seed(SEED));
    let (mut outside, mut events) = (0, Vec::new());
    for block in 0..56_250 {
        let now = counted(block);
        if block % UNDERRUN_EVERY == UNDERRUN_EVERY - 1 {
            server.run.offset = server.run.offset + UNDERRUN;
            if are_told {
                client.may_have_missed_time(now, UNDERRUN).expect("time is in order");
            }
        }
        if let Some(request) = client.tick(now).expect("time is in order") {
            server.ask(&request, now);
        }
        let reading = client.read(now);
        let error = (reading.server_time - server.run.truth(now)).abs();
        outside += u32::from(client.is_time_synced() && error > reading.error_bound);
        while let Some((_, reply)) = server.next_reply(counted(block + 1)) {
            // A reply's arrival time is the start of the audio block in which it arrives.
            let _refused_if_asked_before_an_underrun = client.handle_reply(&reply, now);
        }
        events.extend(std::iter::from_fn(|| client.next_event()));
    }
    (outside, events)
}

#[test]
fn a_sample_counter_works_as_a_local_clock() {
    let block = Span::from_ticks(SAMPLES * TICKS_PER_S / SAMPLES_PER_S + 1);
    let config = Config { client_drift_ppm: 250.0, client_resolution: block, ..Config::default() };
    let (outside, events) = session(config, true);
    assert_eq!(outside, 0, "{events:?}");
    let expected =
        |event: &Event| matches!(event, Event::Synced | Event::Recovered | Event::Discontinuity { .. });
    assert!(events.iter().all(expected), "{events:?}");
    assert!(session(config, false).0 > 0, "underruns have no effect if they are not reported");
}
