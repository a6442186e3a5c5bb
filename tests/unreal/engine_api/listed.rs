//! The tables of `engine-api.md`.

pub(crate) struct Row {
    /// For messages: the row as it is written.
    pub(crate) line: String,
    /// What stands in `...` in the first cell.
    pub(crate) symbols: Vec<String>,
    pub(crate) cells: Vec<String>,
}

pub(crate) struct Listed {
    pub(crate) rows: Vec<Row>,
}

impl Listed {
    pub(crate) fn parse(text: &str) -> Self {
        Self { rows: text.lines().filter(|line| line.starts_with("| `")).map(row).collect() }
    }
}

fn row(line: &str) -> Row {
    let cells: Vec<String> =
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let symbols = cells[0].split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Row { line: line.to_owned(), symbols, cells }
}
