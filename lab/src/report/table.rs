//! Tables for the terminal and for documents.

use std::fmt::Write;

use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};

use super::words::colours;

/// A table for a document or for the terminal. The first column holds names, the others hold figures.
pub(crate) fn plain<const N: usize>(
    header: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
    is_markdown: bool,
) -> String {
    if is_markdown {
        return markdown(header, rows);
    }
    let mut table = empty(header);
    for row in rows {
        table.add_row(row);
    }
    align(&mut table);
    table.to_string()
}

/// A table in Markdown. The first column holds names, the others hold figures.
pub(crate) fn markdown<const N: usize>(
    header: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let mut text = format!("| {} |\n|---{}|\n", header.join(" | "), "|---:".repeat(N - 1));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// A table for the terminal, with a header and no rows.
pub(crate) fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let bold = |text: &&str| {
        let cell = Cell::new(text);
        if colours() { cell.add_attribute(Attribute::Bold) } else { cell }
    };
    table.set_header(header.iter().map(bold));
    table
}

/// Aligns all columns but the first to the right. Call it after the last row was added.
pub(crate) fn align(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
