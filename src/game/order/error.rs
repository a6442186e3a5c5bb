use crate::clock::ConfigError;

/// Why a timestamp or a number was rejected. A rejection leaves a [`Lead`](super::Lead) unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The timestamp with this name is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("{0} is {1} ticks, which is outside +-2^62")]
    StampOutOfRange(&'static str, i64),
    /// A number is out of range.
    #[error(transparent)]
    OutOfRange(#[from] ConfigError),
}
