/*
 * NetClock for C++17: another server takes a timescale over. Uses netclock.hpp and follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_HANDOVER_HPP
#define NETCLOCK_HANDOVER_HPP

#include "netclock/netclock_handover_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** No participant of an adoption may lie. */
inline constexpr std::uint32_t no_liars = NETCLOCK_NO_LIARS;

namespace detail {

struct destroy_adoption {
    void operator()(netclock_adoption* handle) const noexcept
    {
        static_cast<void>(netclock_adoption_destroy(handle));
    }
};

} // namespace detail

/** Follows `next` from its first reply on, or updates its dispersion. Errors: out_of_range,
 * other_timescale. */
inline status set_authority(client &clock, const authority &next, local_time now) noexcept
{
    const netclock_authority said = detail::to_c(next);
    return status{netclock_client_set_authority(clock.get(), &said, detail::count(now))};
}

/** The authority whose clock the readings at `now` are about. not_synced is no error. */
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    auto known = detail::sized<netclock_authority>();
    const auto code = status{netclock_client_authority(clock.get(), detail::count(now), &known)};
    return {code, detail::from_c(known)};
}

/** Begins a burst of requests at once: call it when you turn to another server. */
inline status begin_burst(client &clock) noexcept { return status{netclock_client_begin_burst(clock.get())}; }

/** The request for the authority to send to the server; call it every frame, after tick. nothing_due is no
 * error. */
[[nodiscard]] inline result<datagram> request_authority(client &clock, local_time now) noexcept
{
    datagram due{};
    const auto code =
        status{netclock_client_request_authority(clock.get(), detail::count(now), due.data(), due.size())};
    return {code, due};
}

/** Handles the server's reply about its authority. Errors: those of set_authority, unknown_request, and those
 * of datagrams. */
inline status handle_authority_reply(
    client& clock, const void* data, std::size_t size, local_time arrived) noexcept
{
    return status{netclock_client_handle_authority_reply(clock.get(), data, size, detail::count(arrived))};
}

/** The answer to a server that adopts the timescale. uncertain is no error: send nothing. */
[[nodiscard]] inline result<datagram> respond_to_adoption(
    const client& clock, const void* data, std::size_t size, local_time now) noexcept
{
    datagram made{};
    const auto code = status{netclock_client_respond_to_adoption(
        clock.get(), data, size, detail::count(now), made.data(), made.size())};
    return {code, made};
}

/** The server's reply to a request for its authority. Errors: those of datagrams. */
[[nodiscard]] inline result<datagram> authority_respond(const authority &stated, const void *data,
                                                             std::size_t size) noexcept
{
    const netclock_authority said = detail::to_c(stated);
    datagram made{};
    const auto code = status{netclock_authority_respond(&said, data, size, made.data(), made.size())};
    return {code, made};
}

/** Adopts a timescale for a new server, from what its clients know. Owns a netclock_adoption. */
class adoption {
public:
    /** Owns nothing. */
    adoption() noexcept = default;

    /** Takes over a handle made by netclock_adoption_create. */
    explicit adoption(netclock_adoption *handle) noexcept : handle_{handle} {}

    /** An adoption that knows nothing yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<adoption> create(const seed &random, const adoption_config &settings) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, adoption{}};
        }
        const auto chosen = detail::to_c(settings);
        netclock_adoption *handle = nullptr;
        const auto code = status{netclock_adoption_create(&chosen, random.high, random.low, &handle)};
        return {code, adoption{handle}};
    }

    /** Adds the new server's own reading, if it was a client. Errors: stamp_out_of_range, no_agreement. */
    status add_own_reading(server_time shown, ticks error_bound, local_time raw) noexcept
    {
        return status{netclock_adoption_add_own_reading(
            get(), detail::count(shown), detail::count(error_bound), detail::count(raw))};
    }

    /** The request to send to a participant in place of a reply. nothing_due is no error. Errors: full. */
    [[nodiscard]] result<datagram> request(std::uint64_t participant, local_time now) noexcept
    {
        datagram due{};
        const auto code = status{
            netclock_adoption_request(get(), participant, detail::count(now), due.data(), due.size())};
        return {code, due};
    }

    /** Handles the reply of a participant. Errors: unknown_participant, unknown_request, liar, too_slow and
     * others. */
    status handle_reply(
        std::uint64_t participant, const void* data, std::size_t size, local_time arrived) noexcept
    {
        return status{netclock_adoption_handle_reply(get(), participant, data, size, detail::count(arrived))};
    }

    /** The timescale on the new server's clock: take it once. too_few is no error. Errors: no_agreement. */
    [[nodiscard]] result<adoption_result> settle(local_time now) const noexcept
    {
        auto made = detail::sized<netclock_adoption_result>();
        const auto code = status{netclock_adoption_settle(get(), detail::count(now), &made)};
        return {code, detail::from_c(made)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] netclock_adoption *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_adoption *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_adoption, detail::destroy_adoption> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_HPP */
