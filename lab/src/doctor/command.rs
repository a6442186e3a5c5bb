use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::Span;
use serde_json::{Value, json};

use super::advice::{Finding, accuracy_findings, machine_findings, path_findings, silence_finding};
use super::machine::Examination;
use super::path::examine_path;
use super::signs::Signs;
use crate::net::address;
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::report::{Evaluation, ExchangePoint, FAULT, NO_SERVER, Weight, alarm, finite_ms, verdicts};
use netclock_sim::{nearest_rank, sorted};

/// Examines this machine's clock and the path to a server, and advises how to improve the accuracy
///
/// Sends 20 requests per second (1.3 kB/s). Exits with 0 if all is well, 1 if something needs attention, 2
/// for incorrect usage, and 3 if no server answered.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Host and port of the server
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// Duration in seconds; 10 is enough in most cases, 60 finds more
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Use a link with the first key in this file, for `lab serve --key-file` or a game's own server
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let server = match address::resolve(&args.server) {
        Ok(server) => server,
        Err(error) if error.is::<address::UnknownHost>() => {
            let finding = Finding {
                id: "unknown_host",
                weight: Weight::Fault,
                words: format!("{error:#}"),
                advice: Some("Correct the name, or use the server's address."),
            };
            print(args, json!({}), &[("The path", vec![finding])]);
            return Ok(ExitCode::from(NO_SERVER));
        }
        Err(error) => return Err(error),
    };
    let stop = Stop::on_ctrl_c()?;
    let key = args.key_file.as_deref().map(key_file::first).transpose()?;
    let examination = Examination::begin();
    if !args.json {
        println!("Examining {server} for {} s.", args.seconds);
    }
    let examined = examine_path(server, key, Span::from_secs(args.seconds.into()), &stop)?;
    let machine = examination.end();
    let mut chapters = vec![("This machine", machine_findings(&machine))];
    match &examined.reading {
        None => chapters.push(("The path", vec![silence_finding(&examined.path, &args.server)])),
        Some(reading) => {
            let session = Evaluation::of(&args.server, examined.recording.clone())?;
            let signs = Signs::of(&session, examined.path.loss());
            chapters.push(("The path", path_findings(&examined.path, &signs, &verdicts(&session))));
            chapters.push(("Accuracy", accuracy_findings(reading, delays(&session))));
        }
    }
    let accuracy = examined.reading.as_ref().map(|reading| {
        json!({
            "expected_error_ms": finite_ms(reading.expected_error),
            "error_bound_ms": finite_ms(reading.error_bound),
            "round_trip_ms": finite_ms(reading.round_trip), "rate_ppm": reading.frequency_ppm,
        })
    });
    let mut path = json!(examined.path);
    path["loss"] = examined.path.loss().into();
    print(args, json!({ "machine": machine, "path": path, "accuracy": accuracy }), &chapters);
    let worst = chapters.iter().flat_map(|(_, findings)| findings).map(|finding| finding.weight).max();
    Ok(match (&examined.reading, worst) {
        (None, _) => ExitCode::from(NO_SERVER),
        (_, Some(Weight::Warning | Weight::Fault)) => ExitCode::from(FAULT),
        _ => ExitCode::SUCCESS,
    })
}

/// For each direction, returns the smallest delay, and the median minus the smallest (ms).
pub(super) fn delays(session: &Evaluation) -> [(f64, f64); 2] {
    let of = |delay: fn(&ExchangePoint) -> f64| {
        let delays = sorted(session.exchanges.iter().filter(|point| point.outcome.is_ok()).map(delay));
        nearest_rank(&delays, 0.5).map_or((0.0, 0.0), |middle| (delays[0], middle - delays[0]))
    };
    [of(|point| point.up), of(|point| point.down)]
}

fn print(args: &Args, mut fields: Value, chapters: &[(&str, Vec<Finding>)]) {
    if args.json {
        let findings: Vec<&Finding> = chapters.iter().flat_map(|(_, findings)| findings).collect();
        fields["server"] = json!(args.server);
        (fields["seconds"], fields["findings"]) = (json!(args.seconds), json!(findings));
        println!("{fields:#}");
        return;
    }
    for (title, findings) in chapters {
        println!("\n{title}");
        for Finding { weight, words, advice, .. } in findings {
            let word = format!("{:<9}", weight.word());
            let word = if *weight >= Weight::Warning { alarm(&word) } else { word };
            println!("  {word}  {words}");
            if let Some(advice) = advice {
                println!("             {advice}");
            }
        }
    }
}
