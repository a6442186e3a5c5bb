//! Handles messages as a game loop does, with the frame's start time as their timestamp.

use netclock::link::sockets::{Received, StampedSocket};
use netclock::{Client, LocalTime, Responder, ServerTime, wire};

/// Returns the request or reply in an unsealed datagram, or in a section of a session datagram.
pub(crate) fn exchange(datagram: &mut [u8]) -> Option<&mut wire::Datagram> {
    const HEAD: usize = 12;
    const EXCHANGE: u8 = 1;
    if datagram.len() == wire::SIZE && datagram[3] <= 2 {
        return datagram.try_into().ok();
    }
    let mut rest = datagram.get_mut(HEAD..)?;
    loop {
        let (&mut [tag, length], sections) = rest.split_first_chunk_mut()?;
        let (body, later) = sections.split_at_mut_checked(length.into())?;
        if tag == EXCHANGE {
            return body.try_into().ok();
        }
        rest = later;
    }
}

pub(crate) fn client_frame(socket: &mut StampedSocket, client: &mut Client, frame: LocalTime) -> bool {
    let mut buffer = [0; 2 * wire::SIZE];
    while let Received::Datagram(come) = socket.receive(&mut buffer) {
        take(client, &buffer[..come.length], frame);
    }
    ask(socket, client, frame)
}

pub(crate) fn take(client: &mut Client, bytes: &[u8], at: LocalTime) {
    if let Ok(reply) = wire::decode_reply(bytes) {
        let _ = client.handle_reply(&reply, at);
    }
}

pub(crate) fn ask(socket: &mut StampedSocket, client: &mut Client, now: LocalTime) -> bool {
    let due = client.tick(now).ok().flatten();
    let Some(datagram) = due.and_then(|request| wire::encode_request(&request).ok()) else { return false };
    // A datagram that cannot be sent is treated as lost.
    let _ = socket.send(&datagram);
    true
}

pub(crate) fn server_frame(socket: &mut StampedSocket, epoch: u64, frame: ServerTime) {
    let mut buffer = [0; 2 * wire::SIZE];
    while let Received::Datagram(come) = socket.receive(&mut buffer) {
        if let Some(answer) = answer(&buffer[..come.length], epoch, [frame; 2]) {
            let _ = socket.send_to(&answer, come.from);
        }
    }
}

/// Returns `None` if `bytes` is not a request.
pub(crate) fn answer(bytes: &[u8], epoch: u64, [arrived, now]: [ServerTime; 2]) -> Option<wire::Datagram> {
    let request = wire::decode_request(bytes).ok()?;
    wire::encode_reply(&Responder::new(epoch).respond(&request, arrived, now).ok()?).ok()
}
