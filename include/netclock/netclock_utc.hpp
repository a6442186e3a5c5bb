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

namespace detail {

struct destroy_utc {
    void operator()(netclock_utc_publisher *it) const noexcept
    {
        static_cast<void>(netclock_utc_publisher_destroy(it));
    }
    void operator()(netclock_server_utc* it) const noexcept
    {
        static_cast<void>(netclock_server_utc_destroy(it));
    }
};

} // namespace detail

/** Reads the machine's UTC and netclock_monotonic_now() as one. no_utc, on a system without UTC, is no
 * error. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    std::int64_t uncertainty = 0;
    const auto code = status{netclock_utc_now(&local, &utc, &uncertainty)};
    return {code,
        utc_sample{
            detail::from_count<local_time>(local), detail::from_count<utc_time>(utc), ticks{uncertainty}}};
}

/** Says what UTC the zero of the server's clock is. Owns a netclock_utc_publisher. */
class utc_publisher {
public:
    /** Owns nothing. */
    utc_publisher() noexcept = default;

    /** Takes over a handle made by netclock_utc_publisher_create. */
    explicit utc_publisher(netclock_utc_publisher *handle) noexcept : handle_{handle} {}

    /** `server_epoch` as in the server's replies. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<utc_publisher> create(std::uint64_t server_epoch,
                                                      const utc_publisher_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, utc_publisher{}};
        }
        const auto chosen = detail::to_c(settings);
        netclock_utc_publisher *handle = nullptr;
        const auto code = status{netclock_utc_publisher_create(&chosen, server_epoch, &handle)};
        return {code, utc_publisher{handle}};
    }

    /**
     * Observes that at server time `at` the machine's UTC was `utc`, within `bound` of true UTC. Leave
     * `bound` empty if nobody states it. Call it about once a second. True: send the claim to every client.
     * nothing_due is no error.
     */
    [[nodiscard]] result<utc_claim> observe(server_time at, utc_time utc, std::optional<ticks> bound) noexcept
    {
        auto due = detail::sized<netclock_utc_claim>();
        const auto code = status{netclock_utc_publisher_observe(
            get(), detail::count(at), detail::count(utc), detail::count(bound, NETCLOCK_UNBOUNDED), &due)};
        return {code, detail::from_c(due)};
    }

    /** The newest claim, for clients that join. no_utc: nothing was observed. */
    [[nodiscard]] result<utc_claim> newest() const noexcept
    {
        auto newest = detail::sized<netclock_utc_claim>();
        const auto code = status{netclock_utc_publisher_newest(get(), &newest)};
        return {code, detail::from_c(newest)};
    }

    /** The reply to a client's request of `size` bytes. no_utc: nothing was observed, send nothing. Errors:
     * wire_... */
    [[nodiscard]] result<utc_datagram> respond(const void *request, std::size_t size) const noexcept
    {
        utc_datagram reply{};
        const auto code =
            status{netclock_utc_publisher_respond(get(), request, size, reply.data(), reply.size())};
        return {code, reply};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] netclock_utc_publisher *get() const noexcept { return handle_.get(); }

private:
    std::unique_ptr<netclock_utc_publisher, detail::destroy_utc> handle_;
};

/** What a client knows of its server's UTC. Owns a netclock_server_utc. Any thread may read. */
class server_utc {
public:
    /** Owns nothing. */
    server_utc() noexcept = default;

    /** Takes over a handle made by netclock_server_utc_create. */
    explicit server_utc(netclock_server_utc *handle) noexcept : handle_{handle} {}

    /** A view that knows nothing. Draw `from` from the operating system. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<server_utc> create(seed from) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, server_utc{}};
        }
        netclock_server_utc *handle = nullptr;
        const auto code = status{netclock_server_utc_create(from.high, from.low, &handle)};
        return {code, server_utc{handle}};
    }

    /**
     * Adopts a claim that came over a transport that nobody else can write to. The value says how far UTC
     * jumps, 0 for the first claim. same_utc is no error. Errors: utc_outdated, utc_conflict, utc_leap,
     * utc_out_of_range, out_of_range, stamp_out_of_range.
     */
    [[nodiscard]] result<ticks> insert(const utc_claim &arrived) noexcept
    {
        const netclock_utc_claim travelled = detail::to_c(arrived);
        std::int64_t jump = 0;
        const auto code = status{netclock_server_utc_insert(get(), &travelled, &jump)};
        return {code, ticks{jump}};
    }

    /** A request for the server's claim, if one is due. `server_epoch` is that of the client's reading.
     * nothing_due is no error. */
    [[nodiscard]] result<utc_datagram> request(local_time now, std::uint64_t server_epoch) noexcept
    {
        utc_datagram due{};
        const auto code = status{
            netclock_server_utc_request(get(), detail::count(now), server_epoch, due.data(), due.size())};
        return {code, due};
    }

    /** Adopts the claim of a reply of `size` bytes, if it answers a request of this view. Errors: wire_...,
     * unknown_request. */
    [[nodiscard]] result<ticks> handle_reply(const void *data, std::size_t size, local_time arrived) noexcept
    {
        std::int64_t jump = 0;
        const auto code =
            status{netclock_server_utc_handle_reply(get(), data, size, detail::count(arrived), &jump)};
        return {code, ticks{jump}};
    }

    /** UTC at `now`, which is what client::read gave. not_synced, no_utc: it is unknown. */
    [[nodiscard]] result<utc_reading> read(const reading &now) const noexcept
    {
        const netclock_reading clock = detail::to_c(now);
        auto shown = detail::sized<netclock_utc_reading>();
        const auto code = status{netclock_server_utc_read(get(), &clock, &shown)};
        return {code, detail::from_c(shown)};
    }

    /** The server time at which UTC is `utc`, by the newest claim. Ask again when that changes. no_utc: it is
     * unknown. */
    [[nodiscard]] result<server_time> server_time_at(std::uint64_t server_epoch, utc_time utc) const noexcept
    {
        std::int64_t at = 0;
        const auto code =
            status{netclock_server_utc_server_time_at(get(), server_epoch, detail::count(utc), &at)};
        return {code, detail::from_count<server_time>(at)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] netclock_server_utc *get() const noexcept { return handle_.get(); }

private:
    std::unique_ptr<netclock_server_utc, detail::destroy_utc> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_UTC_HPP */
