//! `lab study doctor`: the doctor in situations with known causes, over real sockets.

use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::thread;

use anyhow::Result;
use netclock::link::sockets::{Peer, Received, StampedSocket};
use netclock::{Config, ServerTime, Span, wire};
use netclock_sim::random::Random;

use super::advice::of_path;
use super::machine::Examination;
use super::matrix::{Cause, Counts, Running, SITUATIONS};
use super::path::try_path;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use crate::net::messages::answer;
use crate::report::exit;
use crate::report::progress::each;
use crate::report::session::evaluation::Evaluation;
use crate::report::session::verdict::verdicts;
use crate::report::words::ms;

/// The server epoch.
const EPOCH: u64 = 0xD0C;
/// Delay of each direction on a healthy path.
const DELAY: Span = Span::from_millis(5);
/// How long a server waits for a request before it checks for due work.
const LOOK: Span = Span::from_millis(1);

/// Counts how often `lab doctor` is right, wrong, or misses a problem
///
/// The seed chooses a cause for each situation: none, lag spikes, loss, dropped marks, a rate limit, or a
/// server whose clock steps or runs at a different rate, or that falls silent. Client and server are on this
/// machine, with real sockets. If this machine delays threads by 20 ms or more, lag spikes are real and do
/// not count as false. Exits with 1 if more than 1 % of the reports are false.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Number of situations
    #[arg(long, value_name = "N", default_value_t = SITUATIONS,
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    situations: u64,
    /// Seed of the first situation; the others use the following ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Length of each examination, in seconds
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(5..=600))]
    seconds: u32,
    /// Number of simultaneous examinations
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=50))]
    jobs: u32,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    let seeds: Vec<u64> = (args.seed..args.seed.saturating_add(args.situations)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs as usize).build()?;
    let examine = |seed| {
        let mut random = Random::new(seed, "doctor");
        let cause = Cause::draw(&mut random);
        let over = Stop::default();
        let server = serve(cause, Running::new(random), &over)?;
        let tried = try_path(server, None, Span::from_secs(args.seconds.into()), &stop);
        over.set();
        let tried = tried?;
        let session = Evaluation::new(format!("seed {seed}"), &Config::default(), tried.recording, None)?;
        Ok((seed, cause, of_path(&tried.path, &verdicts(&session, &Config::default()))))
    };
    let mut counts = Counts::default();
    let examination = Examination::begin();
    let results = pool.install(|| each(seeds, examine));
    let machine = examination.end();
    for result in results {
        let result: Result<_> = result;
        let (seed, cause, findings) = result?;
        counts.add(seed, cause, &findings);
    }
    if machine.stalls > 0 {
        let longest = ms(machine.longest_stall_ms);
        println!("this machine delayed a thread {} times, by up to {longest} ms", machine.stalls);
        counts.wrong.retain(|it| !it.contains(": spikes of "));
    }
    let Counts { reported, wrong, missed } = &counts;
    println!("{reported} reported, {} of them false, and {} causes missed", wrong.len(), missed.len());
    wrong.iter().for_each(|it| println!("false: {it}"));
    missed.iter().for_each(|it| println!("missed: {it}"));
    Ok(exit::verdict(counts.is_good()))
}

/// Starts a server for this situation. It ends when `over` is set.
fn serve(cause: Cause, mut running: Running, over: &Stop) -> Result<std::net::SocketAddr> {
    let mut socket = StampedSocket::bind((Ipv4Addr::LOCALHOST, 0).into(), true)?;
    let (address, over) = (socket.local_address()?, over.clone());
    thread::spawn(move || {
        let (mut begin, mut buffer) = (None, [0; 2 * wire::SIZE]);
        // Replies and the times at which they are sent.
        let mut line: Vec<(MachineTime, wire::Datagram, Peer)> = Vec::new();
        while !over.is_set() {
            if let Received::Datagram(come) = socket.receive_within(&mut buffer, LOOK) {
                let (bytes, arrived) = (&buffer[..come.length], clock::machine(come.at));
                let at = (arrived - *begin.get_or_insert(arrived)).as_secs_f64();
                let fate = cause.fate(&mut running, at, wire::is_marked(bytes));
                let there = arrived + DELAY + fate.up;
                let stamp = ServerTime::from_ticks((there + fate.ahead).ticks());
                if let Some(reply) = answer(bytes, EPOCH, [stamp; 2]).filter(|_| !fate.is_lost) {
                    line.push((there + DELAY + fate.down, reply, come.from));
                }
            }
            let now = clock::now();
            line.retain(|(due, reply, to)| {
                // Unsent replies are lost.
                let is_sent = *due <= now && socket.send_to(reply, *to).is_ok();
                !is_sent
            });
        }
    });
    Ok(address)
}
