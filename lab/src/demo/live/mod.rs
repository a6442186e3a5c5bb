//! Serves a live page with buttons for a demo. A single thread serves all browsers, which poll several times
//! per second.
//!
//! `GET /` returns the page, `GET /state` returns the state as JSON, and `?since=S` omits all points before
//! `S`. `POST /act` presses a button. The server checks `Host` and `Origin`, so that other websites can
//! neither read the state nor press buttons.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener as Listener;
use tokio::sync::{Semaphore, oneshot};

use super::page::{self, CLIENT_BUTTONS, SERVER_BUTTONS};
use super::plan::Action;
use super::record::{Happening, Point, Record};
use super::run::locked;
use super::words::headline_cells;
use crate::net::clock;
use crate::report::Finding;

pub(super) mod address;

const MOST_SERVED: usize = 128;
/// The time limit for receiving a request. Tests allow more time because their machine may be slow.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 600 } else { 5 });
/// How long browsers can fetch the last updates after the demo has ended. Browsers poll four times per
/// second, but tests on a slow machine may poll less often.
const FAREWELL: Duration = Duration::from_secs(if cfg!(test) { 5 } else { 1 });
/// The delay after a failed accept, for example if no file descriptors are left.
const AGAIN_AFTER: Duration = Duration::from_millis(50);
const LONGEST_ACT: usize = 1_000;
const MOST_ACTS: usize = 16;
/// The page only shows the last minute of the run.
const SHOWN_S: f64 = 60.0;
const MOST_SHOWN: usize = 200;

type Answer = Response<Full<Bytes>>;

pub(super) struct Live {
    address: SocketAddr,
    acts: Receiver<Action>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Site {
    page: Bytes,
    record: Arc<Mutex<Record>>,
    is_watched: AtomicBool,
    acts: SyncSender<Action>,
    /// If true, only browsers on this machine can connect, and they must use one of its local names.
    is_local: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Press {
    act: String,
    row: Option<usize>,
}

impl Press {
    fn action(&self, clients: usize) -> Option<Action> {
        match self.row {
            Some(row) => CLIENT_BUTTONS
                .into_iter()
                .find(|(act, ..)| *act == self.act && row < clients)
                .map(|(.., action)| action(row)),
            None => SERVER_BUTTONS.into_iter().find(|(act, ..)| *act == self.act).map(|(.., action)| action),
        }
    }
}

#[derive(Serialize)]
struct News<'a> {
    /// Identifies this run, so that the page notices when a new run replaces it.
    run: i64,
    rows: Vec<&'a [Point]>,
    headlines: Vec<Vec<String>>,
    happenings: Vec<&'a Happening>,
    earlier: usize,
    end: Option<Finding>,
}

fn newer(points: &[Point], since: f64) -> &[Point] {
    &points[points.partition_point(|point| point.0 <= since)..]
}

/// Returns the state as JSON, with the points that are newer than `since` (s).
fn news(record: &Record, since: f64) -> String {
    let since = since.max((clock::now() - record.start).as_secs_f64() - SHOWN_S);
    let earlier = record.happenings.len().saturating_sub(MOST_SHOWN);
    let news = News {
        run: record.start.ticks(),
        rows: record.clients.iter().map(|client| newer(&client.points, since)).collect(),
        headlines: (0..record.clients.len()).map(|client| headline_cells(record, client)).collect(),
        happenings: record.happenings.range(earlier..).collect(),
        earlier: record.dropped + earlier,
        end: record.has_ended().then(|| page::verdict(record)),
    };
    // Serialising numbers and strings to JSON cannot fail.
    serde_json::to_string(&news).unwrap_or_default()
}

impl Live {
    pub(super) fn start(address: SocketAddr, record: &Arc<Mutex<Record>>) -> Result<Self> {
        let listener = TcpListener::bind(address).with_context(|| {
            format!(
                "cannot serve the live page at {address}; use another port with --live, or 0 for a free one"
            )
        })?;
        listener.set_nonblocking(true).context("cannot prepare the live page's socket")?;
        let address = listener.local_addr().context("cannot find the live page's address")?;
        let (pressed, acts) = mpsc::sync_channel(MOST_ACTS);
        let is_local = address.ip().is_loopback();
        let page = page::live(&locked(record).plan).live_html()?.into();
        let (record, is_watched) = (Arc::clone(record), AtomicBool::new(false));
        let site = Site { page, record, is_watched, acts: pressed, is_local };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the live page's server")?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("live page".to_owned());
        let thread = thread
            .spawn(move || runtime.block_on(serve(listener, Arc::new(site), stopped)))
            .context("cannot start the live page's thread")?;
        Ok(Live { address, acts, stop: Some(stop), thread: Some(thread) })
    }

