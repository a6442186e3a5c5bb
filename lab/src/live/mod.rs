//! Pages that show a run live in browsers.
//!
//! Programs add updates to a `hub::Hub`. `server::Live` serves the page, which polls for the updates, and
//! returns button presses as `show::Act`.

pub(crate) mod address;
pub(crate) mod hub;
pub(crate) mod server;
pub(crate) mod show;
