//! Tests a local clock that counts audio samples in blocks, runs fast, and stops during underruns.

use netclock::{Client, Config, Event, LocalTime, Reply, Responder, ServerTime, Span};
use netclock_sim::pair::SEED;
use netclock_sim::random::{Random, seed};

const SAMPLES: i64 = 1_024;
const SAMPLES_PER_S: i64 = 48_000;
const TICKS_PER_S: i64 = 10_000_000;
/// How fast the sound card's crystal runs, in ppm.
const FAST: f64 = 180.0;
const UNDERRUN: Span = Span::from_millis(60);
/// Underruns are this many blocks apart (32 s).
const UNDERRUN_EVERY: i64 = 1_500;

fn counted(block: i64) -> LocalTime {
    LocalTime::from_ticks(block * SAMPLES * TICKS_PER_S / SAMPLES_PER_S)
}

fn server(at: f64) -> ServerTime {
    ServerTime::from_ticks(77_000_000_000 + at as i64)
}

/// Runs for 20 minutes and returns how many readings exceed their bounds, and the client's events.
fn session(config: Config, are_told: bool) -> (u32, Vec<Event>) {
    let mut client = Client::new(config, 1).expect("the settings are valid");
    let responder = Responder::new(7);
    let mut random = Random::new(seed(SEED), "sound card");
    let length = (SAMPLES * TICKS_PER_S) as f64 / SAMPLES_PER_S as f64 / (1.0 + FAST * 1e-6);
    let (mut at, mut replies, mut outside, mut events) = (0.0, Vec::<(f64, Reply)>::new(), 0, Vec::new());
    for block in 0..56_250 {
        let now = counted(block);
        if block % UNDERRUN_EVERY == UNDERRUN_EVERY - 1 {
            at += UNDERRUN.ticks() as f64;
            if are_told {
                client.may_have_missed_time(now, UNDERRUN).expect("time is in order");
            }
        }
        if let Some(request) = client.tick(now).expect("time is in order") {
            let mut way = || random.between(50_000.0, 200_000.0);
            let received = at + way();
            let reply = responder.respond(&request, server(received), server(received));
            replies.push((received + way(), reply.expect("stamps in order")));
        }
        let reading = client.read(now);
        let error = (reading.server_time - server(at)).abs();
        outside += u32::from(client.is_time_synced() && error > reading.error_bound);
        at += length;
        replies.retain(|(arrives, reply)| {
            let is_here = *arrives < at;
            if is_here {
                // An event's timestamp is the start of the audio block in which the event occurs.
                let _refused_if_asked_before_an_underrun = client.handle_reply(reply, now);
            }
            !is_here
        });
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
