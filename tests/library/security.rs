//! Attacks on each message, as listed in `docs/security.md`. Tests show guarantees, or the limits it states.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
