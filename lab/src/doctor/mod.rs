//! `lab doctor`: examines this machine's clock and the path to a server, and says in plain words what limits
//! the accuracy.

mod advice;
pub mod command;
mod machine;
mod matrix;
mod path;
mod signs;
pub mod study;
#[cfg(test)]
mod tests;
