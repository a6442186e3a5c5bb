//! Passes any bytes to the decoder. If the decoder accepts a datagram, encoding the result must yield the
//! same bytes.

use arbitrary::{Result, Unstructured};
use netclock::{LocalTime, Reply, Request, RequestId, ServerTime, Span, wire};

use crate::input::{any_number, instant, wait};

/// Decodes the input bytes as a datagram, and then interprets them as a message to encode.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let bytes = input.peek_bytes(input.len()).unwrap_or_default();
    read(bytes);
    notice(bytes);
    write(input)
}

/// Each message has exactly one valid encoding, except that requests may also contain a mark and a digest.
/// Everything else must be rejected.
fn read(bytes: &[u8]) {
    let (request, reply) = (wire::decode_request(bytes), wire::decode_reply(bytes));
    assert!(request.is_err() || reply.is_err(), "a datagram is one or the other");
    if let Ok(request) = request {
        assert!(request.client_time.is_valid(), "{request:?}");
        assert!(!request.reliable, "a datagram does not contain its transport: {request:?}");
        let mut written = wire::encode_request(&request).expect("a decoded request can be encoded");
        if wire::is_marked(bytes) {
            wire::mark(&mut written);
        }
        written[24..].copy_from_slice(&bytes[24..]);
        assert_eq!(written, bytes);
    }
    if let Ok(reply) = reply {
        assert!(reply.received.is_valid(), "{reply:?}");
        assert!(reply.sent.is_valid(), "{reply:?}");
        assert!(reply.sent >= reply.received, "sent before the request arrived: {reply:?}");
        assert_eq!(wire::encode_reply(&reply).as_ref().map(|it| &it[..]), Ok(bytes));
    }
}

/// The reply to a request of another version states our version, and must not trigger another reply.
fn notice(bytes: &[u8]) {
    if let Some(notice) = wire::version_notice(bytes) {
        assert!(bytes.len() >= notice.len(), "longer than the request");
        assert_ne!(bytes[2], wire::VERSION, "our own version was rejected");
        assert_eq!(notice[2], wire::VERSION);
        assert!(wire::version_notice(&notice).is_none(), "a notice caused a notice");
        assert!(wire::decode_reply(&notice).is_err(), "a notice was decoded as a reply");
    }
}

fn write(input: &mut Unstructured<'_>) -> Result<()> {
    let (id, epoch) = (RequestId(input.arbitrary()?), input.arbitrary()?);
    let request =
        Request { id, client_time: LocalTime::from_ticks(instant(input, 0)?), reliable: input.arbitrary()? };
    match wire::encode_request(&request) {
        Ok(datagram) => {
            let read = wire::decode_request(&datagram);
            assert_eq!(read, Ok(Request { reliable: false, ..request }));
        }
        Err(_) => assert!(!request.client_time.is_valid()),
    }
    let received = instant(input, 0)?;
    let sent = if input.arbitrary()? {
        received.wrapping_add(any_number(input)?)
    } else {
        instant(input, received)?
    };
    let (received, sent) = (ServerTime::from_ticks(received), ServerTime::from_ticks(sent));
    let wait = wait(input)?;
    let reply = Reply { id, epoch, received, sent, wait };
    let (hold, is_negative) = ((sent - received).ticks(), wait.is_some_and(|wait| wait < Span::ZERO));
    match wire::encode_reply(&reply) {
        Ok(datagram) => {
            let read = wire::decode_reply(&datagram).expect("it was written");
            assert_eq!(Reply { sent, wait, ..read }, reply);
            let rounded = (sent - read.sent).ticks();
            assert!(0 <= rounded && rounded <= hold >> 18, "{reply:?} became {read:?}");
            assert_eq!(read.wait.is_some(), wait.is_some());
        }
        Err(_) => {
            let is_valid = received.is_valid() && sent.is_valid() && !is_negative;
            assert!(!is_valid || hold < 0 || hold > i64::from(u32::MAX), "{reply:?}");
        }
    }
    Ok(())
}
