// A plain server clock as a game would write it for itself: one thread, no rate, no bound.
//
// The shape of a shipped one: keep the exchange with the smallest round trip; show its server time plus the
// time since; work off the difference to what was shown before at a third of real time. Times are ticks of
// 100 ns.

#include <cstdint>

namespace {

// Replies that took longer are refused. (ticks, 500 ms)
constexpr std::int64_t MaxRoundTrip = 5000000;

// Part of real time by which the clock runs fast or slow while a difference is worked off.
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
    // What is left of the difference: positive while the clock shows too much.
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

// What the benches see. Compiled apart from its callers, so none of these calls is ever inlined.
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

// The price of the call alone.
std::int64_t original_nothing(const void *, std::int64_t now) { return now; }

}
