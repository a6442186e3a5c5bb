//! Pages that show what happens now, for browsers: server-sent events over HTTP.
//!
//! A program publishes news to a `hub::Hub`, which has them for all browsers. `server::Live` serves
//! the page and the news. What people press on the page comes back as a `show::Act`.

pub(crate) mod address;
pub(crate) mod hub;
pub(crate) mod server;
pub(crate) mod show;
