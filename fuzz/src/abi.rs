//! Calls the C ABI like a C program that passes arbitrary arguments to any function. The program may break
//! any rule except those about memory. Pointers are null or valid, handles are not used after they are
//! destroyed, and no stated size exceeds its buffer. Several handles exist at the same time, and callbacks
//! call the library.
//!
//! Run this target under AddressSanitizer to detect accesses outside the stated sizes.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;

use arbitrary::{Result, Unstructured};

use netclock::c::*;

use crate::input::{instant, repeat};
use crate::status::{OK, UNKNOWN_HANDLE, judge, on_tap};
use memory::Memory;

mod memory;

const CALLS: usize = 300;
const ALIVE: usize = 3;

/// Interprets the input bytes as a sequence of calls.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let mut program = Program::default();
    let used_up = repeat(input, CALLS, |input| program.call(input));
    program.end();
    used_up
}

#[derive(Default)]
struct Program {
    clients: Vec<*mut c_void>,
    servers: Vec<*mut c_void>,
    request: [u64; 3],
    reply: [u64; 5],
    now: i64,
}

impl Program {
    fn call(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let status = match input.arbitrary::<u8>()? % 17 {
            0 => self.create_client(input),
            1 => self.create_server(input),
            2 => self.destroy(input),
            3..=5 => self.ask(input),
            6 => self.respond(input),
            7..=8 => self.handle_reply(input),
            9 => self.exchange(input),
            10 => self.update(input),
            11 => self.next_event(input),
            12..=13 => self.read(input),
            14 => self.look(input),
            15 => self.listen(input),
            _ => self.datagram(input),
        };
        judge(status?);
        Ok(())
    }

    fn end(&mut self) {
        for client in self.clients.drain(..) {
            // SAFETY: the handle is alive until this call.
            assert_eq!(unsafe { netclock_client_destroy(client) }, OK);
        }
        for server in self.servers.drain(..) {
            // SAFETY: the handle is alive until this call.
            assert_eq!(unsafe { netclock_server_destroy(server) }, OK);
        }
    }

    fn client(&self, input: &mut Unstructured<'_>) -> Result<*mut c_void> {
        let null = self.clients.is_empty() || input.ratio(1, 32)?;
        if null { Ok(ptr::null_mut()) } else { Ok(*input.choose(&self.clients)?) }
    }

    fn time(&mut self, input: &mut Unstructured<'_>) -> Result<i64> {
        let time = instant(input, self.now)?;
        // Use an absurd time for one call only, so that later calls still get sensible times.
        if time.abs_diff(self.now) < 1 << 40 {
            self.now = time;
        }
        Ok(time)
    }

