//! The rows of `symbols.tsv`.

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
}

impl Listed {
    pub(crate) fn parse(text: &str) -> Self {
        let rows = text.lines().filter(|line| !line.starts_with(['#', '@']) && !line.is_empty());
        Self { rows: rows.map(row).collect() }
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
