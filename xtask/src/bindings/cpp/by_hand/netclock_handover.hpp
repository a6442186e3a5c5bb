@ begin
/** No participant of an adoption may lie. */
inline constexpr std::uint32_t no_liars = NETCLOCK_NO_LIARS;
