//! Runs a process in a network namespace with a TUN device at each end of the path.
//!
//! Namespaces and devices have no registered names, so nothing can be left behind. A namespace disappears
//! with the thread that created it and the last process inside it. The child is the first process of a PID
//! namespace, so when it dies, the kernel kills all processes that it started. The child itself dies with the
//! thread that created it. The files in its temporary directory disappear with the last process.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::net::Ipv4Addr;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::Span;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::de::DeserializeOwned;

use super::child::{self, End};
use super::clocks::{CLOCKS, Outcome};
use super::device::open_tun;
use super::load;
use super::middle::{Middle, Passed};
use super::plan::{CLIENT, Incident, ProcessConfig, Row, SERVER, STOPPED_S};
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;

pub(super) struct Ran {
    pub(super) outcome: Outcome,
    pub(super) passed: [Passed; CLOCKS.len()],
}

pub(super) fn run(row: &Row, seconds: i64, stop: &Stop) -> Result<Ran> {
    let (wall, zero) = clock::pairing();
    let (zero, wall) = (zero.ticks(), zero.ticks() + wall.ticks());
    let plan = ProcessConfig { row: row.name.to_owned(), seconds, zero, wall };
    let over = Stop::default();
    let (_server, servers) = Space::start(SERVER, child::arguments(End::Server, &plan)?)?;
    let (mut client, clients) = Space::start(CLIENT, child::arguments(End::Client, &plan)?)?;
    let middle = Middle::new(row);
    let threads = middle.start(clients, servers, &over);
    let begin = client.line()?;
    middle.begin(begin);
    stop_for_a_while(row, client.group, MachineTime::from_ticks(begin));
    // If asked to stop, the client ends early and reports its results so far.
    let told = {
        let (stop, over, group) = (stop.clone(), over.clone(), client.group);
        thread::spawn(move || {
            while !over.is_set() {
                thread::sleep(Duration::from_millis(50));
                if stop.is_set() {
                    return signal(group, Signal::SIGKILL);
                }
            }
        })
    };
    let outcome = client.line();
    over.set();
    let _ = told.join();
    for thread in threads {
        let _ = thread.join();
    }
    if stop.is_set() {
        bail!("stopped before the end");
    }
    Ok(Ran { outcome: outcome?, passed: CLOCKS.map(|(_, port)| middle.passed(port)) })
}

fn stop_for_a_while(row: &Row, client: Pid, begin: MachineTime) {
    if row.incident != Incident::Stopped {
        return;
    }
    let [from, to] = STOPPED_S.map(|at_s| begin + Span::from_secs(at_s));
    thread::spawn(move || {
        load::sleep_until(from);
        signal(client, Signal::SIGSTOP);
        load::sleep_until(to);
        signal(client, Signal::SIGCONT);
    });
}

const CURE: &str = "`lab study netns` needs root and /dev/net/tun, to create network namespaces (in a \
                    container: --privileged --device /dev/net/tun)";

pub(super) struct Space {
    /// The process exits when this pipe closes.
    _input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    pub(super) group: Pid,
    /// Dropping this ends the creating thread, so the kernel kills the process and its children.
    _keep: Sender<()>,
}

impl Space {
    /// Runs this program in new namespaces with `arguments`. Returns the new space and the other end of its
    /// TUN device.
    pub(super) fn start(address: Ipv4Addr, arguments: [String; 2]) -> Result<(Self, File)> {
        let (made, result) = mpsc::channel();
        let (keep, end) = mpsc::channel::<()>();
        // Processes that this thread starts run in its namespaces.
        thread::spawn(move || {
            let (mut child, tun) = match enter(address).and_then(|tun| Ok((start(&arguments)?, tun))) {
                Ok(both) => both,
                Err(error) => return drop(made.send(Err(error))),
            };
            let pipes = (child.stdin.take(), child.stdout.take());
            let _ = made.send(Ok((child.id(), pipes, tun)));
            let _ = end.recv();
            let _ = child.kill();
            let _ = child.wait();
        });
        let (id, (input, output), tun) = result.recv().context("a thread panicked")?.context(CURE)?;
        let _input = input.context("a process was started without a pipe")?;
        let lines = BufReader::new(output.context("a process was started without a pipe")?).lines();
        let group = Pid::from_raw(i32::try_from(id)?);
        Ok((Space { _input, lines, group, _keep: keep }, tun))
    }

    pub(super) fn line<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.lines.next().context("a process ended without output")??;
        serde_json::from_str(&line).with_context(|| format!("unreadable line `{line}`"))
    }
}

pub(super) fn signal(group: Pid, signal: Signal) {
    // A process that has already ended needs no signal.
    let _ = killpg(group, signal);
}

fn enter(address: Ipv4Addr) -> Result<File> {
    let private = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID;
    unshare(private).context("cannot make a network namespace")?;
    let none = None::<&str>;
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).context("cannot separate mounts")?;
    let temporary = std::env::temp_dir();
    mount(none, &temporary, Some("tmpfs"), MsFlags::empty(), none)
        .with_context(|| format!("cannot mount {}", temporary.display()))?;
    open_tun(address).context("cannot open a TUN device")
}

fn start(arguments: &[String]) -> Result<Child> {
    // Use `/proc/self/exe`, because the program's own path may be inside the hidden directory.
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start a process")
}
