@ begin
/** A datagram of a link. */
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;

@ netclock_link_server_create
    [[nodiscard]] static result<link_server> create(std::uint16_t port, std::uint64_t epoch,
                                                    const link_server_config &settings = {},
                                                    const char *address = nullptr) noexcept
    {
        return detail::create<link_server>(netclock_link_server_create, settings, address, port, epoch);
    }

@ netclock_link_client_due
    [[nodiscard]] result<link_datagram> due(local_time now, local_time *next = nullptr) noexcept
    {
        link_datagram found{};
        std::int64_t at = 0;
        const auto code =
            detail::call(netclock_link_client_due, *this, now, found.data(), found.size(), &at);
        if (next != nullptr && code == status::nothing_due) {
            *next = local_time{ticks{at}};
        }
        return {code, found};
    }

@ netclock_link_client_poll
    /** If the link has no thread, handles the datagrams that have arrived and sends those that are due,
     * without waiting. Call this every frame. */
    status poll() noexcept { return detail::call(netclock_link_client_poll, *this, nullptr); }

    /** Polls the link, and returns its state. */
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_client_poll, *this);
    }

@ netclock_link_server_poll
    /** If the link has no thread, answers the datagrams that have arrived, without waiting. Call this every
     * frame. */
    status poll() noexcept { return detail::call(netclock_link_server_poll, *this, nullptr); }

    /** Polls the link, and returns its state. */
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_server_poll, *this);
    }
