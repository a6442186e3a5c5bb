//! Checks that settings are in range. The error names the setting that is out of range.

use crate::clock::ground::time::Span;

/// A setting is out of range, so nothing was created.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field} is {value}, which is outside {min}..={max} {unit}")]
#[non_exhaustive]
pub struct ConfigError {
    /// The name of the field in [`Config`](crate::Config).
    pub field: &'static str,
    /// The rejected value, in `unit`.
    pub value: f64,
    /// The smallest accepted value, in `unit`.
    pub min: f64,
    /// The largest accepted value, in `unit`.
    pub max: f64,
    /// The unit of the three values.
    pub unit: &'static str,
}

pub(crate) fn number(
    field: &'static str,
    value: f64,
    min: f64,
    max: f64,
    unit: &'static str,
) -> Result<(), ConfigError> {
    // NaN is outside every range.
    if (min..=max).contains(&value) { Ok(()) } else { Err(ConfigError { field, value, min, max, unit }) }
}

pub(crate) fn span(field: &'static str, value: Span, min: Span, max: Span) -> Result<(), ConfigError> {
    number(field, value.as_secs_f64(), min.as_secs_f64(), max.as_secs_f64(), "s")
}
