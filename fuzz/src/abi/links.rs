//! Links whose datagrams the caller carries: calls on either end, with datagrams that are late,
//! copied, changed, cut and made up. No link with a socket is opened: what that does depends on the machine.

use core::ffi::{CStr, c_void};
use core::ptr;
use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};

use super::calls::*;
use super::judge::judge;
use super::memory::Memory;
use super::{ALIVE, BUSY, OK, UNKNOWN_HANDLE, advance};
use crate::input::{any_number, instant};

/// Calls in one turn.
const CALLS: usize = 16;
/// Links of each end that are alive at once.
const LINKS: usize = ALIVE;
/// Only the newest datagrams are carried.
const CARRIED_AT_ONCE: usize = 6;

const DATAGRAM: usize = 64;
/// `sizeof(netclock_link_server_config)` and `sizeof(netclock_link_client_config)`, and where their fields
/// are.
const SERVER_SIZE: usize = 24;
const CLIENT_SIZE: usize = 32;
const FLAGS: usize = 4;
const CAPACITY: usize = 8;
const ANSWERS: usize = 12;
const SERVER_OFFSET: usize = 16;
const CLIENT_OFFSET: usize = 8;
const INTERVALS: [usize; 2] = [16, 24];
/// `sizeof(netclock_link_report)`.
const REPORT_SIZE: usize = 56;
const CARRIED: u32 = 8;
/// Flags of either end: a server refuses the third one, a client's authority.
const FLAGS_OF_BOTH: u8 = 4;
const FLAGS_OF_CLIENT: u8 = 8;

const NOTHING_DUE: i32 = 1;
const IS_CARRIED: i32 = -1006;
const HALF_SECOND: i64 = 5_000_000;

struct Link {
    handle: *mut c_void,
    /// The client that it feeds.
    client: *mut c_void,
}

/// The links of a program, and the datagrams that they wrote.
#[derive(Default)]
pub(super) struct Links {
    servers: Vec<*mut c_void>,
    clients: Vec<Link>,
    written: Vec<[u8; DATAGRAM]>,
    /// The same, to be found.
    sealed: BTreeSet<[u8; DATAGRAM]>,
}

impl Links {
    /// Some calls, from `now` on. Returns the time after them.
    pub(super) fn turn(
        &mut self,
        input: &mut Unstructured<'_>,
        clients: &[*mut c_void],
        mut now: i64,
    ) -> Result<i64> {
        for _ in 0..input.int_in_range(1..=CALLS)? {
            if input.is_empty() {
                break;
            }
            let status = match input.int_in_range(0..=15)? {
                0 => self.serve(input)?,
                1..=2 => self.connect(input, clients)?,
                3 => self.destroy(input)?,
                4..=5 => self.admit(input)?,
                6..=8 => self.due(input, &mut now)?,
                9..=11 => self.answer(input, &mut now)?,
                12..=14 => self.handle(input, &mut now)?,
                _ => self.look(input)?,
            };
            judge(status);
        }
        Ok(now)
    }

    /// Destroys all of them.
    pub(super) fn end(&mut self) {
        self.servers.drain(..).for_each(end_server);
        self.clients.drain(..).for_each(|link| end_client(link.handle));
    }

    /// Destroys the links of a client that will be destroyed. Until then it cannot be.
    pub(super) fn leave(&mut self, client: *mut c_void) {
        while let Some(at) = self.clients.iter().position(|link| link.client == client) {
            // SAFETY: alive.
            assert_eq!(unsafe { netclock_client_destroy(client) }, BUSY);
            end_client(self.clients.swap_remove(at).handle);
        }
    }

