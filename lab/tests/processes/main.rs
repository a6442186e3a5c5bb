//! Tests the commands as real processes with real sockets. The studies run separately, because they use all
//! cores.

#[cfg(unix)]
mod browser;
mod chrony;
mod commands;
mod demo;
#[cfg(unix)]
mod devtools;
mod doctor;
#[cfg(unix)]
mod export;
#[cfg(unix)]
mod live;
mod netns;
mod network;
mod recording;
mod report;
mod support;
mod utc;

#[cfg(unix)]
#[path = "../../../tests/support/tools.rs"]
mod tools;
