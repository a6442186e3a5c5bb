/* Shared by the C++ programs in this directory: short names, a check that ends the program, and a
   reproducible delay. */
#ifndef NETCLOCK_TESTS_CHECK_HPP
#define NETCLOCK_TESTS_CHECK_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "netclock/netclock.hpp"

using namespace std::chrono_literals;
using netclock::local_time;
using netclock::server_time;
using netclock::status;
using netclock::ticks;

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);  \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (false)

/* Delays of 25 ms plus up to 8 ms of jitter, identical in every run. */
class delays {
public:
    ticks next()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return 25ms + ticks{static_cast<std::int64_t>(state_ % 80000)};
    }

private:
    std::uint64_t state_ = 20261120;
};

#endif