    fn serve(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        if self.servers.len() == LINKS {
            return self.destroy(input);
        }
        let (config, epoch) = (of_server(input)?, u64::from(input.arbitrary::<u8>()? / 64));
        let mut handle = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut handle };
        // SAFETY: null or as large as it says; a text, which is no address; null or writable.
        let status =
            unsafe { netclock_link_server_create(config.pointer(), c"nowhere".as_ptr(), 0, epoch, out) };
        assert_eq!(status == OK, !handle.is_null());
        self.servers.extend((status == OK).then_some(handle));
        Ok(status)
    }

    fn connect(&mut self, input: &mut Unstructured<'_>, clients: &[*mut c_void]) -> Result<i32> {
        if self.clients.len() == LINKS {
            return self.destroy(input);
        }
        let null = clients.is_empty() || input.ratio(1, 32)?;
        let client = if null { ptr::null_mut() } else { *input.choose(clients)? };
        let (config, key) = (of_client(input)?, key(input)?);
        let mut handle = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut handle };
        // SAFETY: null or alive; null or as large as they have to be; null or writable.
        let status = unsafe {
            netclock_link_client_create(config.pointer(), client, ptr::null(), 0, key.pointer(), out)
        };
        assert_eq!(status == OK, !handle.is_null());
        self.clients.extend((status == OK).then_some(Link { handle, client }));
        Ok(status)
    }

    /// Destroys a link, or what is none.
    fn destroy(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let any: usize = input.arbitrary()?;
        if any % 2 == 0 && !self.servers.is_empty() {
            end_server(self.servers.swap_remove(any / 2 % self.servers.len()));
        } else if !self.clients.is_empty() {
            end_client(self.clients.swap_remove(any / 2 % self.clients.len()).handle);
        }
        // SAFETY: null.
        Ok(unsafe {
            netclock_link_server_destroy(ptr::null_mut()) | netclock_link_client_destroy(ptr::null_mut())
        })
    }

    fn admit(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let link = self.server(input)?;
        let key = key(input)?;
        let id = input.arbitrary::<u8>()?;
        // SAFETY: null or alive; null or a key.
        Ok(unsafe {
            if id >= 224 {
                netclock_link_server_revoke(link, u32::from(id % 4))
            } else {
                netclock_link_server_admit(link, key.pointer())
            }
        })
    }

    fn due(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let link = self.client(input)?;
        let (now, room) = (advance(input, now)?, Memory::room(input, DATAGRAM)?);
        let mut next = i64::MIN;
        let out = if input.ratio(1, 8)? { ptr::null_mut() } else { &raw mut next };
        // SAFETY: null or alive; null or as large as it says; null or writable.
        let status = unsafe { netclock_link_client_due(link, now, room.pointer(), room.length(), out) };
        let tells = status == NOTHING_DUE && !out.is_null();
        assert!(if tells { (now..=now + HALF_SECOND).contains(&next) } else { next == i64::MIN });
        self.keep(status, &room);
        Ok(status)
    }

    fn answer(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let link = self.server(input)?;
        let (datagram, room) = (self.datagram(input)?, Memory::room(input, DATAGRAM)?);
        let received = advance(input, now)?;
        let sent = if input.arbitrary()? { received } else { instant(input, received)? };
        let (bytes, length) = (datagram.pointer(), datagram.length());
        // SAFETY: null or alive; null or as large as they say.
        let status = unsafe {
            netclock_link_server_answer(link, bytes, length, received, sent, room.pointer(), room.length())
        };
        assert!(status <= OK);
        assert!(status != OK || self.is_sealed(&datagram), "answered what nobody sealed");
        self.keep(status, &room);
        Ok(status)
    }

    fn handle(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let link = self.client(input)?;
        let (datagram, arrived) = (self.datagram(input)?, advance(input, now)?);
        // SAFETY: null or alive; null or as large as it says.
        let status =
            unsafe { netclock_link_client_handle(link, datagram.pointer(), datagram.length(), arrived) };
        assert!(status != OK || self.is_sealed(&datagram), "took what nobody sealed");
        Ok(status)
    }

    /// The report of a link, and calls that only links with a socket have.
    fn look(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let is_server = input.len() % 2 == 0;
        let link = if is_server { self.server(input)? } else { self.client(input)? };
        let (report, mut port) = (Memory::of_size(input, REPORT_SIZE)?, 0);
        // SAFETY: null or alive; null or as large as it says; writable; static.
        unsafe {
            let status = if is_server {
                if !link.is_null() {
                    assert_eq!(netclock_link_server_poll(link), IS_CARRIED);
                    assert_eq!(netclock_link_server_port(link, &raw mut port), IS_CARRIED);
                }
                netclock_link_server_report(link, report.pointer())
            } else {
                assert!(link.is_null() || netclock_link_client_poll(link) == IS_CARRIED);
                netclock_link_client_report(link, report.pointer())
            };
            report.keeps_its_size();
            let state = report.content().get(4..8).map_or(0, |state| i32::from(state[0]));
            let text = CStr::from_ptr(netclock_link_text(state));
            assert!(
                status != OK || report.length() < 8 || (state > 0 && text != c"unknown"),
                "state {state}"
            );
            Ok(status)
        }
    }

    /// A server's link, or null.
    fn server(&self, input: &mut Unstructured<'_>) -> Result<*mut c_void> {
        let null = self.servers.is_empty() || input.ratio(1, 32)?;
        Ok(if null { ptr::null_mut() } else { *input.choose(&self.servers)? })
    }

    /// A client's link, or null.
    fn client(&self, input: &mut Unstructured<'_>) -> Result<*mut c_void> {
        let null = self.clients.is_empty() || input.ratio(1, 32)?;
        Ok(if null { ptr::null_mut() } else { input.choose(&self.clients)?.handle })
    }

    /// One of the newest datagrams as it was, or changed, or anything.
    fn datagram(&self, input: &mut Unstructured<'_>) -> Result<Memory> {
        let newest = &self.written[self.written.len().saturating_sub(CARRIED_AT_ONCE)..];
        let mut bytes = match (input.int_in_range(0..=15)?, newest.len()) {
            (0, _) => return Ok(Memory::null()),
            (1, _) | (_, 0) => vec![input.arbitrary()?; input.int_in_range(0..=2 * DATAGRAM)?],
            _ => newest[newest.len() - 1 - input.int_in_range(0..=newest.len() - 1)?].to_vec(),
        };
        if input.ratio(1, 8)? {
            if let Ok(at) = input.choose_index(bytes.len()) {
                bytes[at] ^= input.arbitrary::<u8>()?;
            }
        }
        if input.ratio(1, 16)? {
            bytes.resize(input.int_in_range(0..=2 * DATAGRAM)?, 0);
        }
        Ok(Memory::holding(&bytes))
    }

    fn is_sealed(&self, datagram: &Memory) -> bool {
        <[u8; DATAGRAM]>::try_from(datagram.content()).is_ok_and(|bytes| self.sealed.contains(&bytes))
    }

    /// A call succeeded and wrote a datagram into `room`, and no byte more; or it wrote nothing.
    fn keep(&mut self, status: i32, room: &Memory) {
        let (written, rest) = room.content().split_at(if status == OK { DATAGRAM } else { 0 });
        assert!(rest.iter().all(|&byte| byte == 0), "written to in spite of {status}");
        if let Ok(datagram) = written.try_into() {
            self.written.push(datagram);
            self.sealed.insert(datagram);
        }
    }
}

