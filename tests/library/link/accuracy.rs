//! Tests how accurate a link is when messages wait for frames, and how well it averages out random delays.

use super::*;

#[test]
fn frame_waits_do_not_affect_a_linked_clock() {
    let frames = Some((1000.0 / 30.0, 1000.0 / 60.0));
    let mut without = LinkSimulation::new(Net { udp_blocked: true, ..GOOD }, frames);
    let mut with = LinkSimulation::new(GOOD, frames);
    let (_, _) = (without.run(10.0), with.run(10.0));
    let (waits, link) = (p99(&without.run(50.0)), p99(&with.run(50.0)));
    println!("p99 {waits} us with messages alone, {link} us with the link");
    assert!(link <= 400.0, "{link} us");
    assert!(waits > 4.0 * link, "{waits} us without, {link} us with");
}

/// Compares a clock that uses only a link with one that also uses messages at these frame times. Returns the
/// 99th percentile of each run's errors (us) from second 10 to 40. The server's clock is `ppm` fast.
fn alone_and_beside_messages(runs: u64, frames: (f64, f64), ppm: f64, blocked_s: f64) -> [Vec<f64>; 2] {
    let net = Net { jitter: 6.0, ..GOOD };
    let errors = |seed| {
        let mut world = LinkSimulation::seeded(Net { udp_blocked: true, ..net }, Some(frames), ppm, seed);
        world.run(blocked_s);
        world.net = net;
        world.twin = Some((linked(Config::default(), &key(1), 1), Vec::new()));
        while world.client.state() != LinkState::Linked {
            world.run(0.1);
        }
        world.run(10.0);
        world.twin.iter_mut().for_each(|(_, errors)| errors.clear());
        let beside = p99(&world.run(30.0));
        (p99(&world.twin.expect("it was there").1), beside)
    };
    (3..3 + runs).map(errors).unzip().into()
}

fn mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

#[test]
fn messages_beside_a_link_do_not_degrade_the_clock() {
    let frame = 1000.0 / 60.0;
    // If frame times are constant, messages cannot reveal how the clocks' rates differ. In some runs, the
    // client uses messages for up to two minutes before the link works, so it knows the rate by then.
    for (runs, client, ppm, blocked_s) in [
        (5, frame, 0.0, 0.0),
        (5, frame, 40.0, 0.0),
        (5, frame, 40.0, 31.0),
        (5, 15.2, 0.0, 31.0),
        (25, 15.2, 40.0, 120.0),
    ] {
        let [alone, both] = alone_and_beside_messages(runs, (client, frame), ppm, blocked_s);
        println!("{alone:.0?} alone, {both:.0?} with messages");
        let [alone, both] = [alone, both].map(|p99s| mean(&p99s));
        println!(
            "{ppm} ppm, blocked {blocked_s} s: {alone:.0} us alone, {both:.0} us with frames of {client} ms"
        );
        assert!(both < 1.03 * alone, "{both} us with messages, {alone} us alone");
    }
}

/// The geometric mean (us) of an older link after two minutes. It sent 340 requests in the first half minute
/// and 450 in two minutes.
const FORMERLY: f64 = 113.0;

#[test]
fn an_exponential_jitter_is_averaged_away() {
    let net = Net { jitter: 6.0, ..GOOD };
    let runs = (1..=24).map(|run| {
        let mut world = LinkSimulation::seeded(net, None, if run % 2 == 0 { 40.0 } else { 0.0 }, run * 7919);
        world.run(30.0);
        let (early, late) = (world.run(90.0), world.run(180.0));
        (p99(&[&early[..], &late].concat()), p99(&late))
    });
    let (all, late): (Vec<f64>, Vec<f64>) = runs.unzip();
    let (all, late) = (sorted(all), mean(&late));
    println!(
        "p99 from second 30: median {:.0} us, worst of 24 {:.0} us; after minute 2 {late:.0} us",
        all[12], all[23]
    );
    assert!(all[12] <= 400.0, "{all:?}");
    assert!(late <= 1.1 * FORMERLY, "{late} us");
}
