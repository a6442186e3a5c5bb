//! Messages under a session key.

use core::ffi::c_void;
use core::slice;

use crate::clock::keyed::{self, Channel, KeyError, SealedChannel, SessionKey};
use crate::clock::{ConfigError, Direction};
use crate::ffi::base::prelude::*;

/// Direction: sent by the client, received by the server.
pub const NETCLOCK_TO_SERVER: i32 = 1;
/// Direction: sent by the server, received by the client.
pub const NETCLOCK_TO_CLIENT: i32 = 2;

/// Bytes that a seal adds to a message.
pub const NETCLOCK_SEAL_OVERHEAD: usize = 32;
/// Longest sealed message, in bytes.
pub const NETCLOCK_SEALED_MOST: usize = 1056;

const _: () =
    assert!(NETCLOCK_SEAL_OVERHEAD == keyed::OVERHEAD && NETCLOCK_SEALED_MOST == keyed::SEALED_MOST);

/// A secret of 128 bits that a client and its server share for one connection, and the number by which the
/// server finds it. Draw both halves of the secret from the operating system. Give them to the client over a
/// channel that nobody else can read: anyone who has the key can forge both sides.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NetclockSessionKey {
    /// The secret: its first eight bytes, the first one highest. Not both halves may be zero.
    pub secret_high: u64,
    /// Its last eight bytes.
    pub secret_low: u64,
    /// The number by which the server finds the key. It is no secret; each session has another one.
    pub id: u32,
    /// How often this side made a link, or a sealed channel, with this key before. All that is sealed is
    /// refused as a replay until the number is right; any number that grows will do. Zero for a server.
    pub restarts: u32,
}

/// The key that a caller gives.
///
/// # Safety
/// `key` is null or points to a key.
pub(crate) unsafe fn key_in(key: *const NetclockSessionKey) -> Outcome<SessionKey> {
    // SAFETY: the caller's promise.
    let NetclockSessionKey { secret_high, secret_low, id, restarts } = unsafe { copy_in(key, "key")? };
    Ok(SessionKey::new(id, seed(secret_high, secret_low).to_be_bytes())?.after_restarts(restarts))
}

/// A key, for the caller.
#[cfg(feature = "session")]
pub(crate) fn key_out(key: &SessionKey) -> NetclockSessionKey {
    let secret = u128::from_be_bytes(*key.secret());
    NetclockSessionKey {
        secret_high: (secret >> 64) as u64,
        secret_low: secret as u64,
        id: key.id(),
        restarts: 0,
    }
}

/// A direction as C names it.
pub(crate) fn to_direction(direction: i32) -> Outcome<Direction> {
    match direction {
        NETCLOCK_TO_SERVER => Ok(Direction::ToServer),
        NETCLOCK_TO_CLIENT => Ok(Direction::ToClient),
        other => {
            let (field, value, unit) = ("direction", f64::from(other), "");
            let error = ConfigError { field, value, min: 1.0, max: 2.0, unit };
            Err(Failure::from_error(NETCLOCK_OUT_OF_RANGE, error))
        }
    }
}

/// One end of the channel for a game's messages under a session key. Opaque. It has 1 KiB at most. Calls on
/// it wait for each other.
///
/// It numbers what it seals, and opens each message once: the other end's newest 256 in any order, none that
/// is older. So make one for each connection, with a key of its own. A server has
/// `netclock_session_keys_create` for the channels of all its clients.
pub struct NetclockSealedChannel(Owned<SealedChannel>);

owned! { NetclockSealedChannel(SealedChannel): "netclock_sealed_channel", "channel" }

/// Creates the end of a channel that sends in `direction` and stores it in `*channel`. Give it back to
/// `netclock_sealed_channel_destroy`. A client sends in `NETCLOCK_TO_SERVER`, and a server in
/// `NETCLOCK_TO_CLIENT`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the key,
/// `NETCLOCK_OUT_OF_RANGE` for another direction, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_sealed_channel_create(
    key: *const NetclockSessionKey,
    direction: i32,
    channel: *mut *mut NetclockSealedChannel,
) -> NetclockStatus {
    create!(netclock_sealed_channel_create, channel, {
        Ok(SealedChannel::new(&key_in(key)?, Channel::Messages, to_direction(direction)?))
    })
}

/// Destroys a channel, as `netclock_session_keys_destroy` session keys. Its keys are overwritten. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_sealed_channel_destroy(
    channel: *mut NetclockSealedChannel,
) -> NetclockStatus {
    destroy!(netclock_sealed_channel_destroy, channel)
}

/// Seals a message of `length` bytes (1 to 1024): any of NetClock's, as it is. Writes `length` +
/// `NETCLOCK_SEAL_OVERHEAD` bytes to where there is room for `capacity`, not overlapping the message. Send
/// those in its place, once: seal a message that you repeat again. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_WIRE_LENGTH` for another length or too little room, `NETCLOCK_FULL` (no number is left),
/// `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_sealed_channel_seal(
    channel: *mut NetclockSealedChannel,
    message: *const c_void,
    length: usize,
    sealed: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_sealed_channel_seal, channel, |channel| {
        channel.seal(
            bytes_in(message, length, "message", keyed::MESSAGE_MOST, KeyError::Length)?,
            sealed_out(sealed, capacity)?,
        )?;
        Ok(())
    })
}

/// Opens a datagram of `length` bytes that came from the other end. The message begins at `*message` in it,
/// and is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the datagram, and answer nothing.
/// Errors: `NETCLOCK_NOT_SEALED` (a message without a seal, which a side that has a key must not use),
/// `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`,
/// `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`, `NETCLOCK_WIRE_NEWER`,
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_sealed_channel_open(
    channel: *mut NetclockSealedChannel,
    sealed: *const c_void,
    length: usize,
    message: *mut *const c_void,
) -> NetclockStatus {
    change!(netclock_sealed_channel_open, channel, |channel| {
        writable(message, "message")?;
        let opened =
            channel.open(bytes_in(sealed, length, "sealed", keyed::SEALED_MOST, KeyError::Length)?)?;
        copy_out(message, "message", opened.as_ptr().cast())
    })
}

/// Where a sealed message goes.
///
/// # Safety
/// `sealed` is null or has room for `capacity` bytes that nobody else uses, for as long as the result is
/// used.
pub(crate) unsafe fn sealed_out<'a>(sealed: *mut c_void, capacity: usize) -> Outcome<&'a mut [u8]> {
    let sealed = writable(sealed, "sealed")?;
    // SAFETY: not null, and there is room for as much; any bytes are valid.
    Ok(unsafe { slice::from_raw_parts_mut(sealed.cast(), capacity.min(keyed::SEALED_MOST)) })
}
