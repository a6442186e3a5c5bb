@ netclock_rate_watch_report
    status report(
        local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return detail::call(
            netclock_rate_watch_report, *this, stamped, arrived,
            heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME);
    }
