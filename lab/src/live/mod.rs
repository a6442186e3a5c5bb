//! Pages that show a run live in browsers, with server-sent events over HTTP.
//!
//! A program publishes news to a `hub::Hub`, which distributes them to all browsers. `server::Live` serves
//! the page and the news. Buttons pressed on the page are returned as `show::Act`.

pub(crate) mod address;
pub(crate) mod hub;
pub(crate) mod server;
pub(crate) mod show;
