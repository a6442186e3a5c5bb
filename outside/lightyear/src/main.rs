//! A small game in Bevy with lightyear, headless: `server`, `client`, and `compare`, which runs both through
//! `lab impair` and prints tables.

use std::process::ExitCode;

use anyhow::{Result, bail};
use bevy_app::AppExit;

mod compare;
mod game;
mod glue;

const USAGE: &str = "compare --lab PATH [--hertz 15,30,60] [--play real_NAME|FILE,...] [--seconds N] \
                     [--input-delay N] [--port N] [--out DIR]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ended = match words.first().map(String::as_str) {
        Some("compare") => compare::compare(&words[1..]),
        Some("server") => of_options(&words[1..]).and_then(|(options, _)| code(game::server(&options)?)),
        Some("client") => of_options(&words[1..])
            .and_then(|(options, clock)| code(game::client(&options, clock.as_deref() == Some("ours"))?)),
        _ => Err(anyhow::anyhow!("{USAGE}")),
    };
    ended.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// `ADDRESS HERTZ SECONDS INPUT-DELAY LOG [CLOCK]`
fn of_options(words: &[String]) -> Result<(game::Options, Option<String>)> {
    let [address, hertz, seconds, input_delay, log, clock @ ..] = words else { bail!("{USAGE}") };
    let options = game::Options {
        address: address.parse()?,
        hertz: hertz.parse()?,
        seconds: seconds.parse()?,
        input_delay: input_delay.parse()?,
        log: log.clone(),
    };
    Ok((options, clock.first().cloned()))
}

fn code(exit: AppExit) -> Result<ExitCode> {
    match exit {
        AppExit::Success => Ok(ExitCode::SUCCESS),
        AppExit::Error(code) => bail!("the game ended with {code}"),
    }
}
