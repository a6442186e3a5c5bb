/* Namespace aliases and a CHECK macro for the C++ programs in this directory. */
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

#endif
