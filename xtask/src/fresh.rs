//! `cargo xtask fresh`: runs the two commands from the README on a minimal Debian system, as a new user
//! would.
//!
//! The system has a compiler, the host's Rust and the downloaded dependencies, but no network, IPv6, TUN or
//! root. Everything happens below the target directory and in separate namespaces, so nothing is left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{root, target_dir};
use crate::command::{on_path, run, skip};

/// The user's directory, below the system's root.
const HOME: &str = "home/newcomer";
/// The clone's directory in it. The name contains a space and a non-ASCII letter.
const CLONE: &str = "Büro PC/netclock";
/// A file written just before the commands run. Everything newer was written by the commands.
const STAMP: &str = "stamp";
/// The commands from the README, and the time after which each of them counts as hung (s).
const COMMANDS: [(&str, u32); 2] = [("cargo lab demo", 900), ("cargo xtask test", 2_400)];

/// Enters the system. `$1` is its root, `$2` the toolchain, `$3` the limit in seconds; then the command.
///
/// The mounts and the processes disappear together with the namespaces.
const ENTER: &str = r#"
set -eu
root=$1 toolchain=$2 limit=$3
shift 3
ip link set lo up
[ ! -e /proc/sys/net/ipv6 ] || echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
mount --bind "$toolchain" "$root/opt"
mount -o remount,bind,ro "$root/opt"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
# Nodes of its own: some programs that root runs change the mode of the host's.
device() {
    mknod -m 666 "$root/dev/$1" c 1 "$2" && return
    touch "$root/dev/$1"
    mount --bind "/dev/$1" "$root/dev/$1"
}
device null 3
device zero 5
device full 7
device random 8
device urandom 9
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
exec chroot --userspec=1000:1000 "$root" /usr/bin/env --ignore-environment HOME=/home/newcomer USER=newcomer \
    PATH=/opt/bin:/usr/bin:/bin CARGO_NET_OFFLINE=true CARGO_TERM_COLOR=never \
    timeout --kill-after=10 "$limit" sh -c "cd ~/'Büro PC/netclock' && $1"
"#;

/// Options of `fresh`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Debian release
    #[arg(long, default_value = "bookworm")]
    suite: String,
    /// Package of the only compiler
    #[arg(long, default_value = "g++")]
    compiler: String,
    /// Keep the Debian system for the next run with the same release and compiler
    #[arg(long)]
    keep: bool,
    /// Run this command in the clone instead of the README's
    #[arg(long)]
    command: Option<String>,
}

pub(crate) fn fresh(options: &Options) -> Result<ExitCode> {
    if let Some(why) = obstacle() {
        return skip(why).map(|()| ExitCode::SUCCESS);
    }
    let base = target_dir()?.join("fresh");
    let system = System { root: base.join(format!("{}-{}", options.suite, options.compiler)) };
    let mut times = Vec::new();
    let mut timed = |title: &str, part: &mut dyn FnMut() -> Result<()>| {
        println!("== {title}");
        let start = Instant::now();
        let outcome = part();
        times.push(format!("{title:24}{:8.1} s", start.elapsed().as_secs_f64()));
        outcome
    };
    let outcome = (|| {
        timed("Debian", &mut || system.install(options))?;
        timed("Clone and dependencies", &mut || system.fetch())?;
        let own = options.command.as_ref().map(|command| (command.as_str(), 3_600));
        let mut said = String::new();
        for (command, limit) in own.map_or_else(|| COMMANDS.to_vec(), |own| vec![own]) {
            timed(command, &mut || system.try_command(command, limit).map(|it| said += &it))?;
        }
        system.check_files(&said)
    })();
    println!("\n{}", times.join("\n"));
    let tidied = if options.keep { system.forget_user() } else { remove(&base) };
    outcome.and(tidied).map(|()| ExitCode::SUCCESS)
}

/// The reason why this machine cannot run the chore, if there is one.
fn obstacle() -> Option<&'static str> {
    if !cfg!(target_os = "linux") {
        return Some("only Linux has the namespaces for a fresh system");
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let tools = ["debootstrap", "unshare", "ip", "git"];
    match (is_root, tools.iter().all(|tool| on_path(tool))) {
        (false, _) => Some("a fresh system needs root"),
        (_, false) => Some("a fresh system needs debootstrap, unshare, ip and git"),
        (true, true) => None,
    }
}

/// A minimal Debian system in a directory.
struct System {
    root: PathBuf,
}

