//! Parses chrony's report about this machine's clock (`chronyc tracking`).
//!
//! According to chrony's documentation, the clock's error is at most the sum of the remaining correction, the
//! root dispersion and half the root delay. As the report ages, the bound grows at the sum of the skew, the
//! residual frequency and 1 ppm.

use std::io;
use std::net::IpAddr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail, ensure};
use netclock::Span;

/// The default of chrony's `maxclockerror` setting, which allows for any other drift.
const MAX_CLOCK_ERROR_PPM: f64 = 1.0;

const FIELDS: usize = 14;

const ASK: &str = "chronyc -n -c tracking";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tracking {
    /// The address or reference ID of chrony's current source.
    pub(crate) reference: String,
    pub(crate) stratum: u32,
    /// Time of the last comparison with the current source (s since 1970).
    pub(crate) reference_time_s: f64,
    /// The remaining correction (s), positive if the machine's clock is slow.
    pub(crate) system_offset_s: f64,
    pub(crate) residual_ppm: f64,
    pub(crate) skew_ppm: f64,
    pub(crate) root_delay_s: f64,
    pub(crate) root_dispersion_s: f64,
    pub(crate) leap: String,
}

impl Tracking {
    /// `host` is an address or a socket path, as for `chronyc -h`.
    pub(crate) fn ask(host: Option<&str>) -> Result<Self> {
        let mut command = Command::new("chronyc");
        command.args(["-n", "-c"]);
        if let Some(host) = host {
            command.args(["-h", host]);
        }
        let output = command.arg("tracking").stdin(Stdio::null()).output();
        let output = output.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow!(
                "no chronyc on PATH, so the error of this machine's clock is unknown: install \
                 chrony (Debian: apt-get install chrony), or serve with --time-source monotonic"
            ),
            _ => anyhow!("cannot run chronyc: {error}"),
        })?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let trouble = String::from_utf8_lossy(&output.stderr);
            let words = format!("{} {}", said.trim(), trouble.trim());
            bail!(
                "`{ASK}` failed: {}. Is chronyd running (systemctl start chrony)? If its command socket is \
                 elsewhere, name it with --chrony-host",
                words.trim()
            );
        }
        Tracking::parse(said.trim())
    }

    fn parse(line: &str) -> Result<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        ensure!(
            fields.len() == FIELDS,
            "`{ASK}` printed {line:?} with {} fields, not {FIELDS}; is this version supported?",
            fields.len()
        );
        let signed = |at: usize, name: &str| -> Result<f64> {
            let value: f64 = fields[at]
                .parse()
                .map_err(|_| anyhow!("`{ASK}` printed {:?} instead of the {name}", fields[at]))?;
            ensure!(value.is_finite(), "`{ASK}` printed {:?} instead of the {name}", fields[at]);
            Ok(value)
        };
        let number = |at, name| signed(at, name).map(f64::abs);
        let (stratum, leap) = (number(2, "stratum")? as u32, fields[13].to_owned());
        if stratum == 0 || leap == "Not synchronised" {
            bail!(
                "chrony has not synchronised this machine's clock (stratum {stratum}, leap status {leap:?}), \
                 so there is no bound; wait until `chronyc waitsync` ends, or look at `chronyc sources`"
            );
        }
        let reference = if fields[1].is_empty() { fields[0] } else { fields[1] };
        Ok(Tracking {
            reference: reference.to_owned(),
            stratum,
            reference_time_s: number(3, "reference time")?,
            system_offset_s: signed(4, "system time")?,
            residual_ppm: number(8, "residual frequency")?,
            skew_ppm: number(9, "skew")?,
            root_delay_s: number(10, "root delay")?,
            root_dispersion_s: number(11, "root dispersion")?,
            leap,
        })
    }

    pub(crate) fn dispersion(&self, age: Span) -> Span {
        let drift = (self.skew_ppm + self.residual_ppm + MAX_CLOCK_ERROR_PPM) * 1e-6 * age.as_secs_f64();
        let bound_s = self.system_offset_s.abs() + self.root_dispersion_s + self.root_delay_s / 2.0 + drift;
        // Rounds up, because a bound must not be too small.
        Span::from_secs_f64(bound_s) + Span::from_ticks(1)
    }

    /// Returns the part of the reference's error that chrony's own figures do not include. NTP servers report
    /// their root delay and dispersion. Reference clocks, such as the hardware clock of a network card,
    /// report nothing, so the operator has to specify their error in `told`.
    pub(super) fn reference_error(&self, told: Option<Span>) -> Result<Span> {
        let reference = &self.reference;
        // An NTP server is identified by an address or by 8 hexadecimal digits. A reference clock is
        // identified by up to 4 characters.
        let is_digits = reference.len() == 8 && reference.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digits || reference.parse::<IpAddr>().is_ok() {
            return Ok(Span::ZERO);
        }
        told.with_context(|| {
            format!(
                "chrony follows the reference clock {reference} and assumes it has no error, so the bound \
                 is unknown; give its error with --reference-error-us"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "7F000001,127.0.0.1,9,1795263141.007665781,-0.000001962,-0.000000227,0.000000545,\
                        -0.105,-0.008,0.968,0.000006722,0.000002090,0.5,Normal";

    #[test]
    fn the_bound_matches_chronys_documentation_and_grows() -> Result<()> {
        let tracking = Tracking::parse(REAL)?;
        assert_eq!((tracking.reference.as_str(), tracking.stratum), ("127.0.0.1", 9));
        // 1.962 + 2.090 + 6.722 / 2 us is 74.13 ticks, rounded up.
        assert_eq!(tracking.dispersion(Span::ZERO).ticks(), 75);
        // Ten seconds add 10 s * (0.968 + 0.008 + 1 ppm) = 19.76 us.
        assert_eq!(tracking.dispersion(Span::from_secs(10)).ticks(), 273);
        let local = Tracking::parse(&REAL.replace("127.0.0.1", ""))?;
        assert_eq!(local.reference, "7F000001");
        Ok(())
    }

    #[test]
    fn servers_report_their_error_and_reference_clocks_need_one() -> Result<()> {
        let follows = |reference: &str| Tracking::parse(&REAL.replace("127.0.0.1", reference));
        for server in ["192.0.2.1", "2001:db8::1", "7F7F0101"] {
            assert_eq!(follows(server)?.reference_error(None)?, Span::ZERO, "{server}");
        }
        for clock in ["PHC0", "PPS", "GPS", "PTP0"] {
            let refused = follows(clock)?.reference_error(None);
            assert!(refused.is_err_and(|it| it.to_string().contains("--reference-error-us")), "{clock}");
            let told = Span::from_ticks(30);
            assert_eq!(follows(clock)?.reference_error(Some(told))?, told, "{clock}");
        }
        Ok(())
    }

    #[test]
    fn reports_without_a_bound_are_rejected_with_a_reason() {
        let refused =
            |line: &str| Tracking::parse(line).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(refused(&REAL.replace("Normal", "Not synchronised")).contains("has not synchronised"));
        assert!(refused(&REAL.replace(",9,", ",0,")).contains("stratum 0"));
        assert!(refused("").contains("1 fields"));
        assert!(refused(&REAL.replace("0.000006722", "fast")).contains("\"fast\" instead of the root delay"));
        assert!(refused(&REAL.replace("0.000006722", "nan")).contains("root delay"));
    }
}
