//! The error of a clock that chrony assumes to be true: a reference clock, such as the hardware clock of a
//! network card.
//!
//! Chrony accounts for everything between this machine and its reference, and assumes that the reference
//! itself has no error. That is right for an NTP server, which states its own root delay and dispersion. A
//! reference clock states nothing to chrony.

use std::net::IpAddr;

use anyhow::{Context, Result};
use netclock::Span;

use super::chrony::Tracking;

/// The error of chrony's reference that chrony itself does not account for. `told`: what the server's
/// operator states about a reference clock.
pub(super) fn error(told: Option<Span>, tracking: &Tracking) -> Result<Span> {
    let reference = &tracking.reference;
    if !is_reference_clock(reference) {
        return Ok(Span::ZERO);
    }
    told.with_context(|| {
        format!(
            "chrony follows the reference clock {reference} and takes it as free of error, so the bound is \
             unknown; give its error with --reference-error-us"
        )
    })
}

/// Chrony names NTP servers by their address or its hexadecimal digits, and reference clocks by up to four
/// characters.
fn is_reference_clock(reference: &str) -> bool {
    let is_digits = reference.len() == 8 && reference.bytes().all(|byte| byte.is_ascii_hexdigit());
    !is_digits && reference.parse::<IpAddr>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follows(reference: &str) -> Tracking {
        Tracking {
            reference: reference.to_owned(),
            stratum: 1,
            reference_time_s: 0.0,
            system_offset_s: 0.0,
            residual_ppm: 0.0,
            skew_ppm: 0.0,
            root_delay_s: 0.0,
            root_dispersion_s: 0.0,
            leap: "Normal".to_owned(),
        }
    }

    #[test]
    fn servers_state_their_own_error_and_reference_clocks_need_somebody() -> Result<()> {
        for server in ["192.0.2.1", "2001:db8::1", "7F7F0101"] {
            assert_eq!(error(None, &follows(server))?, Span::ZERO, "{server}");
        }
        for clock in ["PHC0", "PPS", "GPS", "PTP0"] {
            let refused = error(None, &follows(clock));
            assert!(refused.is_err_and(|it| it.to_string().contains("--reference-error-us")), "{clock}");
            let told = Span::from_ticks(30);
            assert_eq!(error(Some(told), &follows(clock))?, told, "{clock}");
        }
        Ok(())
    }
}
