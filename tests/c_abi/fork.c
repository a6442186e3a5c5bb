/*
 * A forked child can read inherited handles, but calls that modify them fail. Otherwise, the child would
 * repeat the parent's request ids, or wait forever for locks held by threads that no longer exist. The child
 * can create and use new handles. It can also destroy all handles in any order, even those that the parent's
 * threads were using.
 */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700
#define HAS_FORK 1
#endif

#include "check.h"
#include "netclock/netclock_link.h"
#include "netclock/netclock_saved.h"

#ifdef HAS_FORK
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 100

static netclock_client *client;
static netclock_client *linked;
static netclock_link_server *server_end;
static netclock_link_client *polled_end, *carried_end;
static const netclock_session_key key = {1, 2, 3, 0};
static int stop;

static int64_t now(void)
{
    return netclock_monotonic_now();
}

/* Keeps modifying the client and creating and destroying handles, so that forks interrupt such calls. */
static void *busy(void *unused)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_server *server = NULL;

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        CHECK(netclock_client_make_request(client, now(), &request) == NETCLOCK_OK);
        CHECK(netclock_server_create(1, &server) == NETCLOCK_OK);
        CHECK(netclock_server_destroy(server) == NETCLOCK_OK);
    }
    return unused;
}

static void *linking(void *unused)
{
    netclock_link_report report = {.struct_size = sizeof report};
    unsigned char datagram[NETCLOCK_LINK_DATAGRAM_SIZE];

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        CHECK(netclock_link_server_poll(server_end, NULL) == NETCLOCK_OK);
        CHECK(netclock_link_client_poll(polled_end, &report) == NETCLOCK_OK);
        CHECK(netclock_link_client_due(carried_end, now(), datagram, sizeof datagram, NULL) >= 0);
    }
    return unused;
}

static void child(int turn)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reading reading = {.struct_size = sizeof reading};
    netclock_event event = {.struct_size = sizeof event};
    netclock_client *own = NULL;
    netclock_server *server = NULL;
    int64_t time = 0;

    /* If the child waits for a lock forever, this signal ends it and the test fails. */
    alarm(20);
    CHECK(netclock_client_current_server_time(client, now(), &time) == NETCLOCK_OK);
    CHECK(netclock_client_read(client, now(), &reading) == NETCLOCK_OK);
    CHECK(reading.state != NETCLOCK_STATE_UNSYNCED);
    CHECK(time > 0 && reading.server_time >= time);

    CHECK(netclock_client_tick(client, now(), &request) == NETCLOCK_FORKED);
    CHECK(netclock_client_make_request(client, now(), &request) == NETCLOCK_FORKED);
    CHECK(request.id == 0 && request.client_time == 0);
    CHECK(netclock_client_handle_exchange(client, now(), 1, 1, now(), 0, 0, 0) == NETCLOCK_FORKED);
    CHECK(netclock_client_next_event(client, &event) == NETCLOCK_FORKED);
    CHECK(netclock_client_set_tap(client, NULL, NULL) == NETCLOCK_FORKED);
    CHECK(event.kind == 0);

    CHECK(netclock_client_create(NULL, 3, 4, &own) == NETCLOCK_OK);
    CHECK(netclock_client_tick(own, now(), &request) == NETCLOCK_OK);
    CHECK(request.id != 0);
    CHECK(netclock_client_destroy(own) == NETCLOCK_OK);
    CHECK(netclock_server_create(1, &server) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(server) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_UNKNOWN_HANDLE);
    if (turn % 2)
        CHECK(netclock_client_destroy(linked) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(polled_end) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(carried_end) == NETCLOCK_OK);
    CHECK(netclock_link_server_destroy(server_end) == NETCLOCK_OK);
    if (turn % 2 == 0)
        CHECK(netclock_client_destroy(linked) == NETCLOCK_OK);
}

int main(void)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_link_server_config serving = {.struct_size = sizeof serving, .flags = NETCLOCK_LINK_POLLED};
    netclock_link_client_config polling = {.struct_size = sizeof polling, .flags = NETCLOCK_LINK_POLLED};
    netclock_link_client_config carrying = {.struct_size = sizeof carrying, .flags = NETCLOCK_LINK_CARRIED};
    pthread_t thread, links;
    netclock_link_report report = {.struct_size = sizeof report};
    int64_t arrived = 0;
    int i;

    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    arrived = now();
    CHECK(netclock_client_handle_exchange(client, arrived - MILLISECOND, arrived + SECOND, arrived + SECOND,
                                          arrived, 0, 0, 0) == NETCLOCK_OK);
    CHECK(netclock_client_create(NULL, 5, 6, &linked) == NETCLOCK_OK);
    CHECK(netclock_link_server_create(&serving, "127.0.0.1", 0, 9, &server_end) == NETCLOCK_OK);
    CHECK(netclock_link_server_admit(server_end, &key) == NETCLOCK_OK);
    CHECK(netclock_link_server_poll(server_end, &report) == NETCLOCK_OK);
    CHECK(netclock_link_client_create(&polling, linked, "127.0.0.1", (uint16_t)report.port, &key,
                                      &polled_end) == NETCLOCK_OK);
    CHECK(netclock_link_client_create(&carrying, linked, NULL, 0, &key, &carried_end) == NETCLOCK_OK);
    CHECK(pthread_create(&thread, NULL, busy, NULL) == 0);
    CHECK(pthread_create(&links, NULL, linking, NULL) == 0);
    for (i = 0; i < FORKS; i++) {
        int status = 0;
        pid_t pid = fork();

        CHECK(pid >= 0);
        if (pid == 0) {
            child(i);
            _exit(0);
        }
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_join(links, NULL) == 0);
    CHECK(netclock_client_make_request(client, now(), &request) == NETCLOCK_OK);
    CHECK(request.id != 0);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(polled_end) == NETCLOCK_OK);
    CHECK(netclock_link_client_destroy(carried_end) == NETCLOCK_OK);
    CHECK(netclock_link_server_destroy(server_end) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(linked) == NETCLOCK_OK);
    return 0;
}

#else

int main(void)
{
    return 0;
}

#endif
