@ begin
/** The states that a client saves for later sessions. */
struct saved {
    /** The state of this machine's crystal. Store one such state per machine. */
    saved_state machine{};
    /** The state of the server and the route to it. Store one such state per server, under its address or
     * name. */
    saved_state server{};
};

/** Which of the saved states a client used. */
struct used_states {
    bool machine = false;
    bool server = false;
};

@ netclock_machine_hints
/** Returns what the operating system knows about the rate of local_clock; see netclock_machine_hints. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_machine_hints(&hint.ppm, &hint.doubt_ppm, nullptr);
    return hint;
}

/** Returns an identifier of this machine's current boot, or 0 if unknown. See netclock_machine_hints. */
[[nodiscard]] inline std::uint64_t boot_id() noexcept
{
    std::uint64_t boot = 0;
    netclock_machine_hints(nullptr, nullptr, &boot);
    return boot;
}

@ netclock_client_used_saved
/** Returns which of the saved states in its settings a client used. */
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}

@ netclock_client_save
/** Returns the states to save for later sessions, at the calendar time `seconds`. Returns not_synced until
 * the rate is known, which takes several seconds. */
[[nodiscard]] inline result<saved> save(client &clock, std::int64_t seconds) noexcept
{
    saved states;
    const auto code = detail::call(netclock_client_save, clock, seconds, states.machine.data(),
                                   states.server.data(), states.machine.size());
    return {code, states};
}
