// A plain server clock as a game might implement it, for a single thread and without a rate or a bound.
//
// It works like the clock of a shipped game. It keeps the exchange with the smallest round trip and shows
// that server time plus the elapsed time. To remove the difference from the previously shown time, it runs a
// third faster or slower than real time. Times are ticks of 100 ns.

#include <cstdint>

namespace {

// Maximum round trip of accepted replies (500 ms in ticks).
constexpr std::int64_t MaxRoundTrip = 5000000;

// The fraction of real time by which the clock runs fast or slow while it removes a difference.
constexpr double Approach = 0.33;

class ServerTimeSynchronizer {
public:
    bool UpdateServerTime(std::int64_t serverTime, std::int64_t currentTime, std::int64_t roundTrip) {
        if (roundTrip > MaxRoundTrip || roundTrip > smallestRoundTrip_) {
            return false;
        }
        const std::int64_t estimate = serverTime + roundTrip / 2;
        difference_ = synced_ ? CurrentServerTime(currentTime) - estimate : 0;
        estimate_ = estimate;
        updated_ = currentTime;
        smallestRoundTrip_ = roundTrip;
        synced_ = true;
        return true;
    }

    std::int64_t CurrentServerTime(std::int64_t now) const {
        if (!synced_) {
            return 0;
        }
        const std::int64_t elapsed = now - updated_;
        return estimate_ + elapsed + Correction(elapsed);
    }

    bool IsTimeSynced() const { return synced_; }

private:
    // Remaining difference, positive while the clock is ahead.
    std::int64_t Correction(std::int64_t elapsed) const {
        const auto workedOff = static_cast<std::int64_t>(Approach * static_cast<double>(elapsed));
        if (difference_ > 0) {
            return difference_ > workedOff ? difference_ - workedOff : 0;
        }
        return -difference_ > workedOff ? difference_ + workedOff : 0;
    }

    std::int64_t estimate_ = 0;
    std::int64_t updated_ = 0;
    std::int64_t difference_ = 0;
    std::int64_t smallestRoundTrip_ = MaxRoundTrip;
    bool synced_ = false;
};

}  // namespace

// The interface for the benches. It is compiled separately from its callers, so no call is ever inlined.
extern "C" {

void *original_create() { return new ServerTimeSynchronizer(); }

void original_destroy(void *clock) { delete static_cast<ServerTimeSynchronizer *>(clock); }

bool original_update_server_time(void *clock, std::int64_t serverTime, std::int64_t currentTime,
                                 std::int64_t roundTrip) {
    return static_cast<ServerTimeSynchronizer *>(clock)->UpdateServerTime(serverTime, currentTime, roundTrip);
}

std::int64_t original_current_server_time(const void *clock, std::int64_t now) {
    return static_cast<const ServerTimeSynchronizer *>(clock)->CurrentServerTime(now);
}

bool original_is_time_synced(const void *clock) {
    return static_cast<const ServerTimeSynchronizer *>(clock)->IsTimeSynced();
}

// Measures the cost of the call alone.
std::int64_t original_nothing(const void *, std::int64_t now) { return now; }

}
