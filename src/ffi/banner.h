/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * Usage
 *
 * The application passes local times and received messages to the library, and sends the messages that the
 * library returns. The library opens no socket and starts no thread, except for the links in netclock_link.h.
 * Every frame, a client calls:
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
 * For each request, which arrived at server time `received`, a server calls:
 *
 *     if (netclock_server_respond(server, &request, received, now, &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * A clock needs no other calls. docs/c-api.md contains complete programs. Each of the following
 * headers includes this one:
 *
 *     netclock_session.h    world time, UTC, starts and more over the game's connections
 *     netclock_link.h       a separate UDP transport that is not delayed by frames
 *     netclock_order.h      the order of events, lag compensation, beats
 *     netclock_handover.h   a new server that continues another server's timescale
 *     netclock_peer.h       a shared clock for peers behind a relay
 *     netclock_keys.h       the keys that protect sessions and links against forgery
 *     netclock_saved.h      state for later sessions, recording
 *
 * ------------------------------------------------------------------------------------------------
 * Contract
 *
 * Units      Times and durations are int64_t counts of 100 ns ticks. The type of an instant names its clock,
 *            for example netclock_local_time. Rates are in parts per million.
 *            offset = server time - local time. A positive offset means that the server is ahead.
 * Status     Functions return a netclock_status. Zero means success. A positive status is not an error. It
 *            reports an outcome other than success, such as NETCLOCK_NOTHING_DUE, and the outputs are
 *            unchanged unless the function's comment describes their values. A negative status is an error.
 *            Unless the function's comment states otherwise, a call that fails has no effect and writes no
 *            output. netclock_last_error() returns the details.
 * Errors     Each function's comment lists the errors that are specific to it. In addition, functions return
 *            NETCLOCK_NULL_ARGUMENT for a null pointer, unless the comment allows null,
 *            NETCLOCK_UNKNOWN_STRUCT for an invalid struct_size, NETCLOCK_WIRE_LENGTH if the buffer for an
 *            output is too small, NETCLOCK_POISONED if an earlier call on the handle panicked, and
 *            NETCLOCK_PANICKED. A _create function returns NETCLOCK_BAD_CONFIG if a setting is out of range
 *            or both halves of the seed are 0.
 * Ownership  Pass every handle from a _create function to the _destroy function of the same type, exactly
 *            once, when no other call uses the handle. A _destroy function ignores null. For a pointer that
 *            is not a live handle of its type, it returns NETCLOCK_UNKNOWN_HANDLE without reading the memory.
 *            It cannot detect that the memory now belongs to a different handle of its type. It returns
 *            NETCLOCK_BUSY if it detects that another thread, a callback or a link uses the handle. Any other
 *            use of a destroyed handle is undefined behaviour. After a call returns, the library no longer
 *            uses the caller's pointers, except for callbacks and their user data.
 * Threads    Any thread may call any function. Calls that modify the same handle wait for each other. Reading
 *            a client's clock is wait-free, that is, it takes a bounded number of steps.
 * Memory     Only _create functions allocate memory, and handles never grow. If an allocation fails, the
 *            function returns NETCLOCK_OUT_OF_MEMORY and creates nothing.
 * Stack      A call into a packaged library needs at most 8 KiB of stack, plus the stack of callbacks. A
 *            fibre needs 16 KiB if the dynamic loader may resolve symbols on its stack. In your own release
 *            builds, a call needs at most 10 KiB.
 * Processes  After fork(), the child may read inherited clients, answer requests with inherited servers, and
 *            destroy any inherited handle. A handle that another thread of the parent was using is leaked.
 *            Every other call on an inherited handle returns NETCLOCK_FORKED, because a thread that does not
 *            exist in the child may hold the handle's lock, and because the child would draw the same random
 *            numbers as the parent. Create new handles with a new seed. A process created without running the
 *            pthread_atfork handlers (by vfork or a bare clone) must not call the library.
 * Structures If a structure begins with struct_size, set it to sizeof the structure before the call. In
 *            settings, zero in any other field selects the default. A program therefore works with a library
 *            that is newer or older than its header. netclock_abi_revision() returns the library's revision.
 * Time       Local time comes from a monotonic clock of your choice, never from the wall clock. Every instant
 *            passed to the library must be within +-(2^62 - 1) ticks (14,600 years). Otherwise, the function
 *            returns NETCLOCK_TIME_OUT_OF_RANGE for a local time and NETCLOCK_STAMP_OUT_OF_RANGE for any
 *            other instant.
 * Monotone   Readings of a client never go backwards within an epoch. If one read follows another and its
 *            `now` is not earlier, it does not return an earlier time. This holds across all threads, for any
 *            order of calls, after any hitch, and for replies with arbitrarily old timestamps. A reading for
 *            a future `now` is a forecast. Forecasts of up to 2 s beyond the latest time passed to the client
 *            remain valid, but a correction may revise forecasts beyond that. The first sync and every jump
 *            take effect at once, and an event reports them. Jumps are forwards within an epoch, or in either
 *            direction at the start of a new epoch.
 *
 * ------------------------------------------------------------------------------------------------
 */
