//! The keys of a server's sessions.

use core::ffi::c_void;

use crate::clock::keyed::{Channel, KeyError, MESSAGE_MOST, SEALED_MOST};
use crate::clock::{KeyCounts, SessionKeys, SessionKeysConfig};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in, sealed_out};

/// Settings of session keys. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockSessionKeysConfig {
    /// `sizeof(netclock_session_keys_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Most sessions at a time; memory for them is taken at creation. (1 to 65536, default 64)
    pub capacity: u32,
    /// Answers a second to each session. As many may be given at once. (1 to 10000, default 100)
    pub answers: u32,
}

growable! { NetclockSessionKeysConfig: 12 }

settings! { |config: NetclockSessionKeysConfig| SessionKeysConfig { capacity, answers } }

/// What became of the messages that came to a server with session keys. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockSessionKeyCounts {
    /// `sizeof(netclock_session_key_counts)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// Opened: made by a holder of the key.
    pub opened: u64,
    /// Refused: without a seal, or no sealed message to a server.
    pub malformed: u64,
    /// Refused: sealed with a key that is not known here.
    pub unknown_key: u64,
    /// Refused: the tag was wrong.
    pub forged: u64,
    /// Refused: came before, or was too old to know.
    pub replayed: u64,
    /// Requests that were not to be answered, because the session had used up its budget.
    pub over_budget: u64,
}

growable! { NetclockSessionKeyCounts: 56 }

to_c! { |counts: KeyCounts| NetclockSessionKeyCounts {
    opened, malformed, unknown_key, forged, replayed, over_budget
} }

/// The keys of a server's sessions, for a game's messages. Opaque. They have 10 KiB at most for 64 sessions,
/// and never grow. Calls on them wait for each other.
///
/// For every datagram: open it. If the message is a request, ask `netclock_session_keys_allow` whether it may
/// be answered, and seal the answer. Send it to the address that the request came from, and to no other.
pub struct NetclockSessionKeys(Owned<SessionKeys>);

owned! { NetclockSessionKeys(SessionKeys): "netclock_session_keys", "keys" }

/// Creates a set of session keys and stores it in `*keys`. Give it back to `netclock_session_keys_destroy`.
/// It has no key yet, so it refuses every datagram. `config` may be null for all defaults. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_create(
    config: *const NetclockSessionKeysConfig,
    keys: *mut *mut NetclockSessionKeys,
) -> NetclockStatus {
    create!(netclock_session_keys_create, keys, {
        Ok(SessionKeys::new(Channel::Messages, optional(config, "config")?.to_config())?)
    })
}

/// Destroys session keys. Null is allowed and does nothing. No other call may be using them, and none may
/// follow. Errors: `NETCLOCK_UNKNOWN_HANDLE` if they are no live session keys, which is found out without
/// looking at what is there; `NETCLOCK_BUSY` if another thread is seen to use them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_destroy(keys: *mut NetclockSessionKeys) -> NetclockStatus {
    destroy!(netclock_session_keys_destroy, keys)
}

/// Opens messages sealed with `*key` from now on. Admit no key a second time: what was sealed with it before
/// would be opened again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` (the secret is zero),
/// `NETCLOCK_DUPLICATE` (its id is in use), `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_admit(
    keys: *mut NetclockSessionKeys,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_session_keys_admit, keys, |keys| { Ok(keys.admit(&key_in(key)?)?) })
}

/// Forgets the key `id`: its messages are refused from now on. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_revoke(
    keys: *mut NetclockSessionKeys,
    id: u32,
) -> NetclockStatus {
    change!(netclock_session_keys_revoke, keys, |keys| Ok(keys.revoke(id)?))
}

/// Opens a datagram of `length` bytes from a client, once. `*id` is that of its key. The message begins at
/// `*message` in the datagram, and is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the
/// datagram, and answer nothing. Refusals are counted, except a length that no sealed message has. Errors:
/// `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
/// `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`,
/// `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_open(
    keys: *mut NetclockSessionKeys,
    sealed: *const c_void,
    length: usize,
    id: *mut u32,
    message: *mut *const c_void,
) -> NetclockStatus {
    change!(netclock_session_keys_open, keys, |keys| {
        writable(id, "id")?;
        writable(message, "message")?;
        let (from, opened) = keys.open(bytes_in(sealed, length, "sealed", SEALED_MOST, KeyError::Length)?)?;
        copy_out(id, "id", from)?;
        copy_out(message, "message", opened.as_ptr().cast())
    })
}

/// Whether a request that was opened with the key `id` at server time `now` (ticks) may be answered:
/// `NETCLOCK_OK` if so. It spends one answer of the session's budget. Errors: `NETCLOCK_ENOUGH_ANSWERS`,
/// `NETCLOCK_UNKNOWN_KEY` (do not answer), `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_allow(
    keys: *mut NetclockSessionKeys,
    id: u32,
    now: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_session_keys_allow, keys, |keys| Ok(keys.allow(id, other_time(now)?)?))
}

/// Seals a message of `length` bytes to the client with the key `id`, as `netclock_sealed_channel_seal` does.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_FULL`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_seal(
    keys: *mut NetclockSessionKeys,
    id: u32,
    message: *const c_void,
    length: usize,
    sealed: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_session_keys_seal, keys, |keys| {
        keys.seal(
            id,
            bytes_in(message, length, "message", MESSAGE_MOST, KeyError::Length)?,
            sealed_out(sealed, capacity)?,
        )?;
        Ok(())
    })
}

/// What became of the messages so far, into `*counts`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_session_keys_counts(
    keys: *const NetclockSessionKeys,
    counts: *mut NetclockSessionKeyCounts,
) -> NetclockStatus {
    change!(netclock_session_keys_counts, keys, |keys| { grow_out(counts, "counts", keys.counts()) })
}
