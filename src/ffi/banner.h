/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * How to use it
 *
 * You pass in the local time and what arrived, and you send what the library gives you. It opens no
 * socket and starts no thread, except in netclock_link.h.
 * On the client, every frame:
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
 *         ...                           use it; any other thread may ask, too
 *
 * On the server, when a request arrives at server time `received`:
 *
 *     if (netclock_server_respond(server, &request, received, now, &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * That is a whole clock; docs/c-api.md has whole programs. Other headers include this one:
 *
 *     netclock_session.h    world time, UTC, starts and more, in one conversation with each player
 *     netclock_link.h       datagrams of NetClock's own beside the game's messages
 *     netclock_order.h      which event came first, what a client saw, beats
 *     netclock_handover.h   a new server takes a timescale over
 *     netclock_peer.h       one clock for peers behind a relay
 *     netclock_keys.h       messages that others cannot forge
 *     netclock_saved.h      what the next session begins with, and what is logged and recorded
 *
 * ------------------------------------------------------------------------------------------------
 * The contract
 *
 * Units      All times and durations are ticks of 100 ns, in int64_t. The name of an instant's type says
 *            which clock reads it, as netclock_local_time does. Rates are parts per million.
 *            offset = server time - local time; positive: the server is ahead.
 * Errors     A call returns a status. 0 is success. A positive status is no error: the call worked, and the
 *            status says what came of it other than the usual result. Its outputs are unchanged, unless the
 *            call's comment says what they are then. A negative status is an error, and the call changed
 *            nothing, unless its comment says otherwise. netclock_last_error() says what exactly was wrong.
 *            Every call with a handle may return NETCLOCK_POISONED, and every call NETCLOCK_PANICKED.
 * Ownership  Give what a _create gave you back to the _destroy of the same kind, once. Destroying null does
 *            nothing. If a pointer is no live handle of that kind, _destroy refuses it with
 *            NETCLOCK_UNKNOWN_HANDLE and does not look at its memory. If it sees that the handle is in use,
 *            it refuses with NETCLOCK_BUSY. Use no handle while or after it is destroyed. The library uses
 *            your pointers until the call returns. It keeps only callbacks and their user data.
 * Threads    Every call may come from any thread. Calls that change one handle wait for each other. Calls
 *            that read a client's clock never wait: they take a bounded number of steps.
 * Memory     Only _create allocates. No handle grows later. If memory is missing, _create returns
 *            NETCLOCK_OUT_OF_MEMORY and nothing was created.
 * Stack      Every call of a packed library needs at most 8 KiB of stack, callbacks not included. So fibres
 *            need 16 KiB, if the dynamic loader is to look functions up on them. A release build of your own
 *            needs at most 10 KiB.
 * Processes  After fork() the child may read the clients it inherited and answer with the servers, and
 *            destroy any handle. Every other call on an inherited handle returns NETCLOCK_FORKED: its lock
 *            may be held by a thread that the child does not have, and its random numbers are the parent's.
 *            Create new handles with a new seed. A process made without the handlers of pthread_atfork
 *            (vfork, a bare clone) must call nothing.
 * Structures If a structure begins with struct_size, set that to sizeof before the call. In settings, zero in
 *            any other field means the default. In this way a program works with a library that is newer or
 *            older than its header. NETCLOCK_ABI_REVISION tells how old.
 * Time       Local time is a monotonic clock of your choice, never the wall clock. Every instant that a call
 *            takes is within +-(2^62 - 1) ticks, which is 14,600 years. Others are refused: a local time with
 *            NETCLOCK_TIME_OUT_OF_RANGE, any other with NETCLOCK_STAMP_OUT_OF_RANGE.
 * Monotone   Readings of one client never go backwards within an epoch: of two reads, one after the other,
 *            the one whose `now` is not earlier never gives an earlier time. This holds on all threads
 *            together, for every order of calls, for any hitch, and however old the stamps of replies are. A
 *            `now` in the future is a forecast. What was read up to 2 s ahead of the latest time that the
 *            client was told stays as it was read. A correction may take back what was read further ahead.
 *            The first sync shows at once. So does a jump, which an event declares: forwards within an epoch,
 *            or either way with another epoch in readings.
 *
 * ------------------------------------------------------------------------------------------------
 */
