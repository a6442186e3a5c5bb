/*
 * NetClock for C++17: order, rewinding, prediction.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_order.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * order_stamp has the time of an event and its error.
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
 * Which of two events came first, into `verdict`. `made_by` is clocks::same if both stamps are of one client
 * within one epoch of its readings, or both of the server: then they share their error, and it does not
 * matter. `confidence` is the least probability for a verdict that is not proven. 0.5 decides everything
 * except ties; 1 leaves everything that is not proven too close to call. Callable from any thread. Errors:
 * stamp_out_of_range, out_of_range for a negative error or a confidence out of range.
 */
[[nodiscard]] inline result<order_verdict> arbitrate(
    const order_stamp &first, const order_stamp &second, clocks made_by, double confidence) noexcept
{
    return detail::ask<order_verdict>(netclock_arbitrate, first, second, made_by, confidence);
}

/**
 * The instant that a client saw when it acted. The client claims that it acted at `claimed`, by its reading
 * of the server's time, in a message that the server received at `arrived`. A claim that `path` cannot
 * explain is moved to the nearest one that it can. Callable from any thread. Errors: stamp_out_of_range,
 * out_of_range.
 */
[[nodiscard]] inline result<rewind_result> rewind(
    server_time claimed, server_time arrived, const rewind_path &path) noexcept
{
    return detail::ask<rewind_result>(netclock_rewind, claimed, arrived, path);
}

/**
 * A prediction lead: learns from messages how long they take. Calls on it wait for each other. Owns a
 * netclock_lead.
 */
class lead : public owned<netclock_lead, netclock_lead_destroy> {
public:
    using owned::owned;

    /** Creates a lead that knows no message yet. Errors: abi_mismatch, bad_config, out_of_memory. */
    [[nodiscard]] static result<lead> create(const lead_config &settings = {}) noexcept
    {
        return detail::create<lead>(netclock_lead_create, settings);
    }

    /**
     * Remembers that a message leaves for the server at `at` by the local clock, when the client's clock
     * reads `given`: only its `epoch` and `time` are used. The game numbers its messages: by the input's
     * tick, for example. Only the first call with a number counts until there is another one, so call it each
     * time that the message is sent. The newest 256 messages without a report are remembered. Errors:
     * stamp_out_of_range.
     */
    status note_sent(std::uint64_t message, local_time at, const reading &given) noexcept
    {
        return detail::call(netclock_lead_note_sent, *this, message, at, given);
    }

    /**
     * Learns from the server's report that a message arrived at `at` by the server's clock. Do not report
     * lost messages. When the clock steps, the lead starts to learn again. outdated: not used, because its
     * epoch has ended, it was reported before, or its departure is not remembered. Errors:
     * stamp_out_of_range, out_of_range for a delay more than 60 s from the others.
     */
    status note_arrived(std::uint64_t message, server_time at) noexcept
    {
        return detail::call(netclock_lead_note_arrived, *this, message, at);
    }

    /**
     * Learns from a message of the server, which stamped it `sent`: a state, or a reply of the clock. It
     * arrives at `at` by the local clock, when the client's clock reads `given`. outdated: of an epoch that
     * has ended, not used. Errors: stamp_out_of_range, out_of_range for a delay more than 60 s from the
     * others.
     */
    status note_received(server_time sent, local_time at, const reading &given) noexcept
    {
        return detail::call(netclock_lead_note_received, *this, sent, at, given);
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
