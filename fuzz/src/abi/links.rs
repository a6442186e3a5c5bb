//! Links whose datagrams the caller carries: calls on either end and on the wrong one, with datagrams that are late,
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

const DATAGRAM: usize = 56;
/// `sizeof(netclock_link_config)`, and where its fields are.
const CONFIG_SIZE: usize = 40;
const FLAGS: usize = 4;
const CAPACITY: usize = 8;
const ANSWERS: usize = 12;
const OFFSET: usize = 16;
const INTERVALS: [usize; 2] = [24, 32];
/// `sizeof(netclock_link_report)`.
const REPORT_SIZE: usize = 56;
const CARRIED: u32 = 8;

const NOTHING_DUE: i32 = 1;
const OTHER_END: i32 = -1006;
const NOT_POLLED: i32 = -1007;
const HALF_SECOND: i64 = 5_000_000;

#[derive(Clone, Copy)]
struct Link {
    handle: *mut c_void,
    /// Its client; null for a server's end.
    client: *mut c_void,
}

/// The links of a program, and the datagrams that they wrote.
#[derive(Default)]
pub(super) struct Links {
    servers: Vec<Link>,
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
                3 => self.stop(input)?,
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

    /// Stops all of them.
    pub(super) fn end(&mut self) {
        for link in self.servers.drain(..).chain(self.clients.drain(..)) {
            end(link);
        }
    }

    /// Stops the links of a client that will be destroyed. Until then it cannot be.
    pub(super) fn leave(&mut self, client: *mut c_void) {
        while let Some(at) = self.clients.iter().position(|link| link.client == client) {
            // SAFETY: alive.
            assert_eq!(unsafe { netclock_client_destroy(client) }, BUSY);
            end(self.clients.swap_remove(at));
        }
    }

