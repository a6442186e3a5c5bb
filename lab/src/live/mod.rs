//! Pages that show a run live in browsers.
//!
//! Programs add updates to a `hub::Hub`. `server::Live` serves a page that polls for them, and returns button
//! presses as `show::Act`.

pub(crate) mod address;
pub(crate) mod hub;
pub(crate) mod server;
pub(crate) mod show;
