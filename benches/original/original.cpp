// A plain server clock as a game might implement it. It is single-threaded, and it estimates neither a rate
// nor an error bound.
//
// Like the clock of a shipped game, it keeps the exchange with the smallest round trip and extrapolates the
// server time from it. If this estimate differs from the displayed time, the clock runs a third faster or
// slower than real time until they agree. Times are in ticks of 100 ns.

#include <cstdint>

// Replies whose round trips are longer than this are ignored (500 ms in ticks).
constexpr std::int64_t MaxRoundTrip = 5000000;

// The fraction of real time by which the clock speeds up or slows down to remove a difference.
constexpr double Approach = 0.33;

// `Original` in lib.rs has the same members.
struct ServerTimeSynchronizer {
    std::int64_t estimate;
    std::int64_t updated;
    std::int64_t difference;
    std::int64_t smallestRoundTrip;
    bool synced;

    bool UpdateServerTime(std::int64_t serverTime, std::int64_t currentTime, std::int64_t roundTrip) {
        if (roundTrip > (synced ? smallestRoundTrip : MaxRoundTrip)) {
            return false;
        }
        const std::int64_t updatedEstimate = serverTime + roundTrip / 2;
        difference = synced ? CurrentServerTime(currentTime) - updatedEstimate : 0;
        estimate = updatedEstimate;
        updated = currentTime;
        smallestRoundTrip = roundTrip;
        synced = true;
        return true;
    }

    std::int64_t CurrentServerTime(std::int64_t now) const {
        if (!synced) {
            return 0;
        }
        const std::int64_t elapsed = now - updated;
        return estimate + elapsed + Correction(elapsed);
    }

    // Returns the remaining difference, which is positive if the clock is ahead.
    std::int64_t Correction(std::int64_t elapsed) const {
        const auto workedOff = static_cast<std::int64_t>(Approach * static_cast<double>(elapsed));
        if (difference > 0) {
            return difference > workedOff ? difference - workedOff : 0;
        }
        return -difference > workedOff ? difference + workedOff : 0;
    }
};

// The benches call these functions. These functions are compiled separately, so they cannot be inlined.
extern "C" {

bool original_update_server_time(ServerTimeSynchronizer *clock, std::int64_t serverTime,
                                 std::int64_t currentTime, std::int64_t roundTrip) {
    return clock->UpdateServerTime(serverTime, currentTime, roundTrip);
}

std::int64_t original_current_server_time(const ServerTimeSynchronizer *clock, std::int64_t now) {
    return clock->CurrentServerTime(now);
}

// Used to measure the cost of a call.
std::int64_t original_nothing(const ServerTimeSynchronizer *, std::int64_t now) { return now; }

}
