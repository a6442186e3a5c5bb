/* Time units, a CHECK macro and a small random number generator for the programs in this directory. */
#ifndef NETCLOCK_TESTS_CHECK_H
#define NETCLOCK_TESTS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "netclock/netclock.h"

#define MILLISECOND INT64_C(10000)
#define SECOND (1000 * MILLISECOND)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: failed: %s\nlast error: %s\n", __FILE__, __LINE__, #condition,           \
                netclock_last_error());                                                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
