//! Programs that use real sockets and clocks.

use anyhow::Context;

pub(crate) mod address;
pub mod chronyd;
pub(crate) mod clock;
pub mod impair;
pub(crate) mod judge;
pub mod key_file;
pub(crate) mod lifetime;
pub(crate) mod messages;
pub(crate) mod script;
pub mod serve;
pub mod sync;
pub(crate) mod truth;

/// Returns a random seed, because no two clients may share a seed.
pub(crate) fn random_seed() -> anyhow::Result<u128> {
    let mut seed = [0; 16];
    getrandom::fill(&mut seed).context("the system provides no random seed")?;
    Ok(u128::from_ne_bytes(seed).max(1))
}
