/* Both ends of a link in one process: with threads, polled, with another key, in a forked child, destroyed
   twice. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700
#define HAS_FORK 1
#endif

#include <string.h>

#include "check.h"
#include "netclock/netclock_link.h"

#ifdef HAS_FORK
#include <sys/wait.h>
#include <unistd.h>
#endif

static const netclock_session_key key = {3, 4, 7, 0};

/* Exchanges that a client was told of: by its link, and by other ways. Replies about authorities are none. */
static int by_link, by_others;

static void on_sample(void *user_data, const netclock_sample *sample)
{
    (void)user_data;
    by_link += sample->path == NETCLOCK_PATH_LINK;
    by_others += sample->path != NETCLOCK_PATH_LINK;
}

static netclock_link_report served(const netclock_link_server *server)
{
    netclock_link_report found = {.struct_size = sizeof found};
    CHECK(netclock_link_server_report(server, &found) == NETCLOCK_OK);
    return found;
}

static netclock_link_report report(const netclock_link_client *link)
{
    netclock_link_report found = {.struct_size = sizeof found};
    CHECK(netclock_link_client_report(link, &found) == NETCLOCK_OK);
    return found;
}

/* Polls both ends that have no thread until the client has used some replies. */
static void follow(netclock_client *client, netclock_link_server *server, netclock_link_client *link)
{
    int64_t end = netclock_monotonic_now() + 20 * SECOND, now, time = 0;
    while (report(link).replies < 5 && netclock_monotonic_now() < end) {
        (void)netclock_link_server_poll(server);
        (void)netclock_link_client_poll(link);
    }
    now = netclock_monotonic_now();
    CHECK(report(link).state == NETCLOCK_LINK_LINKED && served(server).state == NETCLOCK_LINK_SERVING);
    CHECK(netclock_client_current_server_time(client, now, &time) == NETCLOCK_OK);
    CHECK(time > now + 999 * SECOND && time < now + 1001 * SECOND);
    CHECK(served(server).requests >= report(link).replies && served(server).foreign > 0);
    CHECK(strcmp(netclock_link_text(report(link).state), "linked") == 0);
}

#ifdef HAS_FORK
/* The parent's threads are not there: changes are refused, and ends are forgotten. */
static int child(netclock_client *client, netclock_link_server *server, netclock_link_client *link)
{
    uint16_t port = 0;
    alarm(20);
    EXPECT(netclock_link_server_admit(server, &key) == NETCLOCK_FORKED);
    EXPECT(netclock_link_server_port(server, &port) == NETCLOCK_FORKED);
    EXPECT(netclock_link_client_poll(link) == NETCLOCK_FORKED);
    EXPECT(netclock_link_client_destroy(link) == NETCLOCK_OK);
    EXPECT(netclock_link_server_destroy(server) == NETCLOCK_OK);
    EXPECT(netclock_client_destroy(client) == NETCLOCK_OK);
    return 0;
}
#endif

static void both(uint32_t flags)
{
    const uint32_t of_both = flags & ~(uint32_t)NETCLOCK_LINK_AUTHORITY;
    const netclock_link_server_config ahead = {
        .struct_size = sizeof ahead, .flags = of_both, .clock_offset = 1000 * SECOND};
    const netclock_link_client_config config = {.struct_size = sizeof config, .flags = flags};
    netclock_link_server *server = NULL;
    netclock_link_client *link = NULL, *stranger = NULL;
    netclock_client *client = NULL, *other = NULL;
    netclock_session_key wrong = key;
    uint16_t port = 0;

    wrong.secret_low++;
    CHECK(netclock_link_server_create(&ahead, "127.0.0.1", 0, 99, &server) == NETCLOCK_OK);
    CHECK(netclock_link_server_admit(server, &key) == NETCLOCK_OK);
    CHECK(netclock_link_server_admit(server, &key) == NETCLOCK_DUPLICATE);
    CHECK(netclock_link_server_port(server, &port) == NETCLOCK_OK && port != 0);
    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_client_create(NULL, 5, 6, &other) == NETCLOCK_OK);
    by_link = by_others = 0;
    CHECK(netclock_client_set_tap(client, on_sample, NULL) == NETCLOCK_OK);
    CHECK(netclock_link_client_create(&config, other, "127.0.0.1", port, &wrong, &stranger) == NETCLOCK_OK);
    (void)netclock_link_client_poll(stranger);
    CHECK(netclock_link_client_create(&config, client, "127.0.0.1", port, &key, &link) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_BUSY);
    follow(client, server, link);
    CHECK(!netclock_client_is_time_synced(other) && report(stranger).replies == 0);
#ifdef HAS_FORK
    pid_t pid = fork();
    int status = 1;
    if (pid == 0)
        _exit(child(client, server, link));
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(report(link).state == NETCLOCK_LINK_LINKED);
#endif
    CHECK(netclock_link_client_destroy(stranger) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(link) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(link) == NETCLOCK_UNKNOWN_HANDLE);
    CHECK(netclock_link_server_destroy(server) == NETCLOCK_OK);
    CHECK(by_link >= 3 && by_others == 0);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK && netclock_client_destroy(other) == NETCLOCK_OK);
}

int main(void)
{
    both(0);
    both(NETCLOCK_LINK_THREAD_STAMPS);
    both(NETCLOCK_LINK_POLLED | NETCLOCK_LINK_AUTHORITY);
    return 0;
}
