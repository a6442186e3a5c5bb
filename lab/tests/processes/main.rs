//! The commands as processes, on real sockets in real time. Apart from the studies, which would take the
//! cores from them.

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
mod link;
#[cfg(unix)]
mod live;
mod netns;
mod network;
mod peer;
mod recording;
mod report;
mod support;
mod utc;

#[cfg(unix)]
#[path = "../../../tests/support/tools.rs"]
mod tools;
