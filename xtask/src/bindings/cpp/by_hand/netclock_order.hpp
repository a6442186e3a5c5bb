@ about
 * order_stamp has the time of an event and its error.

@ begin
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

@ netclock_arbitrate
[[nodiscard]] inline result<order_verdict> arbitrate(
    const order_stamp &first, const order_stamp &second, clocks made_by, double confidence) noexcept
{
    return detail::ask<order_verdict>(netclock_arbitrate, first, second, made_by, confidence);
}

@ netclock_lead_suggest
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
