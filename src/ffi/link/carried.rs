use crate::clock::keyed::SessionKey;
use crate::clock::{CreateError, LocalTime, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::responder::handle::refused;
use crate::ffi::link::linked::ClientGuard;
use crate::link::sockets::{LinkStatus, SharedClient, link_of};
use crate::link::{ClientLink, ClientLinkConfig, DATAGRAM, LinkError};

pub(crate) struct Carried {
    client: ClientGuard,
    link: Box<ClientLink>,
}

impl Carried {
    pub(crate) fn new(
        client: ClientGuard,
        key: &SessionKey,
        config: ClientLinkConfig,
    ) -> Result<Self, CreateError> {
        Ok(Carried { link: link_of(&client, key, config)?, client })
    }

    pub(crate) fn status(&self) -> LinkStatus {
        LinkStatus::of(&self.link)
    }

    pub(crate) fn due(&mut self, now: LocalTime) -> Outcome<Result<[u8; DATAGRAM], LocalTime>> {
        let link = &mut self.link;
        let mut due = Ok(Err(now));
        self.client.with(&mut |client| {
            due = link.due(client, now).map_err(|error| Failure::time(error, now)).map(|due| {
                let datagram = due.and_then(|it| <[u8; DATAGRAM]>::try_from(it.bytes).ok());
                datagram.ok_or(now)
            });
        });
        Ok(due?.map_err(|now| self.link.next_due(now)))
    }

    pub(crate) fn handle(&mut self, datagram: &[u8], arrived: LocalTime) -> Outcome {
        let link = &mut self.link;
        let mut outcome = Ok(());
        self.client.with(&mut |client| outcome = link.handle(client, datagram, arrived));
        outcome.map_err(|error| failure(error, arrived.ticks(), arrived.ticks()))
    }
}

#[cold]
pub(crate) fn failure(error: LinkError, received: i64, sent: i64) -> Failure {
    match error {
        LinkError::Key(error) => error.into(),
        LinkError::Wire(error) => error.into(),
        LinkError::Respond(error) => {
            refused(error, ServerTime::from_ticks(received), ServerTime::from_ticks(sent))
        }
        LinkError::Refused(refusal) => Failure::of(NetclockStatus::from(refusal).0),
        LinkError::Busy => Failure::of(crate::ffi::clock::keys::status::NETCLOCK_ENOUGH_ANSWERS),
    }
}
