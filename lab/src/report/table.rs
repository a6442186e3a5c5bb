//! Tables for the terminal and as CSV. Callers separate cells with " | ". The first column contains names,
//! and the others contain figures.

use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};

pub(crate) fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split(" | ")
}

pub(crate) fn plain(header: &str, rows: impl IntoIterator<Item = String>, is_csv: bool) -> String {
    if is_csv {
        let quoted = |cell: &str| if cell.contains(',') { format!("\"{cell}\"") } else { cell.to_owned() };
        let line = |row: String| cells(&row).map(quoted).collect::<Vec<_>>().join(",") + "\n";
        return [header.to_owned()].into_iter().chain(rows).map(line).collect();
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    if !console::colors_enabled() {
        table.force_no_tty();
    }
    table.set_header(cells(header).map(|text| Cell::new(text).add_attribute(Attribute::Bold)));
    for row in rows {
        table.add_row(cells(&row));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