fn end_server(link: *mut c_void) {
    // SAFETY: the link is alive until the second call, and its address is not read by the others.
    unsafe {
        assert_eq!(netclock_link_client_destroy(link), UNKNOWN_HANDLE);
        assert_eq!(netclock_link_server_destroy(link), OK);
        assert_eq!(netclock_link_server_destroy(link), UNKNOWN_HANDLE);
    }
}

fn end_client(link: *mut c_void) {
    // SAFETY: as above.
    unsafe {
        assert_eq!(netclock_client_destroy(link), UNKNOWN_HANDLE);
        assert_eq!(netclock_link_client_destroy(link), OK);
        assert_eq!(netclock_link_client_destroy(link), UNKNOWN_HANDLE);
    }
}

/// Flags of a link that is carried.
fn flags(input: &mut Unstructured<'_>, known: u8) -> Result<[u8; 4]> {
    let flags =
        if input.ratio(1, 32)? { input.arbitrary()? } else { u32::from(input.arbitrary::<u8>()? % known) };
    Ok((flags | CARRIED).to_ne_bytes())
}

/// Settings of a server's link that is carried. If they are too short to say so, their address fails.
fn of_server(input: &mut Unstructured<'_>) -> Result<Memory> {
    let mut memory = Memory::of_size(input, SERVER_SIZE)?;
    if memory.length() < SERVER_SIZE {
        return Ok(memory);
    }
    memory.put(FLAGS, &flags(input, FLAGS_OF_BOTH)?);
    if input.ratio(1, 4)? {
        memory.put(CAPACITY, &u32::from(input.arbitrary::<u8>()?).to_ne_bytes());
        memory.put(ANSWERS, &input.arbitrary::<u32>()?.to_ne_bytes());
        memory.put(SERVER_OFFSET, &any_number(input)?.to_ne_bytes());
    }
    Ok(memory)
}

/// Settings of a client's link that is carried. If they are too short to say so, their host fails.
fn of_client(input: &mut Unstructured<'_>) -> Result<Memory> {
    let mut memory = Memory::of_size(input, CLIENT_SIZE)?;
    if memory.length() < CLIENT_SIZE {
        return Ok(memory);
    }
    memory.put(FLAGS, &flags(input, FLAGS_OF_CLIENT)?);
    if input.ratio(1, 8)? {
        memory.put(CLIENT_OFFSET, &any_number(input)?.to_ne_bytes());
    }
    for at in INTERVALS {
        if input.ratio(1, 8)? {
            memory.put(at, &any_number(input)?.to_ne_bytes());
        }
    }
    Ok(memory)
}

/// One of few keys, so that both ends have the same one; sometimes none.
fn key(input: &mut Unstructured<'_>) -> Result<Memory> {
    let id: u8 = input.arbitrary()?;
    let (secret, restarts) = (u64::from(id / 16 != 1) * 7, u64::from(id / 16 == 2));
    let words = [secret, u64::from(id % 2), u64::from(id % 4) | restarts << 32];
    let bytes = words.map(u64::to_ne_bytes);
    Ok(if id / 16 == 3 { Memory::null() } else { Memory::holding(bytes.as_flattened()) })
}
