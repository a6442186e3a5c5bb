//! `lab child link`: the processes that `lab study link` starts.

use std::net::SocketAddr;
use std::ops::Range;
use std::process::ExitCode;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{crowd, flood, host, player};
pub use crate::net::child::Args;

/// The role of a process. Each ends after `seconds`, except the host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    /// The server: a link, and a frame loop for messages. It admits this number of keys, with ids starting at
    /// 1.
    Host { keys: u32 },
    /// A client, by the link, by messages, or by both.
    Player(player::PlayerConfig),
    /// Many clients in one process, with these keys.
    Crowd { link: SocketAddr, keys: Range<u32>, seconds: u32 },
    /// An attacker, who has no key but saw a request of `spy`. It forges in the name of `victim`.
    Flood { link: SocketAddr, victim: u32, spy: u32, seconds: u32 },
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (role, stop, _) = args.begin::<Role>()?;
    match role {
        Role::Host { keys } => host::run(keys, &stop)?,
        Role::Player(plan) => player::run(&plan, &stop)?,
        Role::Crowd { link, keys, seconds } => crowd::run(link, keys, seconds, &stop)?,
        Role::Flood { link, victim, spy, seconds } => flood::run(link, victim, spy, seconds, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}
