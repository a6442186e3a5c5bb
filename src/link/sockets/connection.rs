use parking_lot::Mutex;

use super::NetError;
use super::connect_config::ConnectConfig;
use super::resolve::Resolving;
use super::route::Route;
use super::runner::{Runner, Stop};
use super::shared::{LinkStatus, SharedClient, held, link_of};
use super::worker::Linking;
use crate::clock::LocalTime;
use crate::clock::for_parts::Shared;
use crate::clock::keyed::SessionKey;
use crate::monotonic_now;

/// Keeps a client linked to its server until the connection is dropped. Any thread may use a connection.
///
/// The client also continues to use exchanges in the game's messages.
///
/// See [`LinkServer`](super::LinkServer) for an example.
pub struct LinkConnection {
    runner: Runner,
    status: Shared<Mutex<LinkStatus>>,
}

impl LinkConnection {
    /// Links `client` to a server that has admitted `key`. Returns immediately, because names are resolved on
    /// another thread. `clock` converts a [`monotonic_now`] time to the client's local time, which is usually
    /// the same.
    ///
    /// # Errors
    /// Fails if a setting is out of range, or the system cannot provide memory or a thread. An unreachable
    /// server is not an error. See [`status`](Self::status).
    pub fn connect(
        config: &ConnectConfig,
        client: impl SharedClient,
        key: &SessionKey,
        clock: impl Fn(LocalTime) -> LocalTime + Send + 'static,
    ) -> Result<Self, NetError> {
        Self::by(config, client, key, clock, Stop::new()?, None)
    }

    pub(super) fn by(
        config: &ConnectConfig,
        client: impl SharedClient,
        key: &SessionKey,
        clock: impl Fn(LocalTime) -> LocalTime + Send + 'static,
        stop: Stop,
        resolving: Option<Resolving>,
    ) -> Result<Self, NetError> {
        config.validate()?;
        let link = link_of(&client, key, config.link)?;
        let status = Shared::new(Mutex::new(LinkStatus::of(&link)))?;
        let work = Linking {
            client: held(client)?,
            link,
            route: Route::new(config, stop.waker.clone(), resolving)?,
            clock: held(clock)?,
            status: status.clone(),
            unsent: 0,
            is_replaced: false,
            renewed: monotonic_now(),
            next: monotonic_now(),
        };
        let runner = Runner::start(held(work)?, stop, config.thread.then_some("netclock-link"))?;
        Ok(LinkConnection { runner, status })
    }

    /// Does the work that is due. Call this in every frame if there is no thread. Returns false if there is a
    /// thread, or after [`stop`](Self::stop).
    pub fn poll(&self) -> bool {
        self.runner.poll()
    }

    /// Returns the current status.
    pub fn status(&self) -> LinkStatus {
        *self.status.lock()
    }

    /// Closes the socket and ends the thread within a few milliseconds. You may call this from any thread.
    /// Later calls have no effect.
    pub fn stop(&self) {
        self.runner.stop();
    }
}
