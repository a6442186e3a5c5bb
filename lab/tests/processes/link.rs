//! A server and a client of `lab study link`, as processes of their own, without a relay.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A process of `lab study link`, which ends with this value.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str]) -> std::io::Result<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        command.args(["child", "link"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().map(Process)
    }

    fn line(&mut self) -> Result<Value, Box<dyn std::error::Error>> {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().ok_or("no output")?).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_client_follows_by_link_and_by_messages_at_once() -> Result<(), Box<dyn std::error::Error>> {
    let mut host = Process::start(&["host", "--keys=2"])?;
    let ports = host.line()?;
    let (link, messages) = (
        format!("--link=127.0.0.1:{}", ports["link"]),
        format!("--messages=127.0.0.1:{}", ports["messages"]),
    );
    let mut both = Process::start(&["player", "--key=1", "--from=1", "--seconds=2", &link, &messages])?;
    let mut stranger = Process::start(&["player", "--key=3", "--from=0", "--seconds=1", &link])?;
    let judged = both.line()?;
    assert_eq!((&judged["outside"], &judged["backwards"]), (&0.into(), &0.into()), "{judged}");
    assert!(judged["reads"].as_u64() > Some(10), "{judged}");
    assert_eq!(judged["state"], "linked");
    assert!(
        judged["link_requests"].as_u64() > Some(10) && judged["messages"].as_u64() > Some(10),
        "{judged}"
    );
    let refused = stranger.line()?;
    assert_eq!((&refused["reads"], &refused["state"]), (&0.into(), &"checking".into()), "{refused}");
    Ok(())
}
