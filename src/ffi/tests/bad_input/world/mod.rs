//! A world's clock: publisher, timeline, segments.

mod bench;
mod datagrams;
mod publisher;
mod reads;
mod timeline;

use super::table::Table;

pub(super) fn rows(table: &mut Table) {
    publisher::rows(table);
    timeline::rows(table);
    reads::rows(table);
    datagrams::rows(table);
}
