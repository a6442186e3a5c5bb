//! What `lab sync` saves between sessions: one file with the state of the machine and of each server.
//!
//! The file is text with one line per state: the word `machine` or the server's name, then the state in
//! hexadecimal digits. Unreadable lines are ignored. The library then begins without that state.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};
use netclock::{Earlier, Saved};

use crate::report::file;

/// The name that stands for the machine. No server has this name, because a port is part of each server's
/// name.
const MACHINE: &str = "machine";

pub(crate) struct StateFile {
    path: PathBuf,
    /// The followed server, as named by the user.
    server: String,
    states: BTreeMap<String, Vec<u8>>,
}

impl StateFile {
    /// Reads a file, or starts a new one if the file does not exist yet.
    pub(crate) fn open(path: &Path, server: &str) -> Result<Self> {
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(StateFile { path: path.to_owned(), server: server.to_owned(), states: parse(&text) })
    }

    /// The state from earlier sessions, as of `seconds`.
    pub(crate) fn earlier(&self, seconds: i64) -> Earlier<'_> {
        let state = |name: &str| self.states.get(name).map_or(&[][..], Vec::as_slice);
        let (machine, server) = (state(MACHINE), state(&self.server));
        Earlier { machine, server, seconds, boot: netclock::boot_id() }
    }

    /// Saves the state of this session.
    pub(crate) fn keep(&mut self, saved: &Saved) -> Result<()> {
        self.states.insert(MACHINE.to_owned(), saved.machine.to_vec());
        self.states.insert(self.server.clone(), saved.server.to_vec());
        let mut text = String::new();
        for (name, state) in &self.states {
            let digits: String = state.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(text, "{name} {digits}")?;
        }
        file::write(&self.path, &text)
    }
}

fn parse(text: &str) -> BTreeMap<String, Vec<u8>> {
    let line = |line: &str| {
        let (name, digits) = line.split_once(' ')?;
        let digits = digits.trim();
        let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        let state: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
        Some((name.to_owned(), state?))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use netclock::SAVED_SIZE;

    use super::*;

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let states = parse("machine 4e53\nnobody\nhost:1 4e5\nhost:2 zz00\nhost:3 \u{fffd}\nhost:4 00ff\n");
        let found: Vec<(&str, &[u8])> = states.iter().map(|(name, state)| (&**name, &**state)).collect();
        assert_eq!(found, [("host:4", &[0x00, 0xFF][..]), ("machine", &[0x4E, 0x53][..])]);
    }

    #[test]
    fn states_of_other_servers_stay() -> Result<()> {
        let path = std::env::temp_dir().join(format!("netclock-state-{}", std::process::id()));
        fs::write(&path, "host:1 01\nmachine 02\n")?;
        let mut file = StateFile::open(&path, "host:2")?;
        assert_eq!((file.earlier(5).machine, file.earlier(5).server), (&[2][..], &[][..]));
        file.keep(&Saved { machine: [7; SAVED_SIZE], server: [8; SAVED_SIZE] })?;
        let again = StateFile::open(&path, "host:1")?;
        assert_eq!((again.earlier(5).machine, again.earlier(5).server), (&[7; SAVED_SIZE][..], &[1][..]));
        assert_eq!(StateFile::open(&path, "host:2")?.earlier(5).server, [8; SAVED_SIZE]);
        fs::remove_file(path)?;
        Ok(())
    }
}
