//! The server's half of an exchange.

mod responder;

pub use responder::Responder;
