//! The HTTP server of a live page, with one thread for any number of browsers.
//!
//! `GET /` returns the page, `GET /events` the stream of its news, and `GET /state` the whole current state
//! as JSON. `POST /act` presses a button. Other sites that the user visits can neither read the news nor
//! press a button, because their `Host` or `Origin` differs.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use http_body_util::channel::{self, Channel};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener as Listener;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::hub::Hub;
use super::show::Act;

/// Largest number of browsers watching at once.
const MOST_VIEWERS: u32 = 32;
const CROWDED: &str =
    "32 browsers watch this run already, which is the most. Close one of them and try again.";
/// Largest number of connections served at once. The system makes further ones wait.
const MOST_SERVED: usize = 128;
/// Longest wait for a request on a connection. It is long in tests, so that a connection on a slow machine
/// does not lose its place.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 600 } else { 5 });
/// Longest wait at the end for browsers to receive the remaining news.
const FAREWELL: Duration = Duration::from_secs(1);
/// The wait after a connection could not be accepted, for example because there were no file descriptors.
const AGAIN_AFTER: Duration = Duration::from_millis(50);
/// Largest number of bytes stored for a browser that does not read. This is the smallest value that hyper
/// accepts.
const MOST_BUFFERED: usize = 1 << 13;
/// Largest request for a button press (bytes).
const LONGEST_ACT: usize = 1_000;
/// Largest number of button presses that wait for the program.
const MOST_ACTS: usize = 16;

type Body = UnsyncBoxBody<Bytes, Infallible>;
type Answer = Response<Body>;

/// A page that is served until this value is dropped.
pub(crate) struct Live {
    address: SocketAddr,
    /// The news for its browsers.
    pub(crate) hub: Arc<Hub>,
    acts: Receiver<Act>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What all connections share.
struct Site {
    page: Bytes,
    hub: Arc<Hub>,
    /// One permit for each browser that watches.
    viewers: Arc<Semaphore>,
    controls: Vec<Act>,
    acts: SyncSender<Act>,
    /// Only browsers on this machine can connect, so they must use one of its local names.
    is_local: bool,
}

impl Live {
    /// Serves `page` and the news from `hub` at `address`. `controls` are the buttons.
    pub(crate) fn start(
        address: SocketAddr,
        page: String,
        hub: Arc<Hub>,
        controls: Vec<Act>,
    ) -> Result<Self> {
        let listener = TcpListener::bind(address).with_context(|| {
            format!(
                "cannot serve the live page at {address}; use another port with --live, or 0 for a free one"
            )
        })?;
        listener.set_nonblocking(true).context("cannot prepare the live page's socket")?;
        let address = listener.local_addr().context("cannot find the live page's address")?;
        let (pressed, acts) = mpsc::sync_channel(MOST_ACTS);
        let is_local = address.ip().is_loopback();
        let (page, viewers) = (page.into(), Arc::new(Semaphore::new(MOST_VIEWERS as usize)));
        let site = Site { page, hub: Arc::clone(&hub), viewers, controls, acts: pressed, is_local };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the live page's server")?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("live page".to_owned());
        let thread = thread
            .spawn(move || runtime.block_on(serve(listener, Arc::new(site), stopped)))
            .context("cannot start the live page's thread")?;
        Ok(Live { address, hub, acts, stop: Some(stop), thread: Some(thread) })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// True if everyone who can reach this machine can see the page and press its buttons.
    pub(crate) fn is_public(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// The next button press, if there is one.
    pub(crate) fn pressed(&self) -> Option<Act> {
        self.acts.try_recv().ok()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.hub.close();
        // This fails only if the thread has ended.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn serve(listener: TcpListener, site: Arc<Site>, stopped: oneshot::Receiver<()>) {
    let Ok(listener) = Listener::from_std(listener) else { return };
    let viewers = Arc::clone(&site.viewers);
    let accepting = tokio::spawn(accept_all(listener, site));
    // An error means that the sender no longer exists.
    let _ = stopped.await;
    accepting.abort();
    let _ = tokio::time::timeout(FAREWELL, viewers.acquire_many(MOST_VIEWERS)).await;
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
                .max_buf_size(MOST_BUFFERED)
                .serve_connection(TokioIo::new(stream), service);
            // A browser that leaves in the middle of the stream causes an error, which is normal.
            let _ = connection.await;
        });
    }
}

async fn answer(site: &Site, request: Request<Incoming>) -> Answer {
    if site.is_local && !names_this_machine(request.headers()) {
        return words(StatusCode::FORBIDDEN, "This page is for browsers on this machine, by its own name.");
    }
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/") => typed("text/html; charset=utf-8", site.page.clone()),
        (&Method::GET, "/state") => typed("application/json", site.hub.json().into()),
        (&Method::GET, "/events") => match Arc::clone(&site.viewers).try_acquire_owned() {
            Ok(place) => headed(StatusCode::OK, "text/event-stream", news(&site.hub, place)),
            Err(_) => words(StatusCode::SERVICE_UNAVAILABLE, CROWDED),
        },
        (&Method::POST, "/act") => press(site, request).await,
        (_, "/" | "/state" | "/events" | "/act") => {
            words(StatusCode::METHOD_NOT_ALLOWED, "Not with this method.")
        }
        _ => words(StatusCode::NOT_FOUND, "There is nothing here. The page is at /"),
    }
}

