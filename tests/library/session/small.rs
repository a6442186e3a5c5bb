//! Small sessions of a host with two guests: whatever becomes of the first ten datagrams, and whatever
//! happens meanwhile, no promise is broken, and both guests know everything soon after the network heals.

use netclock_sim::conversation::{SESSIONS, session};

/// Another sample than the default: how many sessions.
const COUNT: &str = "NETCLOCK_SMALL_SESSIONS";

#[test]
fn no_small_session_breaks_a_promise() {
    let count = std::env::var(COUNT).ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    // It has no divisor in common with the number of sessions.
    let step = (SESSIONS / count) | 1;
    let mut started = 0;
    for number in (0..SESSIONS).step_by(step as usize) {
        let (faults, starts) = session(number);
        assert!(faults.is_empty(), "session {number}: {faults:#?}");
        started += starts;
    }
    assert!(started > 0, "no session has a start");
}
