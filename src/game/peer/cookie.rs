//! A peer returns a cookie to prove that it receives the relay's messages. Cookies are computed on demand, so
//! the relay stores nothing about peers without a valid cookie.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use crate::clock::{LocalTime, Span};

/// A cookie remains valid for at least this long, and at most twice as long.
const GOOD_FOR: Span = Span::from_secs(4);

#[derive(Debug)]
pub(super) struct Cookies {
    secret: SipHasher24,
}

impl Cookies {
    pub(super) fn new(secret: SipHasher24) -> Self {
        Cookies { secret }
    }

    /// Send the cookie only to this connection.
    pub(super) fn make(&self, connection: u64, key: u64, game: u64, now: LocalTime) -> u64 {
        self.of_period(period(now), connection, key, game)
    }

    /// Integers are compared in constant time, so the timing reveals nothing about the cookie.
    pub(super) fn check(&self, cookie: u64, connection: u64, key: u64, game: u64, now: LocalTime) -> bool {
        let now = period(now);
        cookie == self.of_period(now, connection, key, game)
            || cookie == self.of_period(now - 1, connection, key, game)
    }

    fn of_period(&self, period: i64, connection: u64, key: u64, game: u64) -> u64 {
        let mut hasher = self.secret;
        for number in [period as u64, connection, key, game] {
            hasher.write_u64(number);
        }
        // Zero means that a LOGIN has no cookie.
        hasher.finish().max(1)
    }
}

fn period(now: LocalTime) -> i64 {
    now.ticks().div_euclid(GOOD_FOR.ticks())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_valid_for_one_login_and_a_few_seconds() {
        let cookies = Cookies::new(SipHasher24::new_with_keys(1, 2));
        for began in [-90_000_000, -1, 0, 1, 39_999_999, 40_000_000] {
            let began = LocalTime::from_ticks(began);
            let cookie = cookies.make(7, 8, 9, began);
            for later in [Span::ZERO, GOOD_FOR] {
                assert!(cookies.check(cookie, 7, 8, 9, began + later));
                assert!(!cookies.check(cookie, 6, 8, 9, began + later), "another connection");
                assert!(!cookies.check(cookie, 7, 9, 9, began + later), "another key");
                assert!(!cookies.check(cookie, 7, 8, 8, began + later), "another game");
                assert!(!cookies.check(0, 7, 8, 9, began + later), "none");
            }
            assert!(!cookies.check(cookie, 7, 8, 9, began + GOOD_FOR + GOOD_FOR), "too old");
        }
        let (other, now) = (Cookies::new(SipHasher24::new_with_keys(1, 3)), LocalTime::from_ticks(0));
        assert!(!other.check(cookies.make(7, 8, 9, now), 7, 8, 9, now), "of another relay");
    }
}
