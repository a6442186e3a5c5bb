//! `lab report`, and code shared by the commands: options, words, tables, pages, files and exit codes.

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

pub(crate) use exit::{FAULT, NO_SERVER, verdict};
pub(crate) use options::{Paths, Seeds, number, seed};
pub(crate) use page::chart::{Chart, Curve, Ink, MOST_POINTS, Mark, Point, Shape, THINNED};
pub(crate) use page::{Block, Finding, Page, Part, Table, Weight};
pub(crate) use progress::{each, each_case};
pub(crate) use session::evaluation::{Evaluation, ExchangePoint, ReadPoint, clock};
pub(crate) use session::reference::{Known, Reference};
pub(crate) use session::rerun::{Difference, Moment, Pause, rerun};
pub(crate) use session::simulate::{EPOCHS, Incident, Simulated, What, simulate};
pub(crate) use session::verdict::{Kind, Verdict, verdicts};
pub(crate) use table::{cells, painted, plain};
pub(crate) use words::{alarm, amount, counted, end, finite_ms, length, ms, optional, program, ratio};
