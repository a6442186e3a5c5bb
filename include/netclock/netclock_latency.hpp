/*
 * NetClock for C++17: changes of the latency, and the speed that hides them. Uses netclock.hpp and
 * follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_LATENCY_HPP
#define NETCLOCK_LATENCY_HPP

#include "netclock/netclock_latency_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

namespace detail {

struct destroy_latency {
    void operator()(netclock_latency* handle) const noexcept
    {
        static_cast<void>(netclock_latency_destroy(handle));
    }
};

} // namespace detail

/** Watches the latency of a client's path. Owns a netclock_latency. */
class latency {
public:
    /** Owns nothing. */
    latency() noexcept = default;

    /** Takes over a handle made by netclock_latency_create. */
    explicit latency(netclock_latency *handle) noexcept : handle_{handle} {}

    /** A watch that knows no exchange yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<latency> create(const latency_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, latency{}};
        }
        const auto chosen = detail::to_c(settings);
        netclock_latency *handle = nullptr;
        const auto code = status{netclock_latency_create(&chosen, &handle)};
        return {code, latency{handle}};
    }

    /** Learns from the newest exchange of the client: call it after each reply. nothing_new is no error. */
    status follow(const client &of) noexcept { return status{netclock_latency_follow(get(), of.get())}; }

    /**
     * Learns from the four stamps of an exchange, the server time shown for its arrival, and the epoch of
     * that reading. nothing_new and outdated are no errors. Errors: stamp_out_of_range, out_of_range,
     * time_went_backwards.
     */
    status learn(local_time client_sent, server_time server_received, server_time server_sent,
                 local_time client_received, server_time shown, std::uint32_t epoch) noexcept
    {
        return status{netclock_latency_learn(
            get(), detail::count(client_sent), detail::count(server_received), detail::count(server_sent),
            detail::count(client_received), detail::count(shown), epoch)};
    }

    /** Takes the next change. no_change is no error. */
    [[nodiscard]] result<latency_change> next_change() noexcept
    {
        auto found = detail::sized<netclock_latency_change>();
        const auto code = status{netclock_latency_next_change(get(), &found)};
        return {code, detail::from_c(found)};
    }

    /** The present delays. no_messages, if nothing was learnt yet, is no error. */
    [[nodiscard]] result<latency_levels> levels() const noexcept
    {
        auto known = detail::sized<netclock_latency_levels>();
        const auto code = status{netclock_latency_read(get(), &known)};
        return {code, detail::from_c(known)};
    }

    /** The speed at which the local avatar should play in the frame at `now`. Errors: time_out_of_range. */
    [[nodiscard]] result<latency_speed> speed(local_time now) noexcept
    {
        auto present = detail::sized<netclock_latency_speed>();
        const auto code = status{netclock_latency_read_speed(get(), detail::count(now), &present)};
        return {code, detail::from_c(present)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] netclock_latency *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_latency *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_latency, detail::destroy_latency> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_LATENCY_HPP */
