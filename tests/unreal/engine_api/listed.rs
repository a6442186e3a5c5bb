//! The tables of `engine-api.md`.

use std::collections::BTreeSet;

use super::used::{Kind, Symbol};

pub(crate) struct Row {
    /// For messages: the row as it is written.
    pub(crate) line: String,
    /// What stands in `...` in the first cell.
    pub(crate) symbols: Vec<String>,
    pub(crate) cells: Vec<String>,
}

pub(crate) struct Listed {
    pub(crate) rows: Vec<Row>,
    whole: BTreeSet<String>,
    /// The parts behind the last `::`.
    last: BTreeSet<String>,
    /// The same of symbols that have a `::`.
    members: BTreeSet<String>,
}

impl Listed {
    pub(crate) fn parse(text: &str) -> Self {
        let rows: Vec<Row> = text.lines().filter(|line| line.starts_with("| `")).map(row).collect();
        let symbols = || rows.iter().flat_map(|row| &row.symbols);
        let last = |symbol: &String| symbol.rsplit("::").next().unwrap_or_default().to_owned();
        Self {
            whole: symbols().cloned().collect(),
            last: symbols().map(last).collect(),
            members: symbols().filter(|symbol| symbol.contains("::")).map(last).collect(),
            rows,
        }
    }

    pub(crate) fn has(&self, symbol: &Symbol) -> bool {
        match symbol.kind {
            // Which class a member is called on is beyond reading words: any row of that name will do.
            Kind::Name => self.last.contains(&symbol.name),
            Kind::Qualified => self.whole.contains(&symbol.name),
            Kind::Overridden => self.members.contains(&symbol.name),
        }
    }
}

fn row(line: &str) -> Row {
    let cells: Vec<String> =
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let symbols = cells[0].split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Row { line: line.to_owned(), symbols, cells }
}
