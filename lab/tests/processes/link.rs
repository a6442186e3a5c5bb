//! A server and a client of `lab study link`, as processes of their own, without a relay.

use crate::support::{Outcome, Running};

#[test]
fn a_client_follows_by_link_and_by_messages_at_once() -> Outcome {
    let child = |arguments: &[&str]| Running::start(&[&["child", "link"], arguments].concat());
    let host = child(&["host", "--keys=2"])?;
    let ports = host.line()?;
    let (link, messages) = (
        format!("--link=127.0.0.1:{}", ports["link"]),
        format!("--messages=127.0.0.1:{}", ports["messages"]),
    );
    let both = child(&["player", "--key=1", "--from=1", "--seconds=2", &link, &messages])?;
    let stranger = child(&["player", "--key=3", "--from=0", "--seconds=1", &link])?;
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