    fn create_client(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let mut config = if input.ratio(1, 2)? { Memory::null() } else { Memory::config(input)? };
        let (high, low): (u64, u64) = (input.arbitrary()?, input.arbitrary()?);
        let mut client = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut client };
        if self.clients.len() == ALIVE {
            return self.destroy(input);
        }
        let mut used = 0;
        // SAFETY: the configuration is null or has the stated size, and `out` is null or writable.
        let status = unsafe { netclock_client_create(config.pointer(), high, low, out) };
        if !client.is_null() {
            // SAFETY: the client is alive, and `used` is writable.
            judge(unsafe { netclock_client_used_saved(client, &raw mut used) });
        }
        assert_eq!(used, 0, "no input can guess a checksum");
        assert_eq!(status == OK, !client.is_null());
        self.clients.extend((!client.is_null()).then_some(client));
        Ok(status)
    }

    fn create_server(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        if self.servers.len() == ALIVE {
            self.servers.rotate_left(1);
        }
        let mut server = ptr::null_mut();
        let out = if input.ratio(1, 32)? { ptr::null_mut() } else { &raw mut server };
        // SAFETY: `out` is null or writable.
        let status = unsafe { netclock_server_create(u64::from(input.arbitrary::<u8>()? / 64), out) };
        assert_eq!(status == OK, !server.is_null());
        self.servers.extend((!server.is_null()).then_some(server));
        if self.servers.len() > ALIVE {
            let oldest = self.servers.remove(0);
            // SAFETY: the handle is alive until this call.
            assert_eq!(unsafe { netclock_server_destroy(oldest) }, OK);
        }
        Ok(status)
    }

    /// The argument may be null, a live or destroyed handle, a handle of another kind, or any address.
    fn destroy(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let any: usize = input.arbitrary()?;
        let alive = |address: usize| self.clients.iter().chain(&self.servers).any(|it| it.addr() == address);
        // SAFETY: a live handle is destroyed once and then unused. The library does not dereference any other
        // address.
        unsafe {
            assert_eq!(netclock_client_destroy(ptr::null_mut()), OK);
            assert_eq!(netclock_server_destroy(ptr::null_mut()), OK);
            if any != 0 && !alive(any) {
                assert_eq!(netclock_client_destroy(ptr::without_provenance_mut(any)), UNKNOWN_HANDLE);
                assert_eq!(netclock_server_destroy(ptr::without_provenance_mut(any)), UNKNOWN_HANDLE);
            }
            if let Some(&server) = self.servers.first() {
                assert_eq!(netclock_client_destroy(server), UNKNOWN_HANDLE);
            }
            if !self.clients.is_empty() {
                let client = self.clients.swap_remove(any % self.clients.len());
                assert_eq!(netclock_server_destroy(client), UNKNOWN_HANDLE);
                assert_eq!(netclock_client_destroy(client), OK);
                assert_eq!(netclock_client_destroy(client), UNKNOWN_HANDLE);
            }
        }
        Ok(OK)
    }

    fn ask(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (client, now) = (self.client(input)?, self.time(input)?);
        let mut request = Memory::of_size(input, size_of_val(&self.request))?;
        // SAFETY: the client is null or alive, and the structure is null or has the stated size.
        let status = unsafe {
            if input.ratio(1, 4)? {
                netclock_client_make_request(client, now, request.pointer())
            } else {
                netclock_client_tick(client, now, request.pointer())
            }
        };
        request.keeps_its_size();
        if status == OK {
            // The structure may be longer than the library's, but the library must have written all fields
            // that it knows.
            self.request = [0, 1, 2].map(|i| request.eight_bytes(i));
            self.request[0] = size_of_val(&self.request) as u64;
        } else {
            let tail = 1..request.length() / 8;
            assert!(tail.into_iter().all(|i| request.eight_bytes(i) == 0), "written despite {status}");
        }
        Ok(status)
    }

    fn respond(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let server = self.servers.last().copied().unwrap_or(ptr::null_mut());
        let request = if input.ratio(1, 32)? { ptr::null() } else { self.request.as_ptr().cast() };
        let received = self.time(input)?;
        let sent = if input.arbitrary()? { received } else { instant(input, received)? };
        self.reply[0] = size_of_val(&self.reply) as u64;
        let before = self.reply;
        let reply = if input.ratio(1, 32)? { ptr::null_mut() } else { self.reply.as_mut_ptr().cast() };
        // SAFETY: the server is null or alive, and each pointer is null or points to a whole structure.
        let status = unsafe { netclock_server_respond(server, request, received, sent, reply) };
        if status == OK {
            assert_eq!(self.reply[1], self.request[1], "the reply is to a different request");
            assert_eq!([self.reply[3], self.reply[4]], [received, sent].map(|at| at as u64), "other stamps");
        } else {
            assert_eq!(self.reply, before, "written despite {status}");
        }
        Ok(status)
    }

    fn handle_reply(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let client = self.client(input)?;
        if input.ratio(1, 4)? {
            // A reply has a size, an id, an epoch and timestamps. The id is usually that of the last request.
            let received = instant(input, self.now)?;
            let id = if input.arbitrary()? { self.request[1] } else { input.arbitrary()? };
            let size = if input.ratio(1, 32)? { input.arbitrary()? } else { size_of_val(&self.reply) as u64 };
            // The lower half of the size field never exceeds the actual size, and the upper half is reserved.
            let size = (size & !0xFFFF_FFFF) | (size & 0xFFFF_FFFF).min(40);
            self.reply = [size, id, input.arbitrary()?, received as u64, instant(input, received)? as u64];
        }
        let arrived = self.time(input)?;
        let reply = if input.ratio(1, 32)? { ptr::null() } else { self.reply.as_ptr().cast() };
        // SAFETY: the client is null or alive, and the reply is null or readable.
        Ok(unsafe { netclock_client_handle_reply(client, reply, arrived) })
    }

    fn exchange(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let client = self.client(input)?;
        let received = self.time(input)?;
        let (server, sent) = (instant(input, received)?, instant(input, received)?);
        let answered = instant(input, server)?;
        let epoch = u64::from(input.arbitrary::<u8>()? / 64);
        let (there, here) = (input.arbitrary()?, input.arbitrary()?);
        // SAFETY: the client is null or alive.
        Ok(unsafe {
            netclock_client_handle_exchange(client, sent, server, answered, received, there, here, epoch)
        })
    }

    fn update(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (client, now) = (self.client(input)?, self.time(input)?);
        let (server, round_trip) = (instant(input, now)?, instant(input, 500_000)?);
        let sent = now.wrapping_sub(round_trip);
        // SAFETY: the client is null or alive.
        Ok(unsafe { netclock_client_handle_exchange(client, sent, server, server, now, 0, 0, 0) })
    }

    fn next_event(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (client, mut event) = (self.client(input)?, Memory::of_size(input, 24)?);
        // SAFETY: the client is null or alive, and the structure is null or has the stated size.
        let status = unsafe { netclock_client_next_event(client, event.pointer()) };
        event.keeps_its_size();
        let tail = 1..event.length() / 8;
        assert!(status == OK || tail.into_iter().all(|i| event.eight_bytes(i) == 0), "written: {status}");
        Ok(status)
    }

    fn read(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (client, now, mut reading) =
            (self.client(input)?, self.time(input)?, Memory::of_size(input, 64)?);
        // SAFETY: the client is null or alive, and the structure is null or has the stated size.
        let status = unsafe { netclock_client_read(client, now, reading.pointer()) };
        reading.keeps_its_size();
        if status == OK {
            assert!((2..5).all(|i| reading.eight_bytes(i) as i64 >= 0));
        }
        Ok(status)
    }

    fn look(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let (client, now) = (self.client(input)?, self.time(input)?);
        let (mut shown, mut local) = (7, 7);
        let mut states = [[0_u8; 32]; 2];
        let [machine, server] = &mut states;
        let (machine, server) = (machine.as_mut_ptr().cast(), server.as_mut_ptr().cast());
        // SAFETY: the client is null or alive, and both buffers have 32 bytes.
        let saved = judge(unsafe { netclock_client_save(client, now, machine, server, 32) });
        assert_ne!(saved, OK, "the buffer is too small");
        assert_eq!(states, [[0; 32]; 2], "a partial state was written");
        // A failed call must write nothing, and a call on an unsynced client must write zero.
        let left = |status| if status > 0 { 0 } else { 7 };
        let out = |it: *mut i64, null: bool| if null { ptr::null_mut() } else { it };
        // SAFETY: the client is null or alive, and the output is null or writable.
        unsafe {
            let status =
                netclock_client_current_server_time(client, now, out(&raw mut shown, input.ratio(1, 32)?));
            judge(status);
            assert!(status == OK || shown == left(status), "{shown} despite {status}");
            let status =
                netclock_client_local_time_at(client, shown, out(&raw mut local, input.ratio(1, 32)?));
            assert!(status == OK || local == left(status), "{local} despite {status}");
            Ok(status)
        }
    }

    fn listen(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let client = self.client(input)?;
        // Stored inputs contain a level and a choice for a callback that no longer exists.
        let _unused: (i32, bool) = (input.arbitrary()?, input.arbitrary()?);
        // SAFETY: the client is null, or alive as long as its callbacks may be called.
        unsafe {
            let tap = if input.arbitrary()? { on_tap as *const c_void } else { ptr::null() };
            Ok(netclock_client_set_tap(client, tap, client))
        }
    }

    fn datagram(&mut self, input: &mut Unstructured<'_>) -> Result<i32> {
        let mut bytes = Memory::bytes(input)?;
        let (at, length) = (bytes.pointer(), bytes.length());
        let (mut request, mut reply) = ([24_u64, 0, 0], [40_u64, 0, 0, 0, 0]);
        // SAFETY: `at` is null or has this length, and the outputs are writable.
        unsafe {
            if judge(netclock_decode_request(at, length, request.as_mut_ptr().cast())) == OK {
                assert_eq!(netclock_encode_request(request.as_ptr().cast(), at, length), OK);
            } else {
                assert_eq!(request, [24, 0, 0], "written by a rejected datagram");
            }
            if judge(netclock_decode_reply(at, length, reply.as_mut_ptr().cast())) == OK {
                assert_eq!(netclock_encode_reply(reply.as_ptr().cast(), at, length), OK);
            } else {
                assert_eq!(reply, [40, 0, 0, 0, 0], "written by a rejected datagram");
            }
            judge(netclock_encode_reply(self.reply.as_ptr().cast(), at, length));
            Ok(netclock_encode_request(self.request.as_ptr().cast(), at, length))
        }
    }
}
