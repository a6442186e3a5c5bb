//! The server's half of an exchange, its watch over the clocks of its clients, and how it takes over the time of a
//! server before it.

mod adoption;
mod rate_watch;
mod responder;

pub use adoption::{Adopted, Adoption, AdoptionConfig, AdoptionError};
pub use rate_watch::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig, ReportError};
pub use responder::{RespondError, Responder};
