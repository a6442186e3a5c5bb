//! A server and a client of `lab study link`, as separate processes, without a relay.

use serde_json::{Value, json};

use crate::support::{Outcome, Running};

#[test]
fn a_client_follows_by_link_and_by_messages_at_once() -> Outcome {
    let child = |plan: Value| Running::start(&["child", "link", &plan.to_string()]);
    let host = child(json!({"host": {"keys": 2}}))?;
    let ports = host.line()?;
    let [link, messages] = ["link", "messages"].map(|way| format!("127.0.0.1:{}", ports[way]));
    let player = |key: u32, messages: Option<String>| {
        let (from, seconds) = if messages.is_some() { (1, 2) } else { (0, 1) };
        let plan = json!({"link": link, "messages": messages, "key": key, "kernel_stamps": true,
                          "from": from, "seconds": seconds});
        child(json!({"player": plan}))
    };
    let (both, stranger) = (player(1, Some(messages))?, player(3, None)?);
    let judged = both.line()?;
    assert_eq!((&judged["outside"], &judged["backwards"]), (&0.into(), &0.into()), "{judged}");
    assert!(judged["reads"].as_u64() > Some(10), "{judged}");
    assert_eq!(judged["state"], "linked");
    assert!(judged["link_requests"].as_u64() > Some(10), "{judged}");
    assert!(judged["messages"].as_u64() > Some(10), "{judged}");
    let refused = stranger.line()?;
    assert_eq!((&refused["reads"], &refused["state"]), (&0.into(), &"checking".into()), "{refused}");
    Ok(())
}
