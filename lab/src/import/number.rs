use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Unit {
    /// Seconds
    S,
    /// Milliseconds
    Ms,
    /// Microseconds
    Us,
    /// Ticks of 100 ns
    Ticks,
    /// Nanoseconds
    Ns,
}

pub(super) type Units = [Unit; 2];

/// Parses a unit for both times and durations, such as `ms`, or a pair, such as `s,ms`.
pub(super) fn units(text: &str) -> Result<Units, String> {
    let (at, span) = text.split_once(',').unwrap_or((text, text));
    Ok([Unit::from_str(at, true)?, Unit::from_str(span, true)?])
}

impl Unit {
    fn digits(self) -> i32 {
        match self {
            Unit::S => 7,
            Unit::Ms => 4,
            Unit::Us => 1,
            Unit::Ticks => 0,
            Unit::Ns => -2,
        }
    }

    /// Column names may end with a unit, as in `rtt_ms` or `rtt (ms)`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let last = name.rsplit(|it: char| !it.is_alphanumeric()).find(|it| !it.is_empty())?;
        match last {
            "s" | "sec" | "secs" | "seconds" => Some(Unit::S),
            _ => Unit::value_variants()[1..].iter().find(|it| it.name() == last).copied(),
        }
    }

    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
    }
}

/// Converts decimal numbers without floating-point arithmetic.
pub(super) fn ticks(text: &str, unit: Unit) -> Option<i64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (sign, digits) =
        mantissa.strip_prefix('-').map_or((1, mantissa.strip_prefix('+').unwrap_or(mantissa)), |it| (-1, it));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = !(whole.is_empty() && fraction.is_empty())
        && whole.len() + fraction.len() <= 36
        && [whole, fraction].iter().all(|it| it.bytes().all(|it| it.is_ascii_digit()));
    if !is_number {
        return None;
    }
    let value: i128 = format!("0{whole}{fraction}").parse().ok()?;
    let shift =
        exponent.parse::<i32>().ok()?.checked_add(unit.digits())?.checked_sub(fraction.len() as i32)?;
    let power = |count: i32| 10_i128.checked_pow(count.unsigned_abs());
    let value = match shift {
        0.. => value.checked_mul(power(shift)?)?,
        _ => power(shift).map_or(0, |divisor| (value + divisor / 2) / divisor),
    };
    i64::try_from(sign * value).ok().filter(|it| it.unsigned_abs() <= 1 << 62)
}

/// Returns true if a timestamp in seconds looks like a printed floating-point number. The shortest decimal
/// form of a float usually has seven decimal places, but a timestamp with microsecond resolution has six.
pub(super) fn is_float(text: &str) -> bool {
    let digits = text.split_once('.').map_or(0, |it| it.1.len());
    digits >= 7 && text.parse::<f64>().is_ok_and(|it| it.abs() >= 1e9 && it.to_string() == text)
}
