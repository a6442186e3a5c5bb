use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::report::{cells, end, table};

/// Format of a study's output.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Format {
    /// Print comma-separated values
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print one JSON object at the end
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
}

pub(crate) struct Study {
    format: Format,
    tables: Vec<Value>,
    pub(crate) faults: Vec<String>,
}

impl Study {
    pub(crate) fn new(format: Format) -> Self {
        Study { format, tables: Vec::new(), faults: Vec::new() }
    }

    pub(crate) fn line(&self, text: &str) {
        if !self.format.json {
            println!("{text}");
        }
    }

    /// The title must include its own line breaks.
    pub(crate) fn table(&mut self, title: &str, header: &str, rows: impl IntoIterator<Item = String>) {
        if !self.format.json {
            return println!("{title}{}", table::plain(header, rows, self.format.csv));
        }
        let value = |cell: &str| cell.parse().map_or_else(|_| json!(cell), |number: f64| json!(number));
        let object = |row: String| -> Map<String, Value> {
            cells(header).map(str::to_owned).zip(cells(&row).map(value)).collect()
        };
        let rows: Vec<_> = rows.into_iter().map(object).collect();
        self.tables.push(json!({"title": title.trim(), "rows": rows}));
    }

    pub(crate) fn check(&mut self, is_kept: bool, fault: impl FnOnce() -> String) {
        self.faults.extend((!is_kept).then(fault));
    }

    pub(crate) fn end(self) -> ExitCode {
        if self.format.json {
            println!("{:#}", json!({"tables": self.tables, "faults": self.faults}));
            return crate::report::exit::verdict(self.faults.is_empty());
        }
        end(&self.faults)
    }
}
