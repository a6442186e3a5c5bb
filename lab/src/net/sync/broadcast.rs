//! The live page of a single client that follows a real server.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use netclock::{Reading, Span, State};

use super::events::{self, Described, state_name};
use crate::live::hub::Hub;
use crate::live::server::Live;
use crate::live::show::{Cell, Happening};
use crate::net::clock::MachineTime;
use crate::report::page::chart::{Chart, Ink, Shape};
use crate::report::page::{Block, Finding, Page, Part, Rows, Weight};
use crate::report::words::finite_ms;

/// Time between points.
const POINT_EVERY: Span = Span::from_millis(100);
/// Column headings: name, beat, and the figures.
const HEADER: &str =
    "clock | beat | server time s | bound ms | expected error ms | round trip ms | rate ppm | state";

/// A client's live page.
pub(crate) struct Broadcast {
    live: Live,
    start: MachineTime,
    next_point: MachineTime,
}

impl Broadcast {
    /// Serves a page for a client that follows `server`. `has_error` is set if the true error is known.
    pub(crate) fn start(
        address: SocketAddr,
        server: &str,
        start: MachineTime,
        has_error: bool,
    ) -> Result<Self> {
        let hub = Arc::new(Hub::new(getrandom::u64()?, 1));
        let live = Live::start(address, page(server, has_error).live_html()?, hub, Vec::new())?;
        Ok(Broadcast { live, start, next_point: start })
    }

    /// The page's address.
    pub(crate) fn url(&self) -> String {
        self.live.url()
    }

    /// The clock was read. `error` is the true error, if it is known.
    pub(crate) fn reading(&mut self, machine: MachineTime, reading: &Reading, error: Option<Span>) {
        if machine < self.next_point || reading.state == State::Unsynced {
            return;
        }
        self.next_point = machine + POINT_EVERY;
        let now = self.seconds(machine);
        let (bound, expected) = (finite_ms(reading.error_bound), finite_ms(reading.expected_error));
        let point = (now, [error.map(Span::as_millis_f64), bound, expected, None, None]);
        let shown =
            |ms: Option<f64>| Cell::from(ms.map_or_else(|| "none".to_owned(), |ms| format!("{ms:.3}")));
        let weight = if reading.state == State::Synced { Weight::Fine } else { Weight::Warning };
        let cells = vec![
            format!("{:.3}", reading.server_time.as_secs_f64()).into(),
            shown(bound),
            shown(expected),
            format!("{:.1}", reading.round_trip.as_millis_f64()).into(),
            format!("{:+.1}", reading.frequency_ppm).into(),
            Cell { text: state_name(reading.state).to_owned(), weight: Some(weight) },
        ];
        self.live.hub.points(now, 0, &[point], cells);
    }

    /// The clock passed a beat.
    pub(crate) fn beat(&self, machine: MachineTime, (at, number): (MachineTime, i64)) {
        self.live.hub.beat(self.seconds(machine), (0, 0), self.seconds(at), number);
    }

    /// The clock had an event.
    pub(crate) fn event(&self, machine: MachineTime, described: &Described) {
        let (weight, text) = (events::weight(described), described.meaning.clone());
        let happening = Happening::new(self.seconds(machine), Some(0), weight, &described.event, text);
        self.live.hub.happened(happening);
    }

    /// Publishes how the session ended, and disconnects the browsers.
    pub(crate) fn end(self, reads: u64, backwards: u64) {
        let weight = if backwards == 0 { Weight::Fine } else { Weight::Fault };
        let text = format!("The clock was read {reads} times and ran backwards {backwards} times.");
        self.live.hub.end(Finding::new(weight, text, None));
    }

    fn seconds(&self, machine: MachineTime) -> f64 {
        (machine - self.start).as_secs_f64()
    }
}

fn page(server: &str, has_error: bool) -> Page {
    let mut chart = Chart::over_time("client", "Bound and expected error", "ms");
    let truth = if has_error {
        "The error is true: both programs read one kernel clock."
    } else {
        "Nobody knows the true time of another machine."
    };
    chart.words = format!(
        "How far the shown time may be from the server's, in the last minute. {truth} The inner band is \
         twice the expected error, the outer one the bound."
    );
    chart.add_live(&[
        ("error bound", Ink::Bound, Shape::Band),
        ("twice the expected error", Ink::Expected, Shape::Band),
    ]);
    if has_error {
        chart.add_live(&[("error", Ink::Main, Shape::Line)]);
    }
    let rows = Rows {
        caption: "The clock now".to_owned(),
        header: HEADER.split(" | ").map(str::to_owned).collect(),
        names: vec!["this client".to_owned()],
        is_folded: false,
    };
    let blocks = vec![
        Block::Text("The lamp lights up when the clock shows a full second of the server's time.".to_owned()),
        Block::Rows(rows),
        Block::Chart(chart),
        Block::Happenings("What happens".to_owned()),
    ];
    Page {
        title: "NetClock client, live".to_owned(),
        lead: format!("A client follows the clock of {server}."),
        overview: None,
        parts: vec![Part { title: "Now".to_owned(), blocks }],
    }
}
