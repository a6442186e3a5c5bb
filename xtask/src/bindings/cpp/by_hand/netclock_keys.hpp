@ begin
/** Bytes that a seal adds to a message. */
inline constexpr std::size_t seal_overhead = NETCLOCK_SEAL_OVERHEAD;

/** Longest sealed message, in bytes. */
inline constexpr std::size_t sealed_most = NETCLOCK_SEALED_MOST;

/** Bytes of a message that was opened: part of the datagram, and valid as long as that. */
struct opened {
    const void *data = nullptr;
    std::size_t size = 0;
};

/** A message that a server opened, and the id of its key. */
struct opened_by_server {
    std::uint32_t id = 0;
    opened message{};
};

@ netclock_sealed_channel_seal
    [[nodiscard]] result<std::size_t> seal(const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_sealed_channel_seal, *this, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

@ netclock_sealed_channel_open
    [[nodiscard]] result<opened> open(const void *sealed, std::size_t length) noexcept
    {
        const auto message = detail::ask<const void *>(netclock_sealed_channel_open, *this, sealed, length);
        return {message.code(), message ? opened{*message, length - seal_overhead} : opened{}};
    }

@ netclock_session_keys_open
    [[nodiscard]] result<opened_by_server> open(const void *sealed, std::size_t length) noexcept
    {
        opened_by_server to;
        const auto code =
            detail::call(netclock_session_keys_open, *this, sealed, length, &to.id, &to.message.data);
        to.message.size = code == status::ok ? length - seal_overhead : 0;
        return {code, to};
    }

@ netclock_session_keys_seal
    [[nodiscard]] result<std::size_t> seal(std::uint32_t id, const void* message, std::size_t length,
        void* sealed, std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_session_keys_seal, *this, id, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }
