use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::socket::{setsockopt, sockopt::TcpCongestion};

use super::plan::{Load, ON_OFF_S, TCP, server};
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use netclock::Span;

const CONTROLS: &str = "/proc/sys/net/ipv4/tcp_available_congestion_control";
/// The timeout of blocking calls, after which a connection checks whether it should end.
const PATIENCE: Duration = Duration::from_millis(100);
const WAITS: [io::ErrorKind; 3] =
    [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut, io::ErrorKind::Interrupted];
const CHUNK: usize = 1 << 16;
const NAME: usize = 16;

/// BBR is usually a kernel module, which may not be loaded.
pub(super) fn is_available(control: &str) -> bool {
    std::fs::read_to_string(CONTROLS).is_ok_and(|names| names.split_whitespace().any(|name| name == control))
}

/// Serves TCP connections. The client sends the name of the congestion control algorithm that the server
/// should use, or spaces if the client itself sends the data.
pub(super) fn serve(stop: &Stop) -> Result<()> {
    let listener = TcpListener::bind(server(TCP))?;
    let stop = stop.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let stop = stop.clone();
            thread::spawn(move || {
                let _ = answer(stream, &stop);
            });
        }
    });
    Ok(())
}

fn answer(mut stream: TcpStream, stop: &Stop) -> Result<()> {
    let mut name = [0; NAME];
    stream.read_exact(&mut name)?;
    let control = String::from_utf8(name.to_vec())?.trim().to_owned();
    move_data(&mut stream, Some(control.as_str()).filter(|control| !control.is_empty()), || stop.is_set())
}

pub(super) fn run(load: &Load, begin: MachineTime, end: MachineTime) -> Result<()> {
    let mut from = begin + Span::from_secs(load.from_s);
    while from < end {
        let to = if load.is_on_off { from + Span::from_secs(ON_OFF_S) } else { end };
        sleep_until(from);
        let mut stream = TcpStream::connect(server(TCP)).context("a TCP sender cannot connect")?;
        let name = if load.is_up { "" } else { load.control };
        stream.write_all(format!("{name:NAME$}").as_bytes())?;
        move_data(&mut stream, load.is_up.then_some(load.control), || clock::now() >= to)?;
        from = to + Span::from_secs(ON_OFF_S);
    }
    Ok(())
}

fn move_data(stream: &mut TcpStream, control: Option<&str>, is_over: impl Fn() -> bool) -> Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    if let Some(control) = control {
        setsockopt(stream, TcpCongestion, &control.into())
            .with_context(|| format!("the kernel has no {control}"))?;
    }
    let mut chunk = vec![0; CHUNK];
    while !is_over() {
        let moved = if control.is_some() { stream.write(&chunk) } else { stream.read(&mut chunk) };
        match moved {
            // Signals also interrupt calls that have a timeout.
            Err(error) if WAITS.contains(&error.kind()) => {}
            moved => ensure!(moved? > 0, "the other end closed the connection"),
        }
    }
    Ok(())
}

pub(super) fn sleep_until(machine: MachineTime) {
    thread::sleep(Duration::from_secs_f64((machine - clock::now()).as_secs_f64().max(0.0)));
}
