/*
 * Runs each call on a fibre whose stack is filled with a pattern, and counts the overwritten bytes. Some of
 * them belong to this program. Fails if a call overwrites more bytes than the first argument allows.
 *
 * Only the second of two passes counts, because the loader may resolve symbols during the first one.
 */
#define _XOPEN_SOURCE 700
#define NETCLOCK_NODISCARD

#include <string.h>
#include <ucontext.h>

#include "../c_abi/handles.h"

#define STACK 131072
#define PAINT 0xA5
#define SESSION 400

static unsigned char stack[STACK];
static ucontext_t here, fibre;

static size_t used_by(void (*run)(void))
{
    size_t untouched = 0;

    memset(stack, PAINT, sizeof stack);
    CHECK(getcontext(&fibre) == 0);
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = sizeof stack;
    fibre.uc_link = &here;
    makecontext(&fibre, run, 0);
    CHECK(swapcontext(&here, &fibre) == 0);
    while (untouched < sizeof stack && stack[untouched] == PAINT)
        untouched++;
    return sizeof stack - untouched;
}

static void nothing(void)
{
}

static const netclock_session_key key = {3, 4, 7, 0}, other_key = {3, 4, 8, 0};

#define CREATE(kind, create)                                  \
    static netclock_##kind *create_##kind(void)               \
    {                                                         \
        netclock_##kind *it = NULL;                           \
        CHECK(create == NETCLOCK_OK);                         \
        return it;                                            \
    }
HANDLES(CREATE)

#define DESTROY(kind, create) CHECK(netclock_##kind##_destroy(create_##kind()) == NETCLOCK_OK);

static void handles(void)
{
    HANDLES(DESTROY)
}

/* These variables are static so that they do not use the measured stack. */
static int64_t now = SECOND, server_time;
static netclock_request request = {.struct_size = sizeof request};
static netclock_reply reply = {.struct_size = sizeof reply};
static netclock_reading reading = {.struct_size = sizeof reading};
static netclock_event event = {.struct_size = sizeof event};
static unsigned char datagram[NETCLOCK_DATAGRAM_SIZE];
static uint64_t random_state = 7;

static void ignore(void *user_data, const netclock_sample *sample)
{
    (void)user_data;
    (void)sample;
}

static void session(void)
{
    netclock_client *client = create_client();
    int i;

    CHECK(netclock_client_set_tap(client, ignore, NULL) == NETCLOCK_OK);
    for (i = 0; i < SESSION; i++) {
        int64_t delay =
            20 * MILLISECOND + (int64_t)(next_random(&random_state) % (uint64_t)(9 * MILLISECOND));
        int64_t sent = now;

        netclock_client_make_request(client, now, &request);
        reply.id = request.id + (i % 11 == 5);
        reply.epoch = i < SESSION / 2 ? 1 : 2;
        reply.received = 3600 * SECOND + now + delay + (i % 50 == 49 ? 100 * SECOND : 0);
        reply.sent = reply.received;
        now = sent + 2 * delay;
        netclock_client_handle_reply(client, &reply, now);
        netclock_client_read(client, now, &reading);
        netclock_client_current_server_time(client, now, &server_time);
        netclock_client_local_time_at(client, server_time, &server_time);
        netclock_encode_reply(&reply, datagram, sizeof datagram);
        netclock_decode_reply(datagram, sizeof datagram, &reply);
        netclock_decode_request(datagram, sizeof datagram, &request);
        netclock_client_next_event(client, &event);
        now += 100 * MILLISECOND;
    }
    for (i = 0; i < SESSION; i++, now += 100 * MILLISECOND)
        netclock_client_handle_exchange(
            client, now - 50 * MILLISECOND, now + SECOND, now + SECOND, now, 0, 0, 0);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
}

static unsigned char message[NETCLOCK_PEER_DATAGRAM_SIZE];
static uint64_t connection;
static netclock_peer_reading peer_reading = {.struct_size = sizeof peer_reading};

