use netclock::UtcTime;
use time::OffsetDateTime;

/// Formats a time as `2026-11-22 03:04:05.678`.
pub(crate) fn date(utc: UtcTime) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(utc.ticks()) * 100);
    let at = at.expect("`large-dates` allows for all ticks");
    let (hour, minute, second, milli) = at.to_hms_milli();
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{milli:03}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use netclock::TICKS_PER_SECOND;

    #[test]
    fn dates_follow_the_gregorian_calendar() {
        let at = |seconds: i64, ticks: i64| date(UtcTime::from_ticks(seconds * TICKS_PER_SECOND + ticks));
        assert_eq!(at(0, 0), "1970-01-01 00:00:00.000");
        assert_eq!(at(951_782_400, 0), "2000-02-29 00:00:00.000");
        assert_eq!(at(1_483_228_799, 9_999_999), "2016-12-31 23:59:59.999");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01 00:00:00.000", "2100 has no 29th of February");
        assert_eq!(at(253_402_300_799, 0), "9999-12-31 23:59:59.000");
        assert_eq!(at(-1, 0), "1969-12-31 23:59:59.000");
        assert_eq!(date(UtcTime::from_ticks(i64::MAX)), "31197-09-14 02:48:05.477");
    }
}
