//! What a link costs on the wire.

use super::*;

/// Headers of IPv4 and UDP beside as many bytes of datagrams.
fn on_the_wire(payload: usize) -> usize {
    payload / DATAGRAM * (DATAGRAM + 28)
}

#[test]
fn a_link_costs_twelve_kilobytes_in_half_a_minute_and_forty_bytes_a_second_at_rest() {
    for (seed, loss) in (1..=8).map(|seed| (seed, if seed % 2 == 0 { 0.05 } else { 0.0 })) {
        let mut world = World::seeded(Net { jitter: 6.0, loss, ..GOOD }, None, 40.0, seed);
        world.run(30.0);
        let first = on_the_wire(world.bytes);
        world.run(90.0);
        let before = on_the_wire(world.bytes);
        world.run(240.0);
        let rest = (on_the_wire(world.bytes) - before) as f64 / 240.0;
        println!("seed {seed}: {first} bytes, {before} in two minutes, then {rest:.1} bytes/s");
        assert!(first <= 12_000 && before <= 56_000, "{first} and {before} bytes");
        // What is lost is asked again.
        assert!(rest <= 40.0 * (1.0 + 4.0 * loss), "{rest} bytes/s");
    }
}

#[test]
fn a_client_at_rest_costs_thirty_six_bytes_a_second_on_both_paths() {
    let mut world = World::new(Net { loss: 0.0, ..GOOD }, Some((16.0, 16.0)));
    world.run(120.0);
    let before = world.bytes;
    world.run(120.0);
    let rate = (world.bytes - before) as f64 / 120.0;
    println!("{rate} bytes/s");
    assert!(rate <= 36.0, "{rate} bytes/s");
}
