@ begin
/** What a session leaves to later ones. */
struct saved {
    /** About this machine's crystal: keep one for the machine. */
    saved_state machine{};
    /** About the server and the route to it: keep one for each, under its address or name. */
    saved_state server{};
};

/** Which of the saved states a client began with. */
struct used_states {
    bool machine = false;
    bool server = false;
};

@ netclock_rate_hint
/** What the system knows of the rate of local_clock and of server_clock::now_on_server():
 * netclock_rate_hint. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_rate_hint(&hint.ppm, &hint.doubt_ppm);
    return hint;
}

@ netclock_boot_id
[[nodiscard]] inline std::uint64_t boot_id() noexcept { return netclock_boot_id(); }

@ netclock_client_used_saved
/** Which of the saved states in its settings a client began with. */
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}

@ netclock_client_save
/** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some
 * seconds long. */
[[nodiscard]] inline result<saved> save(client &clock, std::int64_t seconds) noexcept
{
    saved states;
    const auto code = detail::call(netclock_client_save, clock, seconds, states.machine.data(),
                                   states.server.data(), states.machine.size());
    return {code, states};
}
