/* link_server PORT: serves this machine's clock to one player, on a thread of its own. Port 0 takes a free
   one. */
#include <stdio.h>
#include <stdlib.h>

#include <netclock/netclock_link.h>

int main(int argc, char **argv)
{
    /* A game draws key and epoch at random, and sends the key to its player over the game's own
       connection. */
    const netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 1, 0};
    netclock_link_server *link = NULL;
    uint16_t port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 7777);

    if (netclock_link_server_create(NULL, NULL, port, 0xE70C4, &link) != NETCLOCK_OK ||
        netclock_link_server_admit(link, &key) != NETCLOCK_OK ||
        netclock_link_server_port(link, &port) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: %s\n", netclock_last_error());
        return 1;
    }
    printf("port %d\n", port);
    fflush(stdout);
    getchar(); /* the game's loop */
    return netclock_link_server_destroy(link) == NETCLOCK_OK ? 0 : 1;
}
