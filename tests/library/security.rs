//! Carries out the attacks that `docs/security.md` lists, and tests the guarantees and limits stated there.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
