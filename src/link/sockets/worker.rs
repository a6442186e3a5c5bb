use parking_lot::Mutex;

use super::route::Route;
use super::runner::{AT_ONCE, BUFFER, Work};
use super::shared::{Clock, LinkStatus, SharedClient};
use super::trouble::Trouble;
use crate::clock::for_parts::{Shared, parts_mut};
use crate::clock::{Event, LocalTime, Span};
use crate::link::{ClientLink, LinkError, LinkState};
use crate::monotonic_now;

const RENEW: Span = Span::from_secs(30);

pub(super) struct Linking {
    pub(super) client: Box<dyn SharedClient>,
    pub(super) link: Box<ClientLink>,
    pub(super) route: Route,
    pub(super) clock: Clock<LocalTime>,
    pub(super) status: Shared<Mutex<LinkStatus>>,
    pub(super) unsent: u64,
    pub(super) is_replaced: bool,
    pub(super) renewed: LocalTime,
    pub(super) next: LocalTime,
}

impl Work for Linking {
    fn step(&mut self) {
        let was = self.link.check.state();
        let has_socket = !self.is_replaced && self.route.advance(monotonic_now());
        if has_socket == (was == LinkState::NotPossible) {
            let link = &mut self.link;
            self.client.with(&mut |client| link.set_possible(has_socket, client));
        }
        self.receive();
        self.send();
        self.renew(was);
        let (now, link) = (monotonic_now(), &self.link);
        let local = (self.clock)(now);
        self.next = now + (link.next_due(local) - local);
        if link.check.state() != LinkState::Linked {
            self.next = self.route.next_address().into_iter().fold(self.next, LocalTime::min).max(now);
        }
        self.tell();
    }

    fn wait(&self) {
        self.route.wait(self.next);
    }
}

impl Linking {
    fn receive(&mut self) {
        let mut buffer = [0; BUFFER];
        for _ in 0..AT_ONCE {
            let Some((length, at)) = self.route.receive(&mut buffer) else { break };
            let (link, arrived) = (&mut self.link, (self.clock)(at));
            let mut is_from_server = false;
            self.client.with(&mut |client| {
                let outcome = link.handle(client, &buffer[..length], arrived);
                is_from_server = matches!(outcome, Ok(()) | Err(LinkError::Refused(_)));
            });
            if is_from_server {
                self.route.answered();
            }
        }
    }

    /// Locks the client before taking timestamps, so that each datagram is timestamped immediately before it
    /// is sent.
    fn send(&mut self) {
        let (link, route, clock, unsent) = (&mut self.link, &mut self.route, &self.clock, &mut self.unsent);
        let is_replaced = &mut self.is_replaced;
        self.client.with(&mut |client| {
            *is_replaced = link.is_replaced(client);
            let mut marks = true;
            // An error means that the local clock was set back. The next call handles this.
            while let Ok(Some(datagram)) = link.due(client, clock(monotonic_now())) {
                marks &= route.set_marked(datagram.is_marked);
                *unsent += u64::from(!route.send(&datagram));
            }
            if !marks {
                link.marking.give_up();
            }
        });
    }

    /// After a silence, and then at intervals, opens a new socket, possibly to a different address. This
    /// machine or the server may have moved to a different network.
    fn renew(&mut self, was: LinkState) {
        let (state, now) = (self.link.check.state(), monotonic_now());
        if !matches!(state, LinkState::Checking | LinkState::Blocked) {
            return;
        }
        let is_silent = self.route.next_address().is_some_and(|until| now >= until);
        if is_silent || (state == LinkState::Blocked && self.route.begins_another_round()) {
            self.route.renew();
            self.renewed = now;
            return self.link.check.begin();
        }
        if state == LinkState::Checking {
            return;
        }
        if was != LinkState::Blocked || now - self.renewed >= RENEW {
            self.route.renew();
            self.renewed = now;
        }
    }

    fn tell(&mut self) {
        let trouble = match self.route.trouble {
            _ if self.is_replaced => Trouble::Replaced,
            Trouble::None if self.link.is_second => Trouble::KeyInUse,
            trouble => trouble,
        };
        let state = match self.link.check.state() {
            LinkState::NotPossible if trouble == Trouble::Resolving => LinkState::Checking,
            state => state,
        };
        let is_news = self.status.lock().state != LinkState::NotPossible;
        if state == LinkState::NotPossible && is_news {
            self.client.with(&mut |client| parts_mut(client).tell_of_link(Event::LinkNotPossible));
        }
        *self.status.lock() = LinkStatus {
            state,
            trouble,
            stamps: self.route.stamps,
            peer: self.route.peer,
            unsent: self.unsent,
            ..LinkStatus::of(&self.link)
        };
    }
}
