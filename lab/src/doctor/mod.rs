//! `lab doctor`: examines this machine's clock and the path to a server, and explains what limits accuracy.

mod advice;
pub mod command;
mod machine;
#[cfg(test)]
mod matrix;
mod path;
mod signs;
#[cfg(test)]
mod tests;
