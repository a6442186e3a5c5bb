//! `lab study netns`: runs clocks over real kernel queues.
//!
//! ```text
//! client's namespace          this process           server's namespace
//! clocks, TCP  <- TUN ->  bottleneck, delay, NAT  <- TUN ->  server, TCP
//! ```
//!
//! Every process reads the machine's clock, so the truth is known. Each clock under test adds a known skew.

pub mod child;
mod clocks;
pub mod command;
mod device;
mod host;
mod load;
mod middle;
mod packet;
mod pipe;
mod plan;
#[cfg(test)]
mod networks;
mod run;
