//! Runs a private chronyd that never adjusts the machine's clock.

use std::fs::{self, File};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context, Result, anyhow};

/// Debian installs chronyd in /usr/sbin, which is not on every user's PATH.
const NAMES: [&str; 2] = ["chronyd", "/usr/sbin/chronyd"];

pub struct Installed {
    pub name: &'static str,
    pub version: String,
}

impl Installed {
    pub fn find() -> Result<Self> {
        let missing =
            |program| anyhow!("{program} not found; install chrony (Debian: apt-get install chrony)");
        let said = |name: &str| Command::new(name).arg("--version").stdin(Stdio::null()).output();
        let mut found = NAMES.iter().filter_map(|&name| said(name).ok().map(|said| (name, said)));
        let (name, output) = found.next().ok_or_else(|| missing("chronyd"))?;
        said("chronyc").map_err(|_| missing("chronyc"))?;
        Ok(Installed { name, version: version(&output) })
    }
}

fn version(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_whitespace().skip_while(|&word| word != "version");
    words.nth(1).unwrap_or("of an unknown version").to_owned()
}

/// Stops chronyd on drop.
pub struct Daemon {
    process: Child,
    dir: PathBuf,
}

impl Daemon {
    pub fn start(installed: &Installed, name: &str, settings: &str) -> Result<Self> {
        // The name is short, because socket paths have a limited length.
        let dir = std::env::temp_dir().join(format!("nc-{}-{name}", std::process::id()));
        make_private(&dir).with_context(|| format!("cannot make the directory {}", dir.display()))?;
        Self::start_in(&dir, installed, settings)
            .inspect_err(|_| {
                let _ = fs::remove_dir_all(&dir);
            })
            .context("cannot start chronyd")
    }

    fn start_in(dir: &Path, installed: &Installed, settings: &str) -> Result<Self> {
        let place = |name: &str| dir.join(name);
        let config = format!(
            "{settings}\ncmdport 0\nbindcmdaddress {}\npidfile {}\n",
            place("s").display(),
            place("pid").display()
        );
        fs::write(place("conf"), config)?;
        let user = Command::new("id").arg("-un").output()?.stdout;
        let mut command = Command::new(installed.name);
        // -x keeps chronyd from adjusting the machine's clock, and -U lets it run without root.
        command.args(["-U", "-x", "-d", "-u", String::from_utf8(user)?.trim(), "-f"]).arg(place("conf"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(place("log"))?);
        Ok(Daemon { process: command.spawn()?, dir: dir.to_owned() })
    }

    pub fn socket(&self) -> String {
        self.dir.join("s").display().to_string()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Creates a private directory, because chronyd rejects sockets in directories that others can access.
fn make_private(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700).create(dir);
    #[cfg(not(unix))]
    fs::create_dir(dir)
}

/// chronyd does not accept port 0, so find a free port first.
pub fn free_port() -> Result<SocketAddr> {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).context("cannot find a free port")?;
    Ok(socket.local_addr()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_follows_the_word_version() {
        let said = |text: &str| Output {
            status: std::process::ExitStatus::default(),
            stdout: text.as_bytes().to_vec(),
            stderr: Vec::new(),
        };
        assert_eq!(version(&said("chronyd (chrony) version 4.3 (+CMDMON +NTP)\n")), "4.3");
        assert_eq!(version(&said("")), "of an unknown version");
    }
}
