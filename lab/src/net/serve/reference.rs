//! The error of a clock that chrony assumes to be true: a reference clock, such as the hardware clock of a
//! network card.
//!
//! Chrony accounts for everything between this machine and its reference, and assumes that the reference
//! itself has no error. That is right for an NTP server, which states its own root delay and dispersion. A
//! reference clock states nothing to chrony. Some drivers state the error to the system: Amazon's `ena` has
//! `phc_error_bound`, in nanoseconds, in the directory of the network interface.

use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use netclock::Span;

use super::chrony::Tracking;

/// Linux's directory of network interfaces.
const INTERFACES: &str = "/sys/class/net";
/// The file with the error of the interface's hardware clock, in nanoseconds, relative to the interface's
/// directory.
const ERROR_BOUND: &str = "device/phc_error_bound";

/// The source of the reference clock's error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReferenceError {
    /// Nothing states it, so a reference clock cannot be served.
    Unstated,
    /// The server's operator states it.
    Told(Span),
    /// The driver states it in this file.
    Driver(PathBuf),
}

impl ReferenceError {
    /// The error of a network interface's hardware clock.
    pub(crate) fn of_interface(name: &str) -> Self {
        ReferenceError::Driver(Path::new(INTERFACES).join(name).join(ERROR_BOUND))
    }

    /// The error of chrony's reference that chrony itself does not account for.
    pub(crate) fn of(&self, tracking: &Tracking) -> Result<Span> {
        let reference = &tracking.reference;
        if !is_reference_clock(reference) {
            return Ok(Span::ZERO);
        }
        match self {
            ReferenceError::Told(error) => Ok(*error),
            ReferenceError::Driver(file) => stated(file),
            ReferenceError::Unstated => bail!(
                "chrony follows the reference clock {reference} and takes it as free of error, so the bound \
                 is unknown. If it is the hardware clock of a network card whose driver states its error \
                 (Amazon's ena does), name the interface with --phc-interface. Else give its error with \
                 --reference-error-us"
            ),
        }
    }
}

/// Chrony names NTP servers by their address or its hexadecimal digits, and reference clocks by up to four
/// characters.
fn is_reference_clock(reference: &str) -> bool {
    let is_digits = reference.len() == 8 && reference.bytes().all(|byte| byte.is_ascii_hexdigit());
    !is_digits && reference.parse::<IpAddr>().is_err()
}

/// The error in a driver's file.
fn stated(file: &Path) -> Result<Span> {
    const NANOSECONDS_PER_TICK: u64 = 100;
    let text = fs::read_to_string(file).with_context(|| {
        format!(
            "{} cannot be read, so the error of the hardware clock is unknown: does this driver state it?",
            file.display()
        )
    })?;
    let nanoseconds: u64 = text
        .trim()
        .parse()
        .with_context(|| format!("{} contains {:?} instead of nanoseconds", file.display(), text.trim()))?;
    let ticks = nanoseconds.div_ceil(NANOSECONDS_PER_TICK);
    Ok(Span::from_ticks(i64::try_from(ticks).context("the error is too large")?))
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
            assert_eq!(ReferenceError::Unstated.of(&follows(server))?, Span::ZERO, "{server}");
        }
        for clock in ["PHC0", "PPS", "GPS", "PTP0"] {
            let refused = ReferenceError::Unstated.of(&follows(clock));
            assert!(refused.is_err_and(|error| error.to_string().contains("--phc-interface")), "{clock}");
            let told = ReferenceError::Told(Span::from_ticks(30));
            assert_eq!(told.of(&follows(clock))?, Span::from_ticks(30), "{clock}");
        }
        Ok(())
    }

    #[test]
    fn a_driver_states_it_in_sysfs() -> Result<()> {
        let eth0 = std::env::temp_dir().join(format!("netclock-sysfs-{}/eth0", std::process::id()));
        let file = eth0.join(ERROR_BOUND);
        fs::create_dir_all(file.parent().context("a folder")?)?;
        let stated = |text: &str| {
            fs::write(&file, text).expect("the folder is writable");
            ReferenceError::Driver(file.clone()).of(&follows("PHC0"))
        };
        assert_eq!(stated("21450\n")?, Span::from_ticks(215), "rounded up");
        for wrong in ["", "-1", "soon", "99999999999999999999999"] {
            assert!(stated(wrong).is_err(), "{wrong:?}");
        }
        fs::remove_file(&file)?;
        let missing = ReferenceError::Driver(file.clone()).of(&follows("PHC0"));
        assert!(missing.is_err_and(|error| error.to_string().contains("cannot be read")));
        fs::remove_dir_all(eth0)?;
        assert_eq!(
            ReferenceError::of_interface("eth0"),
            ReferenceError::Driver("/sys/class/net/eth0/device/phc_error_bound".into())
        );
        Ok(())
    }
}
