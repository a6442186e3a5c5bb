//! `lab report`, and the code that commands share: options, words, tables, pages, files and exit codes.

pub mod command;
pub(crate) mod date;
pub mod exit;
pub(crate) mod file;
pub(crate) mod options;
pub(crate) mod page;
pub(crate) mod progress;
pub(crate) mod quantiles;
pub mod session;
pub(crate) mod table;
pub mod words;
