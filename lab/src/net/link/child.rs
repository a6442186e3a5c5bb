//! `lab child link`: the processes that `lab study link` starts.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Result;

use super::{crowd, flood, host, player};
use crate::net::lifetime::{self, Stop};

/// A process of `lab study link`, which starts it
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What it is
    #[command(subcommand)]
    role: Role,
}

#[derive(clap::Subcommand, Debug)]
enum Role {
    /// The server: a link, and a frame loop for messages
    Host {
        /// Keys to admit, from id 1 on
        #[arg(long)]
        keys: u32,
    },
    /// A client, by the link, by messages, or by both
    Player {
        /// Address of the server's link
        #[arg(long)]
        link: Option<SocketAddr>,
        /// Address of the server's frame loop
        #[arg(long)]
        messages: Option<SocketAddr>,
        /// Id of its key
        #[arg(long)]
        key: u32,
        /// Stamp arrivals by the thread
        #[arg(long)]
        thread_stamps: bool,
        /// Judge from this second on
        #[arg(long)]
        from: u32,
        /// End after as many
        #[arg(long)]
        seconds: u32,
    },
    /// Many clients in one process
    Crowd {
        /// Address of the server's link
        #[arg(long)]
        link: SocketAddr,
        /// How many, with keys from `first` on
        #[arg(long)]
        clients: u32,
        /// Id of the first key
        #[arg(long)]
        first: u32,
        /// End after as many seconds
        #[arg(long)]
        seconds: u32,
    },
    /// An attacker, who has no key but saw a request
    Flood {
        /// Address of the server's link
        #[arg(long)]
        link: SocketAddr,
        /// In whose name it forges
        #[arg(long)]
        victim: u32,
        /// Whose request it repeats
        #[arg(long)]
        spy: u32,
        /// End after as many seconds
        #[arg(long)]
        seconds: u32,
    },
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    lifetime::die_with_parent();
    lifetime::input_lines(&stop, true);
    match &args.role {
        Role::Host { keys } => host::run(*keys, &stop)?,
        Role::Player { link, messages, key, thread_stamps, from, seconds } => {
            let plan = player::Plan {
                link: *link,
                messages: *messages,
                key: *key,
                kernel_stamps: !thread_stamps,
                from: *from,
                seconds: *seconds,
            };
            player::run(&plan, &stop)?;
        }
        Role::Crowd { link, clients, first, seconds } => {
            crowd::run(*link, *first..first + clients, *seconds, &stop)?;
        }
        Role::Flood { link, victim, spy, seconds } => flood::run(*link, *victim, *spy, *seconds, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}
