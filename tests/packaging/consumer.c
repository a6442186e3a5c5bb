/* Prints the server's time. The tests build this program with CMake and make against the installed
 * library. */
#include <stdio.h>

#include <netclock/netclock.h>

int main(void)
{
    netclock_client *client = NULL;
    int64_t shown = 0;

    if (netclock_abi_version() != NETCLOCK_ABI_VERSION ||
        netclock_client_create(NULL, 1, 2, &client) != NETCLOCK_OK ||
        netclock_client_handle_exchange(client, 60, 900, 900, 100, 0, 0, 0) != NETCLOCK_OK ||
        netclock_client_current_server_time(client, 100, &shown) != NETCLOCK_OK ||
        netclock_client_destroy(client) != NETCLOCK_OK)
        return 1;
    /* The client assumes that the reply took half of the round trip. */
    printf("C: server time %d\n", (int)shown);
    return shown == 920 ? 0 : 1;
}
