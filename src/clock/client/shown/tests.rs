use super::*;
use crate::clock::discipline::Position;
use crate::clock::estimate::Estimate;

fn at(ms: i64) -> LocalTime {
    LocalTime::from_ticks(ms * 10_000)
}

fn at_server(ms: i64) -> ServerTime {
    ServerTime::from_ticks(ms * 10_000)
}

fn outlook(ms: i64, offset: i64, server_epoch: u64) -> Outlook {
    let (now, offset) = (at(ms), offset * 10_000);
    let estimate = Estimate { offset, rate: 0.0, sigma: 10.0, sigma_rate: 1e-6 };
    let hard = Some((offset + 50, offset - 50));
    let position = Position { reference: now, hard, hard_rate: 1e-4, offset, sigma: 10.0, sigma_rate: 1e-6 };
    let known = View {
        estimate: Some(estimate),
        position,
        round_trip: Span::from_millis(40),
        is_confirmed: true,
        is_doubtful: false,
        is_holdover: false,
    };
    Outlook { now, is_present: true, known, server_epoch: Some(server_epoch) }
}

fn shown() -> Shown {
    let mut shown = Shown::new(&Config { burst_count: 2, ..Config::default() }).expect("there is memory");
    assert_eq!(shown.show(&outlook(0, 1_000, 1)), Some(Event::Synced));
    shown
}

fn discontinuity(cause: Cause, jump: i64, epoch: u32) -> Option<Event> {
    Some(Event::Discontinuity { cause, jump: Span::from_millis(jump), epoch })
}

#[test]
fn the_old_run_is_shown_until_the_burst_is_answered() {
    let mut shown = shown();
    let wait = shown.wait_for_burst(at(100), Span::from_millis(40));
    shown.plan_restart(None, wait, &outlook(100, 1_000, 2));
    let read = |shown: &Shown, ms| {
        let reading = shown.reader.read(at(ms));
        (reading.state, reading.server_epoch, reading.server_time - ServerTime::from_ticks(0))
    };
    assert_eq!(shown.show(&outlook(110, 5_000, 2)), None);
    assert_eq!(read(&shown, 110), (State::Doubtful, 1, Span::from_millis(1_110)));
    assert_eq!(shown.replaced(), Some(Stated::alone(1)));
    assert_eq!(shown.show(&outlook(120, 5_000, 2)), discontinuity(Cause::ServerRestart, 4_000, 2));
    assert_eq!(read(&shown, 120), (State::Synced, 2, Span::from_millis(5_120)));
    assert_eq!(shown.replaced(), None);
}

#[test]
fn unanswered_bursts_are_overdue() {
    let mut shown = shown();
    let wait = shown.wait_for_burst(at(100), Span::from_millis(40));
    shown.plan_restart(None, wait, &outlook(100, 1_000, 2));
    // The wait is 4/3 of two 20 ms intervals, plus the round trip.
    assert!(!shown.is_due(at(193)) && shown.is_due(at(194)));
}

#[test]
fn a_small_step_is_slewed_and_a_large_one_resets() {
    let mut shown = shown();
    shown.plan_step();
    // This read keeps the slew from starting before 100 ms.
    shown.reader.read(at(100));
    assert_eq!(shown.show(&outlook(100, 1_100, 1)), discontinuity(Cause::ProvenStep, 0, 1));
    shown.plan_step();
    let event = shown.show(&outlook(101, 9_000, 1));
    assert_eq!(event, discontinuity(Cause::ProvenStep, 8_000, 2));
}

#[test]
fn reads_are_kept_and_forecasts_do_not_delay_corrections() {
    let mut shown = shown();
    let read = |shown: &Shown, ms| shown.reader.read(at(ms)).server_time;
    let honest = read(&shown, 1_900);
    // The timestamp of a late reply does not show how much time has passed.
    let forecast = read(&shown, 9_000);
    let stamped = |ms| Outlook { is_present: false, ..outlook(ms, 980, 1) };
    assert_eq!(shown.show(&stamped(100)), None);
    assert!(shown.is_due(at(100)));
    assert_eq!((read(&shown, 1_900), read(&shown, 9_000)), (honest, forecast));
    assert_eq!(shown.show(&outlook(100, 980, 1)), None);
    assert!(!shown.is_due(at(100)));
    assert_eq!(read(&shown, 1_900), honest);
    assert_eq!(read(&shown, 9_000) - forecast, Span::from_millis(-20));
    // No reader has read the time after 9,100 ms, so the correction is not postponed.
    assert_eq!(shown.show(&outlook(9_100, 990, 1)), None);
    assert_eq!(read(&shown, 9_600) - at_server(9_600), Span::from_millis(990));
}

#[test]
fn setting_the_local_clock_back_keeps_the_shown_time() {
    let mut shown = shown();
    assert_eq!(shown.set_back(at(9_000), at(50), 0.0), discontinuity(Cause::LocalStep, 0, 2));
    shown.publish(&outlook(50, 1_000, 1));
    let reading = shown.reader.read(at(50));
    assert_eq!((reading.server_time.ticks(), reading.state), (10_000 * 10_000, State::Doubtful));
    assert_eq!(
        Shown::new(&Config::default()).expect("there is memory").set_back(at(9_000), at(50), 0.0),
        None
    );
}

#[test]
fn readers_see_the_state_of_the_clock() {
    let mut shown = shown();
    let mut state = |change: fn(&mut View)| {
        let mut outlook = outlook(100, 1_000, 1);
        change(&mut outlook.known);
        shown.publish(&outlook);
        assert!(!shown.is_unpublished);
        shown.reader.read(at(100)).state
    };
    assert_eq!(state(|_| {}), State::Synced);
    assert_eq!(state(|known| known.is_holdover = true), State::Holdover);
    assert_eq!(state(|known| (known.is_holdover, known.is_doubtful) = (true, true)), State::Doubtful);
    assert_eq!(
        Shown::new(&Config::default()).expect("there is memory").reader.read(at(100)).state,
        State::Unsynced
    );
}

#[test]
fn early_corrections_are_steps_and_later_ones_are_slewed() {
    // The round trip (ms) only matters until a second exchange confirms the estimate.
    for (ms, is_confirmed, round_trip, step) in [
        (100, true, 300, true),
        (999, true, 300, true),
        (1_000, true, 300, false),
        (100, false, 99, true),
        (100, false, 101, false),
    ] {
        let show = |change: i64| {
            let (mut shown, mut outlook) = (shown(), outlook(ms, 1_000 + change, 1));
            outlook.known.is_confirmed = is_confirmed;
            outlook.known.round_trip = Span::from_millis(round_trip);
            shown.began = shown.began.filter(|_| is_confirmed);
            shown.reader.read(at(ms));
            shown.show(&outlook)
        };
        let back = step.then(|| discontinuity(Cause::Correction, -200, 2));
        let ahead = step.then(|| discontinuity(Cause::Correction, 200, 1));
        assert_eq!((show(-200), show(200)), (back.flatten(), ahead.flatten()), "at {ms} ms");
        assert_eq!(show(-40), None, "slewing it takes less than a second");
    }
    let mut shown = shown();
    shown.begin_anew();
    assert_eq!(shown.show(&outlook(60_000, 900, 1)), discontinuity(Cause::Correction, -100, 2));
}
