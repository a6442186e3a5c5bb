/* The version macros agree with one another and can be used by the preprocessor. */

#include "netclock/netclock.h"

#include <stdio.h>
#include <string.h>

#if NETCLOCK_VERSION_MAJOR < 0 || NETCLOCK_VERSION_MINOR < 0 || NETCLOCK_VERSION_PATCH < 0
#error "a version is made of natural numbers"
#endif

int main(void) {
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", NETCLOCK_VERSION_MAJOR, NETCLOCK_VERSION_MINOR,
             NETCLOCK_VERSION_PATCH);
    /* A pre-release tag may follow. */
    if (strncmp(NETCLOCK_VERSION_STRING, expected, strlen(expected)) != 0) {
        fprintf(stderr, "NETCLOCK_VERSION_STRING is %s, the numbers say %s\n",
                NETCLOCK_VERSION_STRING, expected);
        return 1;
    }
    return 0;
}
