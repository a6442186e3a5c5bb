//! A network namespace with a TUN device, and the process that lives in it.
//!
//! Nothing has a name, so nothing can be left behind. The namespaces exist as long as a process in them, or
//! the thread that created them. The child is the first process of a PID namespace: when it dies, the kernel
//! kills all processes that it started. The child itself dies with the thread that created it. The files in
//! its temporary directory disappear with the last process, too.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::net::Ipv4Addr;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, Result};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::de::DeserializeOwned;

use super::device::open_tun;

/// What to do if a namespace cannot be created.
const CURE: &str = "`lab study netns` needs root and /dev/net/tun, for network namespaces of its own (in a \
                    container: --privileged --device /dev/net/tun)";

/// A process in separate namespaces. All of them end when this is dropped.
pub(super) struct Space {
    /// Closing this input tells the process to end.
    _input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    /// The process group that gets signals: the process and those that it started.
    pub(super) group: Pid,
    /// When this is dropped, the thread that created the process ends, and then the kernel kills what is
    /// left.
    _keep: Sender<()>,
}

impl Space {
    /// Creates the namespaces and starts this program in them with `arguments`. Also returns the other end of
    /// the device.
    pub(super) fn start(address: Ipv4Addr, arguments: [String; 2]) -> Result<(Self, File)> {
        let (made, result) = mpsc::channel();
        let (keep, end) = mpsc::channel::<()>();
        // Processes started by this thread live in its namespaces.
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

    /// The next line that the process prints.
    pub(super) fn line<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.lines.next().context("a process ended without output")??;
        serde_json::from_str(&line).with_context(|| format!("unreadable line `{line}`"))
    }
}

/// Sends a signal to a process and to those that it started.
pub(super) fn signal(group: Pid, signal: Signal) {
    // If the process has ended, there is nothing to signal.
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
    // The program's path may be in the hidden directory.
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start a process")
}
