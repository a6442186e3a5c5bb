//! Attacks on each message, as listed in `docs/security.md`. Some tests show a guarantee, and others a limit
//! that the page states.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
mod start;
mod world_time;