/// The run's news, until the run ends or the browser leaves, which frees its `place`.
fn news(hub: &Arc<Hub>, place: OwnedSemaphorePermit) -> Body {
    let (browser, body) = Channel::new(1);
    tokio::spawn(tell(Arc::clone(hub), browser));
    let body = body.map_frame(move |frame| {
        let _taken_as_long_as_this_lives = &place;
        frame
    });
    body.boxed_unsync()
}

/// Sends a browser the whole current state and then the news. If the browser falls too far behind, starts
/// again.
async fn tell(hub: Arc<Hub>, mut browser: channel::Sender<Bytes>) {
    let (mut message, mut news) = hub.watch();
    while browser.send_data(message).await.is_ok() {
        let Some(come) = &mut news else { return };
        match come.recv().await {
            Ok(next) => message = next,
            Err(RecvError::Lagged(_)) => (message, news) = hub.watch(),
            Err(RecvError::Closed) => return,
        }
    }
}

async fn press(site: &Site, request: Request<Incoming>) -> Answer {
    // A browser states which site a button press comes from, and the site cannot change that.
    let own = |origin: &HeaderValue| {
        let host = request.headers().get(header::HOST);
        host.is_some_and(|host| origin.as_bytes().strip_prefix(b"http://") == Some(host.as_bytes()))
    };
    if !request.headers().get(header::ORIGIN).is_some_and(own) {
        return words(StatusCode::FORBIDDEN, "Only the page itself may press its buttons.");
    }
    let Ok(body) = Limited::new(request.into_body(), LONGEST_ACT).collect().await else {
        return words(StatusCode::BAD_REQUEST, "A press is shorter than that.");
    };
    match serde_json::from_slice::<Act>(&body.to_bytes()) {
        Ok(act) if site.controls.contains(&act) => match site.acts.try_send(act) {
            Ok(()) => words(StatusCode::ACCEPTED, "It will happen."),
            Err(TrySendError::Full(_)) => words(StatusCode::TOO_MANY_REQUESTS, "Too many presses at once."),
            Err(TrySendError::Disconnected(_)) => words(StatusCode::GONE, "The run is over."),
        },
        Ok(_) => words(StatusCode::BAD_REQUEST, "There is no such button."),
        Err(error) => words(StatusCode::BAD_REQUEST, &format!("Not a button press: {error}")),
    }
}

/// A foreign name server can resolve one of its names to this machine, but then the browser states that name.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let name = if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn words(status: StatusCode, text: &str) -> Answer {
    let body = Full::new(Bytes::from(format!("{text}\n")));
    headed(status, "text/plain; charset=utf-8", body.boxed_unsync())
}

fn typed(kind: &'static str, body: Bytes) -> Answer {
    headed(StatusCode::OK, kind, Full::new(body).boxed_unsync())
}

fn headed(status: StatusCode, kind: &'static str, body: Body) -> Answer {
    let mut response = Response::new(body);
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
