// A plain server clock as a game might write it, for one thread and without a rate or an error bound.
//
// Like the clock of a shipped game, it keeps the exchange with the smallest round trip, and shows that
// exchange's server time plus the elapsed time. If this differs from the time shown before, the clock runs a
// third faster or slower than real time until the difference is gone. Times are ticks of 100 ns.

#include <cstdint>

namespace {

// Replies with longer round trips are ignored (500 ms in ticks).
constexpr std::int64_t MaxRoundTrip = 5000000;

// While it removes a difference, the clock runs fast or slow by this fraction of real time.
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
    // The remaining difference is positive while the clock is ahead.
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

// The benches call these functions. A separate compilation prevents inlining.
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

// Measures only the cost of a call.
std::int64_t original_nothing(const void *, std::int64_t now) { return now; }

}
