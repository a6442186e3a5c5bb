//! As NTP's filter, over the last 16 exchanges.
//! Source: Beatsync, music in step over several browsers.

use super::rule::Pace;
use super::smallest_trip::SmallestTrip;

/// The last 16; 16 probes 30 ms apart, then one a second.
pub(super) fn beatsync() -> SmallestTrip<16> {
    SmallestTrip::new("beatsync", Pace::each(1.0))
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::super::rule::{Rule, Stamps};
    use super::*;

    #[test]
    fn smallest_of_the_last_sixteen() {
        let mut rule = beatsync();
        rule.take(&exchange(0.0, 10.0, 10.0, 5.0));
        let later: Stamps = exchange(1.0, 30.0, 20.0, 0.0);
        (0..15).for_each(|_| rule.take(&later));
        assert_eq!(offset_ms(&mut rule, 2.0), 5.0);
        rule.take(&later);
        assert_eq!(offset_ms(&mut rule, 2.0), 5.0, "theta 0 and half of 10 ms asymmetry");
    }
}
