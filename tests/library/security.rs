//! Attacks on each message, as listed in `docs/security.md`, with the guarantees and limits stated there.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
