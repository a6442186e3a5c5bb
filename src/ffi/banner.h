/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * Usage
 *
 * The application passes local times and received messages to the library, and sends the messages
 * that the library returns. The library opens no socket and starts no thread, except for the links
 * in netclock_link.h. In every frame, a client calls:
 *
 *     netclock_local_time now = netclock_monotonic_now();
 *     netclock_server_time server_time;
 *     netclock_request request = {.struct_size = sizeof request};
 *     netclock_reply reply = {.struct_size = sizeof reply};
 *
 *     if (netclock_client_tick(client, now, &request) == NETCLOCK_OK)
 *         ...                           send the request to the server
 *     while (...)                       a reply arrived at local time `arrived`
 *         netclock_client_handle_reply(client, &reply, arrived);
 *     if (netclock_client_current_server_time(client, now, &server_time) == NETCLOCK_OK)
 *         ...                           use the time; any thread may read it
 *
 * For each request that arrives at server time `received`, a server calls:
 *
 *     if (netclock_server_respond(server, &request, received, now, &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * These calls are a complete clock; docs/c-api.md contains whole programs. Each of the following
 * headers includes this one:
 *
 *     netclock_session.h    one protocol per player for world time, UTC, starts and more
 *     netclock_link.h       a separate UDP transport that frames do not delay
 *     netclock_order.h      the order of events, lag compensation, beats
 *     netclock_handover.h   a new server that continues the timescale of another
 *     netclock_peer.h       a shared clock for peers behind a relay
 *     netclock_keys.h       the keys that protect sessions and links against forgery
 *     netclock_saved.h      state for later sessions, logging, recording
 *
 * ------------------------------------------------------------------------------------------------
 * Contract
 *
 * Units      Times and durations are ticks of 100 ns, in int64_t. The type of an instant states its clock,
 *            for example netclock_local_time. Rates are in parts per million.
 *            offset = server time - local time. A positive offset means that the server is ahead.
 * Status     Functions return a netclock_status. 0 is success. A positive status is not an error: it reports
 *            an outcome other than the usual one, and leaves the outputs unchanged unless the function's
 *            comment describes their values. A negative status is an error. Unless its comment states
 *            otherwise, the call has had no effect and has written no output. netclock_last_error() returns
 *            the details.
 * Errors     Comments list the errors that are specific to a function. In addition, functions return
 *            NETCLOCK_NULL_ARGUMENT for a null pointer, unless the comment allows null,
 *            NETCLOCK_UNKNOWN_STRUCT for an invalid struct_size, NETCLOCK_WIRE_LENGTH if the buffer for an
 *            output is too small, NETCLOCK_POISONED if an earlier call on the handle panicked, and
 *            NETCLOCK_PANICKED. A _create function returns NETCLOCK_BAD_CONFIG if a setting is out of range
 *            or both halves of the seed are 0.
 * Ownership  Pass every handle that a _create function returned to the _destroy function of the same type,
 *            exactly once, when no other call uses the handle. A _destroy function accepts null and does
 *            nothing. It returns NETCLOCK_UNKNOWN_HANDLE, without reading the memory, if the pointer is not a
 *            live handle of its type. It cannot detect that the memory now belongs to a different handle. It
 *            returns NETCLOCK_BUSY if it detects that another thread, a callback or a link uses the handle.
 *            Any other use of a destroyed handle is undefined behaviour. The library uses the caller's
 *            pointers only until a call returns, except for callbacks and their user data.
 * Threads    Any thread may call any function. Calls that modify the same handle wait for each other. Calls
 *            that read a client's clock are wait-free: they take a bounded number of steps.
 * Memory     Only _create functions allocate; handles never grow. If an allocation fails, the function
 *            returns NETCLOCK_OUT_OF_MEMORY and creates nothing.
 * Stack      Every call into a packaged library needs at most 8 KiB of stack, plus the stack of callbacks.
 *            Fibres therefore need 16 KiB of stack if the dynamic loader may resolve symbols on them. Your
 *            own release builds need at most 10 KiB.
 * Processes  After fork(), the child may read the clients that it inherited, answer requests with the
 *            servers, and destroy any handle. A handle that another thread of the parent was using is leaked.
 *            Every other call on an inherited handle returns NETCLOCK_FORKED, because a thread that does not
 *            exist in the child may hold the handle's lock, and because the child's random numbers would
 *            repeat the parent's. Create new handles with a new seed. A process created without running the
 *            pthread_atfork handlers (by vfork or a bare clone) must not call the library.
 * Structures Set struct_size to sizeof before the call, if a structure begins with it. In settings, zero in
 *            any other field selects the default. A program therefore works with a library that is newer or
 *            older than its header. netclock_abi_revision() returns the library's revision.
 * Time       Local time is a monotonic clock of your choice, never the wall clock. Every instant passed to
 *            the library must be within +-(2^62 - 1) ticks (14,600 years). Otherwise a function returns
 *            NETCLOCK_TIME_OUT_OF_RANGE for a local time and NETCLOCK_STAMP_OUT_OF_RANGE for any other.
 * Monotone   Readings of a client never go backwards within an epoch: of two consecutive reads, the second
 *            never returns an earlier time if its `now` is not earlier. This holds across all threads, for
 *            any order of calls, after any hitch, and for replies with arbitrarily old timestamps. A `now` in
 *            the future is a forecast. Forecasts of up to 2 s beyond the latest time passed to the client
 *            remain valid; a correction may revise forecasts beyond that. The first sync takes effect at
 *            once, and so does a jump, which an event reports. A jump is forwards within an epoch, or in
 *            either direction at the start of a new epoch.
 *
 * ------------------------------------------------------------------------------------------------
 */
