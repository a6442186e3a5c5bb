//! Checks that a setting is within its range. The error names the setting that is out of range.

use crate::clock::ground::time::Span;

/// A configuration value out of range; nothing was created.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field} is {value}, which is outside {min}..={max} {unit}")]
#[non_exhaustive]
pub struct ConfigError {
    /// Name of the field of [`Config`](crate::Config).
    pub field: &'static str,
    /// The refused value, in `unit`.
    pub value: f64,
    /// Smallest accepted value, in `unit`.
    pub min: f64,
    /// Largest accepted value, in `unit`.
    pub max: f64,
    /// Unit of the three values.
    pub unit: &'static str,
}

/// Not inlined: copies for each field would take kilobytes.
pub(crate) fn number(
    field: &'static str,
    value: f64,
    min: f64,
    max: f64,
    unit: &'static str,
) -> Result<(), ConfigError> {
    // A NaN is not in any range.
    if (min..=max).contains(&value) { Ok(()) } else { Err(ConfigError { field, value, min, max, unit }) }
}

pub(crate) fn span(field: &'static str, value: Span, min: Span, max: Span) -> Result<(), ConfigError> {
    number(field, value.as_secs_f64(), min.as_secs_f64(), max.as_secs_f64(), "s")
}
