//! Dates, as people write them.

use netclock::{TICKS_PER_SECOND, UtcTime};

const TICKS_PER_MS: i64 = TICKS_PER_SECOND / 1_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// `2026-11-22 03:04:05.678`.
pub(crate) fn date(utc: UtcTime) -> String {
    let millis = utc.ticks().div_euclid(TICKS_PER_MS);
    let (seconds, millis) = (millis.div_euclid(1_000), millis.rem_euclid(1_000));
    let (days, second) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03}")
}

/// Year, month and day of the Gregorian calendar, from days after 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    // Every 400 years have the same 146,097 days.
    let (mut year, mut left) = (1970 + days.div_euclid(146_097) * 400, days.rem_euclid(146_097));
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        (year, left) = (year + 1, left - length);
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        (month, left) = (month + 1, left - length);
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds: i64, ticks: i64| date(UtcTime::from_ticks(seconds * TICKS_PER_SECOND + ticks));
        assert_eq!(at(0, 0), "1970-01-01 00:00:00.000");
        assert_eq!(at(951_782_400, 0), "2000-02-29 00:00:00.000");
        assert_eq!(at(1_483_228_799, 9_999_999), "2016-12-31 23:59:59.999");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01 00:00:00.000", "2100 has no 29th of February");
        assert_eq!(at(253_402_300_799, 0), "9999-12-31 23:59:59.000");
        assert_eq!(at(-1, 0), "1969-12-31 23:59:59.000");
    }
}
