/*
 * The version macros agree with one another and can be used by the preprocessor. Sides of different wire
 * versions say which is older.
 */

#include "netclock/netclock.h"

#include <stdio.h>
#include <string.h>

#if NETCLOCK_VERSION_MAJOR < 0 || NETCLOCK_VERSION_MINOR < 0 || NETCLOCK_VERSION_PATCH < 0
#error "a version is made of natural numbers"
#endif

/* A server of version 1 tells a client of version 2, and what a client of version 1 hears from a server of
   version 2. */
static int wire_versions_differ(void)
{
    unsigned char asked[NETCLOCK_DATAGRAM_SIZE], notice[NETCLOCK_DATAGRAM_SIZE];
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};

    if (netclock_encode_request(&request, asked, sizeof asked) != NETCLOCK_OK ||
        netclock_version_notice(asked, sizeof asked, notice, sizeof notice) != NETCLOCK_NOTHING_DUE)
        return 1;
    asked[2] = 2;
    if (netclock_decode_request(asked, sizeof asked, &request) != NETCLOCK_WIRE_NEWER ||
        netclock_version_notice(asked, sizeof asked, notice, sizeof notice) != NETCLOCK_OK || notice[2] != 1)
        return 1;
    notice[2] = 2;
    if (netclock_decode_reply(notice, sizeof notice, &reply) != NETCLOCK_WIRE_NEWER ||
        !strstr(netclock_last_error(), "this side is older"))
        return 1;
    notice[2] = 0;
    return netclock_decode_reply(notice, sizeof notice, &reply) != NETCLOCK_WIRE_OLDER ||
           !strstr(netclock_last_error(), "the sender is older");
}

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
    if (wire_versions_differ()) {
        fprintf(stderr, "wire versions: %s\n", netclock_last_error());
        return 1;
    }
    return 0;
}
