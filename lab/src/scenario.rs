//! Scenarios: a name, a line about it, and a few overrides of an undisturbed 25 ms path.
//!
//! Each is a file of `lab/scenarios`, built into the program. A file holds tables of [`NetworkConfig`]. It
//! may also hold `about`, `seconds` (the length of the run), and `both`: settings of both directions, which
//! `forward` and `reverse` may override.

use anyhow::{Context, Result};
use toml::{Table, Value};

use netclock_sim::case::Case;
use netclock_sim::network::NetworkConfig;

/// The base of every scenario.
const DEFAULTS: &str = include_str!("../scenarios/defaults.toml");

macro_rules! scenario_files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../scenarios/", $name, ".toml")))),*]
    };
}

/// Names and texts, in the order of the tables.
const FILES: [(&str, &str); 40] = scenario_files![
    "lan",
    "fibre",
    "wifi",
    "bad",
    "uplink_bloat",
    "downlink_bloat",
    "uplink_bloat_steady",
    "route_up",
    "route_down",
    "route_forward",
    "route_reverse",
    "asymmetry",
    "drift_0",
    "drift_80",
    "drift_200",
    "wander_01",
    "wander_05",
    "wander_2",
    "power_save",
    "stalls",
    "burst_loss",
    "satellite",
    "quantised_1ms",
    "quantised_16ms",
    "frames_60_30",
    "frames_144_30",
    "frames_30_60",
    "frames_60_60",
    "frames_60_60_ppm",
    "frames_60_60_beat",
    "frames_60_60_jitter",
    "frames_60_30_exact",
    "frames_60_30_arrival",
    "server_10hz",
    "hitching",
    "duplicates",
    "demo_link",
    "holdover",
    "one_hour",
    "eight_hours",
];

/// Clocks that a time service slews by more than clients allow for unless they are told. No bound is promised
/// there, so they are not among all scenarios.
const SLEWED: [(&str, &str); 6] = scenario_files![
    "slewed_client_chrony",
    "slewed_client_ntpd",
    "slewed_client_timesyncd",
    "slewed_server_chrony",
    "slewed_server_ntpd",
    "slewed_server_timesyncd",
];

/// Crystals as measured. They are not among all scenarios, whose crystals wander by a sine.
const CRYSTALS: [(&str, &str); 2] = scenario_files!["crystal_settled", "crystal_warming"];

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name, as on the command line.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Length of its run, if the scenario sets one (s).
    pub seconds: Option<f64>,
    /// Its network.
    pub network: NetworkConfig,
}

impl Scenario {
    /// All scenarios, in the order of the tables.
    ///
    /// # Errors
    /// A file is malformed, which the tests exclude.
    pub fn all() -> Result<Vec<Self>> {
        FILES.iter().map(|(name, text)| Self::parse(name, text)).collect()
    }

    /// The scenarios with slewed clocks.
    ///
    /// # Errors
    /// A file is malformed, which the tests exclude.
    pub fn slewed() -> Result<Vec<Self>> {
        SLEWED.iter().map(|(name, text)| Self::parse(name, text)).collect()
    }

    /// The scenarios with crystals as measured.
    ///
    /// # Errors
    /// A file is malformed, which the tests exclude.
    pub fn crystals() -> Result<Vec<Self>> {
        CRYSTALS.iter().map(|(name, text)| Self::parse(name, text)).collect()
    }

    /// The scenario of this name.
    ///
    /// # Errors
    /// There is no such scenario.
    pub fn find(name: &str) -> Result<Self> {
        let all = Self::all()?.into_iter().chain(Self::slewed()?).chain(Self::crystals()?);
        let found = all.into_iter().find(|scenario| scenario.name == name);
        found.with_context(|| format!("there is no scenario {name}; lab study bench --list shows all"))
    }

    fn parse(name: &str, text: &str) -> Result<Self> {
        let read = |text: &str| toml::from_str::<Table>(text).with_context(|| format!("scenario {name}"));
        let mut overrides = read(text)?;
        let about = overrides.remove("about").and_then(|about| about.as_str().map(str::to_owned));
        let seconds = overrides.remove("seconds").and_then(|seconds| number(&seconds));
        let mut table = read(DEFAULTS)?;
        let legs = overrides.remove("both");
        for leg in ["forward", "reverse"] {
            if let Some(both) = &legs {
                overlay(&mut table, Table::from_iter([(leg.to_owned(), both.clone())]));
            }
        }
        overlay(&mut table, overrides);
        let network = table.try_into().with_context(|| format!("scenario {name}"))?;
        Ok(Self { name: name.to_owned(), about: about.unwrap_or_default(), seconds, network })
    }
}

impl From<Scenario> for Case {
    fn from(scenario: Scenario) -> Self {
        let Scenario { name, about, seconds, network } = scenario;
        Case::simulated(name, about, seconds, network)
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// Replaces values of `below` by those of `above`, table by table.
fn overlay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parse_and_say_what_they_are() {
        for scenario in
            [Scenario::all(), Scenario::slewed(), Scenario::crystals()].into_iter().flat_map(Result::unwrap)
        {
            assert!(!scenario.about.is_empty(), "{}", scenario.name);
        }
    }

    #[test]
    fn both_is_overridden_by_either() {
        let text = "about = \"x\"\n[both]\nbase_ms = 7\nloss = 0.5\n[reverse]\nbase_ms = 9";
        let network = Scenario::parse("x", text).unwrap().network;
        assert_eq!((network.forward.base_ms, network.reverse.base_ms), (7.0, 9.0));
        assert_eq!((network.forward.loss, network.reverse.loss), (0.5, 0.5));
    }

    #[test]
    fn misspelt_settings_are_refused() {
        assert!(Scenario::parse("x", "[both]\nbase = 7").is_err());
    }
}
