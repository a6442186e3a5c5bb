//! The rows of `symbols.tsv`.

use std::collections::BTreeSet;

use super::used::{Kind, Symbol};

pub(crate) struct Row {
    /// For messages: the row as it is written.
    pub(crate) line: String,
    pub(crate) symbols: Vec<String>,
    pub(crate) versions: String,
    /// Pages and plugins that show it.
    pub(crate) checked: String,
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
        let rows = text.lines().filter(|line| !line.starts_with(['#', '@']) && !line.is_empty());
        let rows: Vec<Row> = rows.map(row).collect();
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
    let cells: Vec<&str> = line.split('\t').collect();
    let [symbols, versions, checked, _declaration] = cells[..] else {
        panic!("{line}: {} cells in place of four", cells.len())
    };
    Row {
        line: line.to_owned(),
        symbols: symbols.split(' ').map(str::to_owned).collect(),
        versions: versions.to_owned(),
        checked: checked.to_owned(),
    }
}
