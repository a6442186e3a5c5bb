//! NetClock's workbench: the `lab` command.
//!
//! Each folder uses only the folders that precede it in this table.
//!
//! | folder | contents |
//! |---|---|
//! | [`scenario`] | the simulated paths, by name |
//! | [`recorded`] | delays of real kernel queues, recorded by `lab study netns` |
//! | [`baseline`] | published clocks, and the limits for any clock |
//! | [`recording`] | the file format of recorded sessions |
//! | [`report`] | code that commands share: options, tables, pages, exit codes |
//! | [`net`] | sockets, the machine's clock, and the network programs |
//! | [`report::session`] | sessions evaluated in hindsight: verdicts, `lab report` and [`replay`] |
//! | [`study`] | the studies, each with its simulation and its command |
//! | [`doctor`] | checks of this machine and of the path to a server |
//! | [`import`], [`export`] | recorded sessions from and for other tools |
//! | [`demo`] | all features on one machine |

#![allow(missing_docs, reason = "the commands are the product, and the library is for their tests")]

pub mod baseline;
pub mod demo;
pub mod doctor;
pub mod export;
pub mod import;
pub mod net;
pub mod recorded;
pub mod recording;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod study;
