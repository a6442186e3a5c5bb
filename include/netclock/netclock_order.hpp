/*
 * NetClock for C++17: which of two events came first, what a client saw when it acted, how far ahead to
 * predict. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Uses netclock.hpp and follows its conventions; netclock_order.h describes each call.
 */

#ifndef NETCLOCK_ORDER_HPP
#define NETCLOCK_ORDER_HPP

#include "netclock/netclock_order_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** The time of an event. A client makes it from a reading; the server from its time alone, which has no
 * error. */
struct order_stamp {
    server_time time{};
    /** Hard bound of the error. Empty if there is none. */
    std::optional<ticks> error_bound = ticks{};
    /** Expected error, one standard deviation. Empty if not known. */
    std::optional<ticks> expected_error = ticks{};

    order_stamp() noexcept = default;
    explicit order_stamp(server_time exact) noexcept : time{exact} {}
    order_stamp(server_time when, std::optional<ticks> bound, std::optional<ticks> expected) noexcept
        : time{when}, error_bound{bound}, expected_error{expected}
    {
    }
    explicit order_stamp(const reading &taken) noexcept
        : order_stamp{taken.time, taken.error_bound, taken.expected_error}
    {}
};

/** Whose clocks made two stamps. */
enum class clocks : std::int32_t {
    /** Of two clients, or of a client and the server. */
    independent = 0,
    /** Both of one client within one epoch of its readings, or both of the server: the error is the same. */
    same = 1
};

namespace detail {

inline netclock_order_stamp to_c(const order_stamp &from) noexcept
{
    netclock_order_stamp to{};
    to.time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    return to;
}

} // namespace detail

/**
 * Which of two events came first. A verdict that is not proven needs at least the probability `confidence`:
 * 0.5 decides everything except ties, 1 accepts only proof. Errors: stamp_out_of_range, out_of_range.
 */
[[nodiscard]] inline result<order_verdict> arbitrate(
    const order_stamp& first, const order_stamp& second, clocks made_by, double confidence) noexcept
{
    return detail::ask<order_verdict>(netclock_arbitrate, first, second, made_by, confidence);
}

/**
 * The instant that a client saw when it acted. It claims that this was at `claimed`, in a message that
 * arrived at `arrived`. Errors: stamp_out_of_range, out_of_range.
 */
[[nodiscard]] inline result<rewind_result> rewind(server_time claimed, server_time arrived,
                                                  const rewind_path &known) noexcept
{
    return detail::ask<rewind_result>(netclock_rewind, claimed, arrived, known);
}

/** Learns from messages how long they take, and says how far ahead to predict. Owns a netclock_lead. */
class lead : public owned<netclock_lead, netclock_lead_destroy> {
public:
    using owned::owned;

    /** A lead that knows no message yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<lead> create(const lead_config &settings = {}) noexcept
    {
        return detail::create<lead>(netclock_lead_create, settings);
    }

    /**
     * A message leaves for the server at `at`, when the clock reads `now`. Only the first call with a number
     * counts, until there is another one. Errors: stamp_out_of_range.
     */
    status note_sent(std::uint64_t message, local_time at, const reading &now) noexcept
    {
        return detail::call(netclock_lead_note_sent, *this, message, at, now);
    }

    /** The server reports that a message arrived at `at`. outdated (it does not count) is no error. */
    status note_arrived(std::uint64_t message, server_time at) noexcept
    {
        return detail::call(netclock_lead_note_arrived, *this, message, at);
    }

    /**
     * A message that the server stamped `sent` arrives at `at`, when the clock reads `now`. outdated (the
     * epoch has ended) is no error.
     */
    status note_received(server_time sent, local_time at, const reading &now) noexcept
    {
        return detail::call(netclock_lead_note_received, *this, sent, at, now);
    }

    /** A message that leaves at `at` is handled before the server's clock reads this. no_messages is no
     * error. */
    [[nodiscard]] result<server_time> handled_by(local_time at) const noexcept
    {
        std::int64_t time = 0;
        const auto code = detail::call(netclock_lead_suggest, *this, at, &time, nullptr);
        return {code, server_time{ticks{time}}};
    }

    /** Show others at `at` as they were at this time of the server. no_messages is no error. */
    [[nodiscard]] result<server_time> showable(local_time at) const noexcept
    {
        return detail::ask<server_time>(netclock_lead_suggest, *this, at, nullptr);
    }
};

} // namespace netclock

#endif /* NETCLOCK_ORDER_HPP */
