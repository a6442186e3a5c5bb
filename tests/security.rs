//! What attackers of each kind can do, message by message: the tests that `docs/security.md` names. Some show a promise,
//! some a limit that the page admits.

#[path = "security/delays.rs"]
mod delays;
#[path = "security/exchange.rs"]
mod exchange;
#[path = "security/page.rs"]
mod page;
#[path = "security/relay.rs"]
mod relay;
#[path = "security/start.rs"]
mod start;
#[path = "security/world_time.rs"]
mod world_time;
