//! Tables for the terminal and as CSV. Callers separate cells with " | ". The first column contains names,
//! and the others contain figures.

use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};

pub(crate) fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split(" | ")
}

pub(crate) fn plain(header: &str, rows: impl IntoIterator<Item = String>, is_csv: bool) -> String {
    if !is_csv {
        return painted(header, rows.into_iter().map(|row| (row, None)));
    }
    let quoted = |cell: &str| if cell.contains(',') { format!("\"{cell}\"") } else { cell.to_owned() };
    let line = |row: String| cells(&row).map(quoted).collect::<Vec<_>>().join(",") + "\n";
    [header.to_owned()].into_iter().chain(rows).map(line).collect()
}

pub(crate) fn painted(header: &str, rows: impl IntoIterator<Item = (String, Option<Color>)>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    if !console::colors_enabled() {
        table.force_no_tty();
    }
    table.set_header(cells(header).map(|text| Cell::new(text).add_attribute(Attribute::Bold)));
    for (row, colour) in rows {
        let painted = |cell: Cell| if let Some(colour) = colour { cell.fg(colour) } else { cell };
        table.add_row(cells(&row).map(|text| painted(Cell::new(text))));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
