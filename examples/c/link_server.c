/* link_server [PORT]: serves this machine's clock to one player. Port 0 selects a free port. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <netclock/netclock_link.h>

int main(int argc, char **argv)
{
    /* A game generates a random key and epoch, and sends the key to the player over its own connection. */
    const netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 1, 0};
    netclock_link_server *link = NULL;
    netclock_link_report report = {.struct_size = sizeof report};
    uint16_t port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 7117);

    if (netclock_link_server_create(NULL, NULL, port, 0xE70C4, &link) != NETCLOCK_OK ||
        netclock_link_server_admit(link, &key) != NETCLOCK_OK ||
        netclock_link_server_poll(link, &report) != NETCLOCK_OK)
        return fprintf(stderr, "cannot start: %s\n", netclock_last_error()), 1;
    printf("port %u\n", (unsigned)report.port);
    fflush(stdout);
    for (;;) /* the game's loop; Ctrl+C ends it */
        pause();
}
