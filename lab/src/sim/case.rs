//! Cases: the paths that clocks are measured on, simulated or recorded.

use std::path::Path;

use anyhow::Result;

use super::leg::LegConfig;
use super::network::{Network, NetworkConfig};
use super::scenario::Scenario;
use super::trace::{Split, Trace};

/// One path to be measured on.
#[derive(Clone, Debug)]
pub struct Case {
    /// Short name.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Length of its run, if it has its own (s).
    pub seconds: Option<f64>,
    /// Its clocks, legs and frame loops; of a recorded path the clocks only.
    pub network: NetworkConfig,
    recording: Option<(Trace, Split)>,
}

impl Case {
    /// A recorded path, with a client clock that is `ppm` fast.
    pub fn recorded(trace: Trace, split: Split, ppm: f64) -> Self {
        let mut network = NetworkConfig::default();
        network.clock.drift_ppm = ppm;
        let about = if trace.is_one_way() { "recorded, one way" } else { "recorded round trips" };
        Self {
            name: trace.name.clone(),
            about: about.into(),
            seconds: None,
            network,
            recording: Some((trace, split)),
        }
    }

    /// As [`recorded`](Self::recorded), from a file.
    pub fn from_file(path: &Path, split: Split, ppm: f64) -> Result<Self> {
        Ok(Self::recorded(Trace::read(path)?, split, ppm))
    }

    /// Exchanges per second that the path has different delays for: those of the recording, if it is one.
    pub fn most_per_second(&self) -> f64 {
        self.recording.as_ref().map_or(f64::INFINITY, |(trace, _)| trace.rate())
    }

    /// True if the delays of a path as it is are drawn from one distribution all the time, the crystal apart.
    pub fn is_constant(&self) -> bool {
        let constant = |leg: &LegConfig| {
            leg.saw.is_none()
                && leg.shifts.is_empty()
                && leg.stall.is_none()
                && leg.power_save.is_none()
                && leg.handover.is_none()
        };
        let network = &self.network;
        let frames = network.client.is_some() || network.server.is_some();
        self.recording.is_none() && !frames && constant(&network.forward) && constant(&network.reverse)
    }

    /// Whether the client's clock stays within the rate error that bounds are promised for (ppm).
    pub fn drifts_within(&self, limit_ppm: f64) -> bool {
        let clock = &self.network.clock;
        clock.drift_ppm.abs() + clock.wander_ppm.abs() <= limit_ppm
    }

    /// The network of one run.
    pub fn network(&self, seconds: f64, seed: u64) -> Network {
        match &self.recording {
            Some((trace, split)) => Network::on_trace(&self.network, trace.clone(), *split, seconds, seed),
            None => Network::new(&self.network, seconds, seed),
        }
    }
}

impl From<Scenario> for Case {
    fn from(scenario: Scenario) -> Self {
        let Scenario { name, about, seconds, network } = scenario;
        Self { name, about, seconds, network, recording: None }
    }
}
