/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * How to use it
 *
 * The library opens no socket, starts no thread and reads no clock. You pass in the time and what
 * arrived, and send what it gives you. Of the whole header three functions are enough for a clock:
 *
 *     netclock_request request;
 *     netclock_reply reply;
 *     int64_t server_time;
 *
 *     (client: every frame, with a monotonic local time)
 *     if (netclock_client_tick(client, netclock_monotonic_now(), &request) == NETCLOCK_OK) {
 *         send_to_server(&request, sizeof request);
 *     }
 *     (client: a reply arrived)
 *     netclock_client_handle_reply(client, &reply, netclock_monotonic_now());
 *     (client: whenever the time is needed, on any thread)
 *     netclock_client_current_server_time(client, netclock_monotonic_now(), &server_time);
 *
 *     (server: a request arrived at `received`)
 *     netclock_server_respond(server, &request, received, netclock_monotonic_now(), &reply);
 *
 * If that is all you need, read the chapters "Basics", "Messages" and the first page of "The clock".
 * docs/c-api.md has whole programs.
 *
 * ------------------------------------------------------------------------------------------------
 * The contract
 *
 * Units      All times and durations are ticks of 100 ns, in int64_t. Rates are parts per million.
 *            offset = server time - local time; positive: the server is ahead.
 * Errors     A call returns a status. 0 is success. A positive status is no error: it says why there
 *            is no result. A negative status is an error, and the call changed nothing, unless its
 *            comment says otherwise. netclock_last_error() says what exactly was wrong. Every call
 *            with a handle may return NETCLOCK_POISONED, and every call NETCLOCK_PANICKED.
 * Ownership  What a _create gives, you give back to the _destroy of the same kind, once. Destroying
 *            null does nothing. Destroying a pointer that is no live handle of the kind is refused with
 *            NETCLOCK_UNKNOWN_HANDLE, without a look at its memory. A handle in use is refused with
 *            NETCLOCK_BUSY, as far as that is seen. No other call may use a handle that is being
 *            destroyed, and none may follow. Pointers that you pass are used until the call returns
 *            and not kept, except callbacks and their user data.
 * Threads    Every call may come from any thread. Calls that change one handle wait for each other.
 *            Calls that read a client's clock never wait: they take a bounded number of steps.
 * Memory     Only _create allocates. No handle grows later.
 * Structures If a structure begins with struct_size, set it to the size of the structure before the
 *            call. Zero in any other field means the default. So a program works with a library that
 *            is older or newer than its header.
 * Time       Local time is a monotonic clock of your choice, never the wall clock. The time that a
 *            client shows never goes backwards, except at a jump that is declared: by an event,
 *            and by another epoch in readings.
 *
 * ------------------------------------------------------------------------------------------------
 */