impl System {
    fn install(&self, options: &Options) -> Result<()> {
        if self.root.exists() {
            return self.forget_user();
        }
        // An interrupted installation leaves only this directory.
        let unfinished = self.root.with_extension("unfinished");
        remove(&unfinished)?;
        fs::create_dir_all(&unfinished).with_context(|| format!("creating {}", unfinished.display()))?;
        let mut install = Command::new("debootstrap");
        install.args(["--variant=minbase", &format!("--include=git,ca-certificates,{}", options.compiler)]);
        run(install.arg(&options.suite).arg(&unfinished), "Is Debian's mirror reachable?")?;
        fs::rename(&unfinished, &self.root)?;
        let mut add = Command::new("chroot");
        add.arg(&self.root).args(["useradd", "--uid", "1000", "--no-create-home", "newcomer"]);
        run(&mut add, "").map(drop)
    }

    /// Clones the last commit, like the user, and downloads its dependencies with the host's network.
    fn fetch(&self) -> Result<()> {
        let clone = self.home().join(CLONE);
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--depth", "1"])
            .arg(format!("file://{}", root().display()))
            .arg(&clone);
        run(&mut git, "The committed tree is cloned.")?;
        let mut fetch = crate::cargo::cargo();
        fetch.current_dir(&clone).args(["fetch", "--locked"]).env("CARGO_HOME", self.home().join(".cargo"));
        run(&mut fetch, "Is crates.io reachable?")?;
        run(Command::new("chown").args(["-R", "1000:1000"]).arg(self.home()), "")?;
        // Files are compared by modification time, whose resolution is milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(100));
        fs::write(self.stamp(), "")?;
        Ok(())
    }

    /// Runs a user's command in the system and checks its output.
    fn try_command(&self, command: &str, limit_s: u32) -> Result<String> {
        let mut print_sysroot = Command::new("rustc");
        let toolchain = run(print_sysroot.current_dir(root()).args(["--print", "sysroot"]), "")?;
        let mut enter = Command::new("unshare");
        enter.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "fresh"]);
        enter.arg(&self.root).args([toolchain.trim(), &limit_s.to_string(), command]);
        let said = self.root.with_extension("log");
        let log = fs::File::create(&said)?;
        enter.stdin(std::process::Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let status = enter.status().context("unshare could not be started")?;
        let said = String::from_utf8_lossy(&fs::read(&said)?).into_owned();
        if !status.success() {
            let why = if status.code() == Some(124) { "hung" } else { "failed" };
            bail!("{said}\n`{command}` {why} on a fresh system: {status}");
        }
        let silent = silent_skips(&said);
        ensure!(silent.is_empty(), "`{command}` skipped without a reason:\n{}", silent.join("\n"));
        let last: Vec<&str> = said.trim_end().rsplit('\n').take(30).collect();
        println!("{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
        Ok(said)
    }

    /// Fails if the commands left a file outside the clone without printing the file's name. The demo prints
    /// the name of its report.
    fn check_files(&self, said: &str) -> Result<()> {
        let mut find = Command::new("find");
        find.arg(&self.root).args(["-xdev", "(", "-path"]).arg(self.home().join(CLONE));
        // Cargo unpacks the downloaded dependencies here.
        find.arg("-o").arg("-path").arg(self.home().join(".cargo")).args([")", "-prune", "-o"]);
        find.arg("-cnewer").arg(self.stamp()).args(["-not", "-type", "d", "-print"]);
        let files = run(&mut find, "")?;
        let is_named = |file: &&str| {
            file.strip_prefix(&*self.root.to_string_lossy()).is_some_and(|it| said.contains(it))
        };
        let left: Vec<&str> = files.lines().filter(|file| !is_named(file)).collect();
        ensure!(left.is_empty(), "files left outside the clone:\n{}", left.join("\n"));
        Ok(())
    }

    fn home(&self) -> PathBuf {
        self.root.join(HOME)
    }

    fn stamp(&self) -> PathBuf {
        self.root.with_extension(STAMP)
    }

    /// Removes the user's files.
    fn forget_user(&self) -> Result<()> {
        remove(&self.home())?;
        remove(&self.root.join("tmp"))?;
        run(Command::new("install").args(["-d", "-m", "1777"]).arg(self.root.join("tmp")), "").map(drop)
    }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Lines that report a skipped or ignored test without a reason.
fn silent_skips(said: &str) -> Vec<&str> {
    let is_silent = |line: &&str| {
        let line = line.trim_end();
        line.ends_with("... ignored") || line.ends_with(": skipped:")
    };
    said.lines().filter(is_silent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_needs_a_reason() {
        let said = "test a ... ok\ntest b ... ignored\ntest c ... ignored, takes minutes\nd: skipped: \n\
                    e: skipped: no cmake: install cmake\n";
        assert_eq!(silent_skips(said), ["test b ... ignored", "d: skipped: "]);
    }
}
