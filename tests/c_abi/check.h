/* What the C programs of this directory have in common: a check that ends the function with 1. */
#ifndef NETCLOCK_TESTS_CHECK_H
#define NETCLOCK_TESTS_CHECK_H

#include <stdio.h>

#include "netclock/netclock.h"

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, netclock_last_error()); \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#endif
