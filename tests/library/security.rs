//! Attacks on each message, as listed in `docs/security.md`. The tests show the guarantees and limits stated
//! there.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
