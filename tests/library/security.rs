//! The attacks on each message that `docs/security.md` lists. Some tests show a guarantee, and others a limit
//! that the page states.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
mod start;
mod world_time;
