//! NetClock's workbench: everything behind the `lab` command.
//!
//! Each folder uses only those above it.
//!
//! | folder | holds |
//! |---|---|
//! | [`scenario`] | the simulated paths, by name |
//! | [`recorded`] | delays of real queues, recorded by `lab study netns` |
//! | [`baseline`] | published clocks, and the limits of any clock |
//! | [`recording`] | the file of a recorded session |
//! | [`report`] | what commands share: options, tables, pages, exit codes |
//! | [`live`] | pages that show what happens now, by HTTP |
//! | [`net`] | sockets, the machine's clock, and the programs on the network |
//! | [`peer`] | peers that share a clock through a relay |
//! | [`report::session`] | sessions looked at in hindsight: verdicts, `lab report` and [`replay`] |
//! | [`study`] | the studies, each with its simulation and its command |
//! | [`doctor`] | this machine and the path to a server, examined |
//! | [`export`] | recorded sessions for other tools |
//! | [`demo`] | everything at once on one machine |

#![allow(missing_docs, reason = "the commands are the product, and the library is for their tests")]

pub mod baseline;
pub mod demo;
pub mod doctor;
pub mod export;
pub mod import;
pub mod live;
pub mod net;
pub mod peer;
pub mod recorded;
pub mod recording;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod study;
