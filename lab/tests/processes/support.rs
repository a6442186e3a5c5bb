use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::Value;

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

pub(crate) const OF_C: &str = include_str!("../../../tests/c_abi/recording.csv");

pub(crate) const KEY: &str = "7 00112233445566778899aabbccddeeff\n";
pub(crate) const OTHER_KEY: &str = "7 ffeeddccbbaa99887766554433221100\n";

pub(crate) fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Ended {
    pub(crate) fn json(&self) -> Outcome<Value> {
        serde_json::from_str(&self.out).map_err(|error| format!("{error}: {self:?}").into())
    }

    pub(crate) fn lines(&self) -> Outcome<Vec<Value>> {
        Ok(self.out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }
}

pub(crate) fn run(arguments: &[&str]) -> Ended {
    lab(arguments).output().expect("the binary starts").into()
}

#[track_caller]
pub(crate) fn ended_with(code: i32, arguments: &[&str]) -> Ended {
    let ended = run(arguments);
    assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:?}");
    ended
}

#[track_caller]
pub(crate) fn refused(arguments: &[&str], cure: &str) {
    let said = ended_with(2, arguments).err;
    assert!(said.contains(cure), "{arguments:?}: {said}");
}

pub(crate) fn temporary(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.join(format!("{}-{name}", std::process::id())).display().to_string()
}

pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = temporary(name);
    std::fs::write(&path, content).expect("the temporary directory is writable");
    path
}

pub(crate) struct Running {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    pub(crate) first: Value,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Outcome<Self> {
        let mut process = lab(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            let said = output.lines().map_while(Result::ok);
            said.filter_map(|line| serde_json::from_str(&line).ok()).try_for_each(|line| sender.send(line))
        });
        Ok(Running { process, input, lines, first: Value::Null, address: String::new() })
    }

    /// Servers print their address first and exit when their input is closed.
    pub(crate) fn server(arguments: &[&str]) -> Outcome<Self> {
        let mut server = Running::start(&[arguments, &["--json", "--with-parent"]].concat())?;
        server.first = server.line()?;
        server.address = server.first["address"].as_str().ok_or("no address")?.to_owned();
        Ok(server)
    }

    pub(crate) fn serve(arguments: &[&str]) -> Outcome<Self> {
        Running::server(&[&["serve", "--bind", "127.0.0.1:0"], arguments].concat())
    }

    pub(crate) fn line(&self) -> Outcome<Value> {
        Ok(self.lines.recv()?)
    }

    pub(crate) fn tell(&mut self, line: &str) -> Outcome {
        Ok(writeln!(self.input.as_mut().ok_or("the input is closed")?, "{line}")?)
    }

    pub(crate) fn wait(&mut self) -> Outcome<Vec<Value>> {
        let said = self.lines.iter().collect();
        assert!(self.process.wait()?.success(), "{said:?}");
        Ok(said)
    }

    pub(crate) fn end(mut self) -> Outcome<Vec<Value>> {
        self.input = None;
        self.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
