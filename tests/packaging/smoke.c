/* Exits with 0 if the DLL works. Like a program that MSVC links with /entry:start, it needs no C library. */
#include "netclock/netclock.h"

int start(void)
{
    netclock_client *client = 0;

    if (netclock_abi_version() != NETCLOCK_ABI_VERSION) {
        return 1;
    }
    if (netclock_client_create(0, 1, 2, &client) != NETCLOCK_OK) {
        return 2;
    }
    return netclock_client_destroy(client) == NETCLOCK_OK ? 0 : 3;
}
