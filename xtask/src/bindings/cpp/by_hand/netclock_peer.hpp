@ about
 * A relay assigns slots in games to peers and forwards their messages. All peers in a game share the clock of
 * one peer, the primary. Send the messages as datagrams, or one after another over byte streams.

@ begin
/** A message between a relay and a peer. */
using peer_datagram = std::array<std::byte, NETCLOCK_PEER_DATAGRAM_SIZE>;

/** A message from a relay, and the connection of its peer. */
struct relay_message {
    std::uint64_t connection = 0;
    peer_datagram bytes{};
};

@ netclock_relay_next_message
    [[nodiscard]] result<relay_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        const auto next =
            detail::fill<peer_datagram>(netclock_relay_next_message, *this, now, &connection);
        return {next.code(), {connection, next.value_or({})}};
    }
