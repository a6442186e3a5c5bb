//! Attacks each message as listed in `docs/security.md`, and tests the guarantees and limits of that page.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
mod replays;
