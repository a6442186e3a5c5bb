//! What attackers of each kind can do, message by message: the tests named in `docs/security.md`. Some show a
//! promise, some a limit that the page admits.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
mod start;
mod world_time;