    fn serve(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        if self.servers.len() == LINKS {
            return self.stop(input);
        }
        let (config, epoch) = (settings(input)?, u64::from(input.arbitrary::<u8>()? / 64));
        let mut handle = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut handle };
        // SAFETY: null or as large as it says; a text, which is no address; null or writable.
        let status = unsafe { netclock_link_serve(config.pointer(), c"nowhere".as_ptr(), 0, epoch, out) };
        assert_eq!(status == OK, !handle.is_null());
        self.servers.extend((status == OK).then_some(Link { handle, client: ptr::null_mut() }));
        Ok(status)
    }

    fn connect(&mut self, input: &mut Unstructured<'_>, clients: &[*mut c_void]) -> Result<i32> {
        if self.clients.len() == LINKS {
            return self.stop(input);
        }
        let null = clients.is_empty() || input.ratio(1, 32)?;
        let client = if null { ptr::null_mut() } else { *input.choose(clients)? };
        let (config, key) = (settings(input)?, key(input)?);
        let mut handle = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut handle };
        // SAFETY: null or alive; null or as large as they have to be; null or writable.
        let status =
            unsafe { netclock_link_connect(config.pointer(), client, ptr::null(), 0, key.pointer(), out) };
        assert_eq!(status == OK, !handle.is_null());
        self.clients.extend((status == OK).then_some(Link { handle, client }));
        Ok(status)
    }

    /// Stops a link, or what is none.
    fn stop(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let any: usize = input.arbitrary()?;
        let ends = if any % 2 == 0 { &mut self.servers } else { &mut self.clients };
        if !ends.is_empty() {
            end(ends.swap_remove(any / 2 % ends.len()));
        }
        // SAFETY: null.
        Ok(unsafe { netclock_link_stop(ptr::null_mut()) })
    }

    fn admit(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (link, is_server) = self.any(input, true)?;
        let key = key(input)?;
        let id = input.arbitrary::<u8>()?;
        // SAFETY: null or alive; null or a key.
        let status = unsafe {
            if id >= 224 {
                netclock_link_revoke(link, u32::from(id % 4))
            } else {
                netclock_link_admit(link, key.pointer())
            }
        };
        assert!(is_server || status != OK);
        Ok(status)
    }

    fn due(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let (link, is_server) = self.any(input, false)?;
        let (now, room) = (advance(input, now)?, Memory::room(input, DATAGRAM)?);
        let mut next = i64::MIN;
        let out = if input.ratio(1, 8)? { ptr::null_mut() } else { &raw mut next };
        // SAFETY: null or alive; null or as large as it says; null or writable.
        let status = unsafe { netclock_link_due(link, now, room.pointer(), room.length(), out) };
        assert!(!is_server || status < OK);
        let tells = status == NOTHING_DUE && !out.is_null();
        assert!(if tells { (now..=now + HALF_SECOND).contains(&next) } else { next == i64::MIN });
        self.keep(status, &room);
        Ok(status)
    }

    fn answer(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let (link, is_server) = self.any(input, true)?;
        let (datagram, room) = (self.datagram(input)?, Memory::room(input, DATAGRAM)?);
        let received = advance(input, now)?;
        let sent = if input.arbitrary()? { received } else { instant(input, received)? };
        let (bytes, length) = (datagram.pointer(), datagram.length());
        // SAFETY: null or alive; null or as large as they say.
        let status = unsafe {
            netclock_link_answer(link, bytes, length, received, sent, room.pointer(), room.length())
        };
        assert!(status <= OK && (is_server || status != OK));
        assert!(status != OK || self.is_sealed(&datagram), "answered what nobody sealed");
        self.keep(status, &room);
        Ok(status)
    }

    fn handle(&mut self, input: &mut Unstructured<'_>, now: &mut i64) -> Result<i32> {
        let (link, is_server) = self.any(input, false)?;
        let (datagram, arrived) = (self.datagram(input)?, advance(input, now)?);
        // SAFETY: null or alive; null or as large as it says.
        let status = unsafe { netclock_link_handle(link, datagram.pointer(), datagram.length(), arrived) };
        assert!(!is_server || status != OK);
        assert!(status != OK || self.is_sealed(&datagram), "took what nobody sealed");
        Ok(status)
    }

    /// The status of a link, and calls that only links with a socket have.
    fn look(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (link, _) = self.any(input, input.len() % 2 == 0)?;
        let (report, mut port) = (Memory::of_size(input, REPORT_SIZE)?, 0);
        // SAFETY: null or alive; null or as large as it says; writable; static.
        unsafe {
            if !link.is_null() {
                assert_eq!(netclock_link_poll(link), NOT_POLLED);
                assert_eq!(netclock_link_port(link, &raw mut port), OTHER_END);
            }
            let status = netclock_link_status(link, report.pointer());
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

    /// A link of this end, sometimes of the other one, or null; and whether it is a server's.
    fn any(&self, input: &mut Unstructured<'_>, wants_server: bool) -> Result<(*mut c_void, bool)> {
        let is_server = wants_server != input.ratio(1, 32)?;
        let ends = if is_server { &self.servers } else { &self.clients };
        let null = ends.is_empty() || input.ratio(1, 32)?;
        let link = if null { ptr::null_mut() } else { input.choose(ends)?.handle };
        Ok((link, is_server && !null))
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

fn end(link: Link) {
    // SAFETY: the link is alive until the first call, and its address is not read by the others.
    unsafe {
        assert_eq!(netclock_client_destroy(link.handle), UNKNOWN_HANDLE);
        assert_eq!(netclock_link_stop(link.handle), OK);
        assert_eq!(netclock_link_stop(link.handle), UNKNOWN_HANDLE);
    }
}

/// Settings of a link that is carried. If they are too short to say so, their address fails.
fn settings(input: &mut Unstructured<'_>) -> Result<Memory> {
    let mut memory = Memory::of_size(input, CONFIG_SIZE)?;
    if memory.length() < CONFIG_SIZE {
        return Ok(memory);
    }
    let flags =
        if input.ratio(1, 32)? { input.arbitrary()? } else { u32::from(input.arbitrary::<u8>()? % 8) };
    memory.put(FLAGS, &(flags | CARRIED).to_ne_bytes());
    if input.ratio(1, 4)? {
        memory.put(CAPACITY, &u32::from(input.arbitrary::<u8>()?).to_ne_bytes());
        memory.put(ANSWERS, &input.arbitrary::<u32>()?.to_ne_bytes());
        memory.put(OFFSET, &any_number(input)?.to_ne_bytes());
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
    let (secret, reserved) = (u64::from(id / 16 != 1) * 7, u64::from(id / 16 == 2));
    let words = [secret, u64::from(id % 2), u64::from(id % 4) | reserved << 32];
    let bytes = words.map(u64::to_ne_bytes);
    Ok(if id / 16 == 3 { Memory::null() } else { Memory::holding(bytes.as_flattened()) })
}
