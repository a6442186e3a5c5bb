/*
 * NetClock for C++17: the server's UTC.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_utc.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_UTC_HPP
#define NETCLOCK_UTC_HPP

#include "netclock/netclock_utc_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** A request for a claim, or its reply, as a datagram. */
using utc_datagram = std::array<std::byte, NETCLOCK_UTC_DATAGRAM_SIZE>;

/** The machine's UTC and its local time at one instant; see netclock_utc_now. */
struct utc_sample {
    local_time local{};
    utc_time utc{};
    /** How far the two instants may be apart. Add it to the bound of the machine's source of time. */
    ticks uncertainty{};

    /** `local` on a server whose time is netclock_monotonic_now(). */
    [[nodiscard]] constexpr server_time on_server() const noexcept
    {
        return server_time{local.time_since_epoch()};
    }
};

/** Reads the machine's UTC and netclock_monotonic_now() as one. no_utc, on a system without UTC, is no
 * error. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}

/**
 * Says what UTC the zero of the server's clock is. Calls on it wait for each other. Owns a
 * netclock_utc_publisher.
 */
class utc_publisher : public owned<netclock_utc_publisher, netclock_utc_publisher_destroy> {
public:
    using owned::owned;

    /**
     * Creates a publisher of UTC that has observed nothing. `server_epoch` names the run of the server's
     * clock as its replies do. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<utc_publisher> create(
        std::uint64_t server_epoch, const utc_publisher_config &settings = {}) noexcept
    {
        return detail::create<utc_publisher>(netclock_utc_publisher_create, settings, server_epoch);
    }

    /**
     * Observes that at server time `at` the machine's UTC was `utc`, within `error_bound` of true UTC. Empty:
     * nobody states a bound. Above 429 s counts as that too. Call it about once a second; utc_now reads both
     * clocks. ok: the last claim does not hold any more, so send the new one to every client. There is at
     * most one claim a second. nothing_due: there is none. Errors: stamp_out_of_range, utc_out_of_range,
     * out_of_range for a negative bound, time_went_backwards.
     */
    [[nodiscard]] result<utc_claim> observe(server_time at, utc_time utc, std::optional<ticks> bound) noexcept
    {
        return detail::ask<utc_claim>(
            netclock_utc_publisher_observe, *this, at, utc, detail::count(bound, NETCLOCK_UNBOUNDED));
    }

    /** The newest claim. Send it to clients that join. no_utc: nothing was observed. */
    [[nodiscard]] result<utc_claim> newest() const noexcept
    {
        return detail::ask<utc_claim>(netclock_utc_publisher_newest, *this);
    }

    /**
     * The server's reply to a client's request of `length` bytes (server_utc::request): a datagram with the
     * newest claim. It is as long as the request. no_utc: nothing was observed, send nothing. Errors: one of
     * wire_*.
     */
    [[nodiscard]] result<utc_datagram> respond(const void *request, std::size_t length) const noexcept
    {
        return detail::fill<utc_datagram>(netclock_utc_publisher_respond, *this, request, length);
    }
};

/**
 * What a client knows of its server's UTC. Calls on it wait for each other. They take less than a
 * microsecond, so any thread may read. Owns a netclock_server_utc.
 */
class server_utc : public owned<netclock_server_utc, netclock_server_utc_destroy> {
public:
    using owned::owned;

    /**
     * Creates a view that knows nothing. `random` makes request ids unguessable: draw it from the operating
     * system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<server_utc> create(const seed &random) noexcept
    {
        return detail::create<server_utc>(netclock_server_utc_create, random.high, random.low);
    }

    /**
     * Adopts a claim that came over a transport that nobody else can write to, such as an engine's
     * replication. Claims may come in any order: the newest version of a server epoch counts. The result says
     * how far UTC jumps (positive: forwards; 0 for the first claim of a server epoch). same_utc: it was
     * known. Errors: stamp_out_of_range, utc_out_of_range, out_of_range (bound or drift), utc_outdated,
     * utc_conflict, utc_leap.
     */
    [[nodiscard]] result<ticks> insert(const utc_claim &claim) noexcept
    {
        return detail::ask<ticks>(netclock_server_utc_insert, *this, claim);
    }

    /**
     * Makes a request for the server's claim at local time `now`, as a datagram. Call it every frame after
     * client::tick, once the clock is synced and if your servers answer such requests. `server_epoch` is that
     * of the client's reading. A request about a server epoch is due at once, then ever less often until
     * there is an answer, then every 16 s. nothing_due: there is none. Errors: time_out_of_range.
     */
    [[nodiscard]] result<utc_datagram> request(local_time now, std::uint64_t server_epoch) noexcept
    {
        return detail::fill<utc_datagram>(netclock_server_utc_request, *this, now, server_epoch);
    }

    /**
     * Handles the server's reply of `length` bytes that arrived at local time `arrived`. If it answers a
     * request of this view, it adopts the claim, as server_utc::insert, but whatever its version: the reply
     * is what the server says now. Each request is answered once. Errors: one of wire_*, unknown_request,
     * time_out_of_range.
     */
    [[nodiscard]] result<ticks> handle_reply(
        const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::ask<ticks>(netclock_server_utc_handle_reply, *this, data, length, arrived);
    }

    /**
     * UTC at `now`. `now` is what client::read gave, or a reading that you make from another clock of the
     * server's real time: only `time`, `error_bound`, `server_epoch` and whether its `state` is
     * clock_state::unsynced are used. UTC may jump, either way, when the claim changes. not_synced, no_utc:
     * there is none. Callable from any thread. Errors: stamp_out_of_range, utc_out_of_range.
     */
    [[nodiscard]] result<utc_reading> read(const reading &now) const noexcept
    {
        return detail::ask<utc_reading>(netclock_server_utc_read, *this, now);
    }

    /**
     * The server time at which UTC is `utc`, by the newest claim about this run of the server's clock. Wait
     * for that server time, and ask again when the claim changes. no_utc: there is none. Callable from any
     * thread. Errors: utc_out_of_range, stamp_out_of_range.
     */
    [[nodiscard]] result<server_time> server_time_at(std::uint64_t server_epoch, utc_time utc) const noexcept
    {
        return detail::ask<server_time>(netclock_server_utc_server_time_at, *this, server_epoch, utc);
    }
};

} // namespace netclock

#endif /* NETCLOCK_UTC_HPP */
