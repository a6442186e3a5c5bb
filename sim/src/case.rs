use std::path::Path;

use anyhow::Result;

use super::drawn::Drawn;
use super::network::{Network, NetworkConfig};
use super::trace::{Split, Trace};

/// Default length of a run that measures drift, in seconds.
const LONG_S: f64 = 600.0;

#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub about: String,
    pub seconds: Option<f64>,
    /// If the path is recorded, only the clocks of this configuration are used.
    pub network: NetworkConfig,
    recording: Option<(Trace, Split)>,
}

impl Case {
    pub fn simulated(name: String, about: String, seconds: Option<f64>, network: NetworkConfig) -> Self {
        Self { name, about, seconds, network, recording: None }
    }

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

    pub fn from_file(path: &Path, split: Split, ppm: f64) -> Result<Self> {
        Ok(Self::recorded(Trace::read(path)?, split, ppm))
    }

    /// Returns how many exchanges per second can sample different delays. This is the sampling rate of a
    /// recording, or infinity for other paths.
    pub fn most_per_second(&self) -> f64 {
        self.recording.as_ref().map_or(f64::INFINITY, |(trace, _)| trace.rate())
    }

    pub fn is_constant(&self) -> bool {
        let network = &self.network;
        let frames = network.client.is_some() || network.server.is_some();
        self.recording.is_none() && !frames && network.forward.is_constant() && network.reverse.is_constant()
    }

    /// Returns `None` if all seeds use the same network.
    pub fn draw(&self, seed: u64) -> Option<Self> {
        let (network, about) = (self.network.drawn != Drawn::Nothing).then(|| self.network.draw(seed))?;
        Some(Self { name: format!("{} {seed}", self.name), about, network, ..self.clone() })
    }

    /// Whether the clocks' rates stay within these limits. Otherwise, the bounds are not guaranteed.
    pub fn drifts_within(&self, client_ppm: f64, server_ppm: f64) -> bool {
        let clock = &self.network.clock;
        let client = clock.drift_ppm.abs()
            + clock.wander_ppm.abs()
            + clock.warm_ppm.abs()
            + clock.ramp_ppm_per_minute.abs() * self.seconds.unwrap_or(LONG_S) / 60.0
            + clock.client_slew.ppm.abs();
        client + clock.server_slew.ppm.abs() <= client_ppm + server_ppm
    }

    pub fn network(&self, seconds: f64, seed: u64) -> Network {
        match &self.recording {
            Some((trace, split)) => Network::on_trace(&self.network, trace.clone(), *split, seconds, seed),
            None => Network::new(&self.network, seconds, seed),
        }
    }
}
