// A plain server clock as a game might write it. It supports one thread and has no rate or error bound.
//
// Like a shipped game's clock, it keeps the exchange with the smallest round trip and shows that exchange's
// server time plus the time since. If the result differs from the time shown so far, the clock runs a third
// faster or slower than real time until the difference is gone. Times are in ticks of 100 ns.

#include <cstdint>

namespace {

// Replies whose round trips are longer than this are ignored (500 ms in ticks).
constexpr std::int64_t MaxRoundTrip = 5000000;

// The clock runs faster or slower by this fraction of real time while it removes a difference.
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
    // The remaining difference is positive if the clock is ahead.
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

// The benches call these functions. They are compiled separately, so they cannot be inlined.
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

// The benches use this to measure the cost of a call alone.
std::int64_t original_nothing(const void *, std::int64_t now) { return now; }

}