static void peers(void)
{
    netclock_relay *relay = create_relay();
    netclock_peer *peer = create_peer();
    int i;

    for (i = 0; i < SESSION; i++, now += 20 * MILLISECOND) {
        netclock_peer_read(peer, now, &peer_reading);
        if (netclock_peer_next_message(peer, now, message, sizeof message) == NETCLOCK_OK)
            netclock_relay_receive(relay, 5, message, sizeof message, now);
        if (netclock_relay_next_message(relay, now, &connection, message, sizeof message) == NETCLOCK_OK)
            netclock_peer_receive(peer, message, sizeof message, now);
    }
    CHECK(netclock_peer_destroy(peer) == NETCLOCK_OK);
    CHECK(netclock_relay_destroy(relay) == NETCLOCK_OK);
}

static netclock_link_server_config server_config = {.struct_size = sizeof server_config};
static netclock_link_client_config client_config = {.struct_size = sizeof client_config};
static netclock_link_report link_report = {.struct_size = sizeof link_report};
static unsigned char question[NETCLOCK_LINK_DATAGRAM_SIZE], answer[NETCLOCK_LINK_DATAGRAM_SIZE];

static void carry(netclock_link_server *server, netclock_link_client *client)
{
    now += 500 * MILLISECOND;
    if (netclock_link_client_due(client, now, question, sizeof question, NULL) != NETCLOCK_OK)
        return;
    now += 20 * MILLISECOND;
    CHECK(netclock_link_server_answer(
              server, question, sizeof question, now, now, answer, sizeof answer) == NETCLOCK_OK);
    now += 20 * MILLISECOND;
    CHECK(netclock_link_client_handle(client, answer, sizeof answer, now) == NETCLOCK_OK);
}

static void links(uint32_t flags)
{
    netclock_client *clock = create_client();
    netclock_link_server *server = NULL;
    netclock_link_client *client = NULL;
    int64_t end = netclock_monotonic_now() + 20 * SECOND;

    server_config.flags = client_config.flags = flags;
    CHECK(netclock_link_server_create(&server_config, "127.0.0.1", 0, 1, &server) == NETCLOCK_OK);
    CHECK(netclock_link_server_admit(server, &key) == NETCLOCK_OK);
    CHECK(netclock_link_server_admit(server, &other_key) == NETCLOCK_OK);
    CHECK(netclock_link_server_revoke(server, other_key.id) == NETCLOCK_OK);
    CHECK(netclock_link_server_poll(server, &link_report) == NETCLOCK_OK);
    CHECK(netclock_link_client_create(
              &client_config, clock, "127.0.0.1", (uint16_t)link_report.port, &key, &client) == NETCLOCK_OK);
    do {
        if (flags & NETCLOCK_LINK_CARRIED)
            carry(server, client);
        CHECK(netclock_link_client_poll(client, NULL) == NETCLOCK_OK);
        CHECK(netclock_link_server_poll(server, NULL) == NETCLOCK_OK);
        CHECK(netclock_link_server_poll(server, &link_report) == NETCLOCK_OK);
        CHECK(netclock_link_client_poll(client, &link_report) == NETCLOCK_OK);
    } while (link_report.replies < 20 && netclock_monotonic_now() < end);
    CHECK(link_report.replies >= 20);
    CHECK(netclock_link_client_destroy(client) == NETCLOCK_OK);
    CHECK(netclock_link_server_destroy(server) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(clock) == NETCLOCK_OK);
}

static void everything(void)
{
    handles();
    session();
    peers();
    links(0);
    links(NETCLOCK_LINK_POLLED);
    links(NETCLOCK_LINK_CARRIED);
}

int main(int count, char **values)
{
    size_t limit, most;

    CHECK(count == 2);
    limit = (size_t)atol(values[1]);
    used_by(everything);
    most = used_by(everything) - used_by(nothing);
    printf("the most is %zu of %zu bytes\n", most, limit);
    return most > limit;
}
