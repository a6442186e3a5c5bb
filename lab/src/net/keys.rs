//! `lab keys`: a key file.

use std::process::ExitCode;

use anyhow::Result;

use super::key_file;

/// Writes session keys for `--key-file` to standard output, one per line
///
/// Give the file to the server (`lab serve --key-file`), and each client a file with the line of its own key.
/// Make them readable only by you: `(umask 077; lab keys 3 > keys)`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Number of keys
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    count: u32,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    for id in 1..=args.count {
        println!("{}", key_file::draw(id)?);
    }
    Ok(ExitCode::SUCCESS)
}
