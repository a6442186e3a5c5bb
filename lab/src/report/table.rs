//! Tables for the terminal and for documents. Headers and rows are texts with " | " between their cells. The
//! first column holds names, the others hold figures.

use std::fmt::Write;

use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};

/// The cells of a header or a row.
pub(crate) fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split(" | ")
}

/// A table for a document or for the terminal.
pub(crate) fn plain(header: &str, rows: impl IntoIterator<Item = String>, is_markdown: bool) -> String {
    if is_markdown {
        markdown(header, rows)
    } else {
        painted(header, rows.into_iter().map(|row| (row, None)))
    }
}

/// A table in Markdown.
pub(crate) fn markdown(header: &str, rows: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("| {header} |\n|---{}|\n", "|---:".repeat(cells(header).count() - 1));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {row} |");
    }
    text
}

/// A table for the terminal, with rows in colours if the terminal has them.
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