    pub(super) fn words(&self) -> String {
        let warning = if self.address.ip().is_loopback() {
            ""
        } else {
            "\nAnyone who can reach this address can watch and use the buttons."
        };
        format!("Live page: http://{}/{warning}\n", self.address)
    }

    pub(super) fn pressed(&self) -> Option<Action> {
        self.acts.try_recv().ok()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Sending fails only if the thread has already exited.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn serve(listener: TcpListener, site: Arc<Site>, stopped: oneshot::Receiver<()>) {
    let Ok(listener) = Listener::from_std(listener) else { return };
    tokio::spawn(accept_all(listener, Arc::clone(&site)));
    // An error means that the sender was dropped, which also stops the server.
    let _ = stopped.await;
    if site.is_watched.load(Ordering::Relaxed) {
        tokio::time::sleep(FAREWELL).await;
    }
}

async fn accept_all(listener: Listener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(MOST_SERVED));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(AGAIN_AFTER).await;
            continue;
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            let _place = place;
            let service = service_fn(|request| {
                let site = Arc::clone(&site);
                async move { Ok::<_, Infallible>(answer(&site, request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .serve_connection(TokioIo::new(stream), service);
            // Browsers that disconnect during a response cause an error here, which is normal.
            let _ = connection.await;
        });
    }
}

async fn answer(site: &Site, request: Request<Incoming>) -> Answer {
    if site.is_local && !names_this_machine(request.headers()) {
        return words(StatusCode::FORBIDDEN, "This page only serves browsers on this machine.");
    }
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/") => headed(StatusCode::OK, "text/html; charset=utf-8", site.page.clone()),
        (&Method::GET, "/state") => {
            site.is_watched.store(true, Ordering::Relaxed);
            let since = request.uri().query().and_then(|it| it.strip_prefix("since=")?.parse().ok());
            let news = news(&locked(&site.record), since.unwrap_or(f64::NEG_INFINITY));
            headed(StatusCode::OK, "application/json", news)
        }
        (&Method::POST, "/act") => press(site, request).await,
        (_, "/" | "/state" | "/act") => words(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed."),
        _ => words(StatusCode::NOT_FOUND, "There is nothing here. The page is at /"),
    }
}

async fn press(site: &Site, request: Request<Incoming>) -> Answer {
    // Browsers send the page's origin with a button press, and foreign sites cannot forge it.
    let own = |origin: &HeaderValue| {
        let host = request.headers().get(header::HOST);
        host.is_some_and(|host| origin.as_bytes().strip_prefix(b"http://") == Some(host.as_bytes()))
    };
    if !request.headers().get(header::ORIGIN).is_some_and(own) {
        return words(StatusCode::FORBIDDEN, "Only the page itself may press its buttons.");
    }
    let Ok(body) = Limited::new(request.into_body(), LONGEST_ACT).collect().await else {
        return words(StatusCode::BAD_REQUEST, "The request is too long for a button press.");
    };
    let press: Press = match serde_json::from_slice(&body.to_bytes()) {
        Ok(press) => press,
        Err(error) => return words(StatusCode::BAD_REQUEST, &format!("Not a button press: {error}")),
    };
    let clients = locked(&site.record).clients.len();
    let Some(action) = press.action(clients) else {
        return words(StatusCode::BAD_REQUEST, "Unknown button.");
    };
    match site.acts.try_send(action) {
        Ok(()) => words(StatusCode::ACCEPTED, "Accepted."),
        Err(TrySendError::Full(_)) => words(StatusCode::TOO_MANY_REQUESTS, "Too many presses at once."),
        Err(TrySendError::Disconnected(_)) => words(StatusCode::GONE, "The run has ended."),
    }
}

/// Checking the host name protects against websites whose name resolves to this machine (DNS rebinding).
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let name = if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn words(status: StatusCode, text: &str) -> Answer {
    headed(status, "text/plain; charset=utf-8", format!("{text}\n"))
}

fn headed(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests;
