//! Carries out the attacks listed in `docs/security.md` and tests the guarantees and limits stated there.

mod delays;
mod exchange;
mod floods;
mod page;
mod relay;
