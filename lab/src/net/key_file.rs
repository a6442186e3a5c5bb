//! `lab keys` and the key files that it writes. Each line of a key file consists of a key id and a secret of
//! 32 hexadecimal digits. Text after `#` is a comment.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use netclock::keyed::SessionKey;

/// Writes session keys for `--key-file` to standard output, one per line
///
/// Pass the file to the server (`lab serve --key-file`), and give each client a file with only the line of
/// its own key. Make these files readable only by you: `(umask 077; lab keys 3 > keys)`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Number of keys
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    count: u32,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    for id in 1..=args.count {
        println!("{}", draw(id)?);
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn read(file: &Path) -> Result<Vec<SessionKey>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let keys = parse(&text).with_context(|| format!("{} is not a key file", file.display()))?;
    ensure!(!keys.is_empty(), "{} has no key; write a line `ID SECRET`", file.display());
    Ok(keys)
}

/// Returns the first key, because a client's file should contain only its own key.
pub(crate) fn first(file: &Path) -> Result<SessionKey> {
    read(file)?.into_iter().next().context("the file has no key")
}

/// Uses the wall clock, in units of 0.1 s, as the key's number of restarts. This distinguishes runs with the
/// same key.
pub(crate) fn started(key: SessionKey) -> SessionKey {
    let tenths = netclock::utc_now().map_or(0, |now| now.utc.ticks() / 1_000_000);
    key.after_restarts(tenths as u32)
}

pub(crate) fn draw(id: u32) -> Result<String> {
    let mut secret = [0; 16];
    getrandom::fill(&mut secret).context("the system provides no random secret")?;
    Ok(format!("{id} {:032x}", u128::from_be_bytes(secret)))
}

fn parse(text: &str) -> Result<Vec<SessionKey>> {
    let mut keys = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            // Error messages must not quote the line, because it contains a secret.
            keys.push(key(line).with_context(|| format!("line {number}"))?);
        }
    }
    Ok(keys)
}

pub(crate) fn key(line: &str) -> Result<SessionKey> {
    let usage = "a key is a number from 0 to 4294967295 and 32 hexadecimal digits, such as the lines that \
                 `lab keys` writes";
    let (id, secret) = line.split_once(char::is_whitespace).context(usage)?;
    let (id, secret) = (id.parse().context(usage)?, secret.trim());
    ensure!(secret.len() == 32 && secret.bytes().all(|digit| digit.is_ascii_hexdigit()), usage);
    let secret = u128::from_str_radix(secret, 16).context(usage)?;
    Ok(SessionKey::new(id, secret.to_be_bytes())?)
}

#[cfg(test)]
mod tests {
    use netclock::Direction;
    use netclock::keyed::{Channel, SealedChannel};

    use super::*;

    #[test]
    fn keys_are_read_and_comments_are_ignored() -> Result<()> {
        let text =
            "# players\n\n7 000102030405060708090A0B0C0D0E0F\n8\tffffffffffffffffffffffffffffffff # second\n";
        let keys = parse(text)?;
        assert_eq!(keys.iter().map(SessionKey::id).collect::<Vec<_>>(), [7, 8]);
        let same = SessionKey::new(7, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])?;
        let mut server = SealedChannel::new(&same, Channel::Link, Direction::ToClient);
        let mut client = SealedChannel::new(&started(keys[0].clone()), Channel::Link, Direction::ToServer);
        assert_eq!(server.open(client.seal(&[9], &mut [0; 64])?), Ok(&[9][..]));
        Ok(())
    }

    #[test]
    fn generated_keys_are_valid_and_different() -> Result<()> {
        let (line, other) = (draw(5)?, draw(5)?);
        assert_ne!(line, other);
        assert_eq!(key(&line)?.id(), 5);
        Ok(())
    }

    #[test]
    fn invalid_keys_are_rejected_by_line_without_the_secret() {
        for bad in [
            "7",
            "-1 000102030405060708090a0b0c0d0e0f",
            "7 000102030405060708090a0b0c0d0e",
            "7 +00102030405060708090a0b0c0d0e0f",
            "7 00000000000000000000000000000000",
        ] {
            let error = parse(&format!("\n{bad}\n")).err().map(|error| format!("{error:#}"));
            let error = error.unwrap_or_default();
            assert!(error.contains("line 2"), "{bad}: {error}");
            assert!(!error.contains("0a0b0c"), "{bad}: {error}");
        }
    }
}
