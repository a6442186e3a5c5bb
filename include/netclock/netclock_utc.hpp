/*
 * NetClock for C++17: the server's UTC, for daily resets and dated events.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thin layer over netclock_utc.h. Uses netclock.hpp and follows its conventions. Calls on one handle wait
 * for each other.
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

/** Says what UTC the zero of the server's clock is. Owns a netclock_utc_publisher. */
class utc_publisher : public owned<netclock_utc_publisher, netclock_utc_publisher_destroy> {
public:
    using owned::owned;

    /** `server_epoch` as in the server's replies. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<utc_publisher> create(std::uint64_t server_epoch,
                                                      const utc_publisher_config &settings = {}) noexcept
    {
        return detail::create<utc_publisher>(netclock_utc_publisher_create, settings, server_epoch);
    }

    /**
     * Observes that at server time `at` the machine's UTC was `utc`, within `bound` of true UTC. Leave
     * `bound` empty if nobody states it. Call it about once a second. True: send the claim to every client.
     * nothing_due is no error.
     */
    [[nodiscard]] result<utc_claim> observe(server_time at, utc_time utc, std::optional<ticks> bound) noexcept
    {
        return detail::ask<utc_claim>(
            netclock_utc_publisher_observe, *this, at, utc, detail::count(bound, NETCLOCK_UNBOUNDED));
    }

    /** The newest claim, for clients that join. no_utc: nothing was observed. */
    [[nodiscard]] result<utc_claim> newest() const noexcept
    {
        return detail::ask<utc_claim>(netclock_utc_publisher_newest, *this);
    }

    /** The reply to a client's request of `size` bytes. no_utc: nothing was observed, send nothing. Errors:
     * wire_... */
    [[nodiscard]] result<utc_datagram> respond(const void *request, std::size_t size) const noexcept
    {
        return detail::fill<utc_datagram>(netclock_utc_publisher_respond, *this, request, size);
    }
};

/** What a client knows of its server's UTC. Owns a netclock_server_utc. Any thread may read. */
class server_utc : public owned<netclock_server_utc, netclock_server_utc_destroy> {
public:
    using owned::owned;

    /** A view that knows nothing. Draw `from` from the operating system. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<server_utc> create(seed from) noexcept
    {
        return detail::create<server_utc>(netclock_server_utc_create, from.high, from.low);
    }

    /**
     * Adopts a claim that came over a transport that nobody else can write to. The value says how far UTC
     * jumps, 0 for the first claim. same_utc is no error. Errors: utc_outdated, utc_conflict, utc_leap,
     * utc_out_of_range, out_of_range, stamp_out_of_range.
     */
    [[nodiscard]] result<ticks> insert(const utc_claim &arrived) noexcept
    {
        return detail::ask<ticks>(netclock_server_utc_insert, *this, arrived);
    }

    /** A request for the server's claim, if one is due. `server_epoch` is that of the client's reading.
     * nothing_due is no error. */
    [[nodiscard]] result<utc_datagram> request(local_time now, std::uint64_t server_epoch) noexcept
    {
        return detail::fill<utc_datagram>(netclock_server_utc_request, *this, now, server_epoch);
    }

    /** Adopts the claim of a reply of `size` bytes, if it answers a request of this view. Errors: wire_...,
     * unknown_request. */
    [[nodiscard]] result<ticks> handle_reply(const void *data, std::size_t size, local_time arrived) noexcept
    {
        return detail::ask<ticks>(netclock_server_utc_handle_reply, *this, data, size, arrived);
    }

    /** UTC at `now`, which is what client::read gave. not_synced, no_utc: it is unknown. */
    [[nodiscard]] result<utc_reading> read(const reading &now) const noexcept
    {
        return detail::ask<utc_reading>(netclock_server_utc_read, *this, now);
    }

    /** The server time at which UTC is `utc`, by the newest claim. Ask again when that changes. no_utc: it is
     * unknown. */
    [[nodiscard]] result<server_time> server_time_at(std::uint64_t server_epoch, utc_time utc) const noexcept
    {
        return detail::ask<server_time>(netclock_server_utc_server_time_at, *this, server_epoch, utc);
    }
};

} // namespace netclock

#endif /* NETCLOCK_UTC_HPP */
