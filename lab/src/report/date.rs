use netclock::{TICKS_PER_SECOND, UtcTime};

const TICKS_PER_MS: i64 = TICKS_PER_SECOND / 1_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// Formats a time as `2026-11-22 03:04:05.678`.
pub(crate) fn date(utc: UtcTime) -> String {
    let millis = utc.ticks().div_euclid(TICKS_PER_MS);
    let (seconds, millis) = (millis.div_euclid(1_000), millis.rem_euclid(1_000));
    let (days, second) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03}")
}

/// Years start on 1 March, so the leap day comes last, and any five consecutive months have 153 days
/// (Hinnant, "chrono-Compatible Low-Level Date Algorithms"). Every 400 years have 146,097 days.
fn civil(days: i64) -> (i64, i64, i64) {
    let since = days + 719_468; // 0000-03-01
    let (era, day) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let is_next_year = month >= 10; // January or February
    (era * 400 + year + i64::from(is_next_year), (month + 2) % 12 + 1, day - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_gregorian_calendar() {
        let at = |seconds: i64, ticks: i64| date(UtcTime::from_ticks(seconds * TICKS_PER_SECOND + ticks));
        assert_eq!(at(0, 0), "1970-01-01 00:00:00.000");
        assert_eq!(at(951_782_400, 0), "2000-02-29 00:00:00.000");
        assert_eq!(at(1_483_228_799, 9_999_999), "2016-12-31 23:59:59.999");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01 00:00:00.000", "2100 has no 29th of February");
        assert_eq!(at(253_402_300_799, 0), "9999-12-31 23:59:59.000");
        assert_eq!(at(-1, 0), "1969-12-31 23:59:59.000");
    }
}
