//! Programs that use real sockets and clocks, with a folder for each network program.

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

/// Returns 128 random bits, because no two clients may have the same seed.
pub(crate) fn random_seed() -> anyhow::Result<u128> {
    let mut seed = [0; 16];
    getrandom::fill(&mut seed).context("the system provides no random seed")?;
    // The client rejects zero.
    Ok(u128::from_ne_bytes(seed).max(1))
}
