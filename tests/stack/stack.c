/*
 * Measures how much stack each call needs, by running it on a fibre whose stack is painted. Bytes whose paint
 * was overwritten were used. Prints the largest figures, and fails if a call needs more bytes than the first
 * argument.
 *
 * Each call is made twice, and only the second one counts, because the loader may look up names in the first.
 */
#define _XOPEN_SOURCE 700
/* This program only measures the stack, so it ignores what functions return. */
#define NETCLOCK_NODISCARD

#include <string.h>
#include <ucontext.h>

#include "../c_abi/handles.h"

#define STACK 131072
#define PAINT 0xA5
#define SESSION 400

static unsigned char stack[STACK];
static ucontext_t here, fibre;
static void (*job)(void);
static size_t idle, limit;

/* The most stack that each call needed. */
static struct {
    const char *name;
    size_t most;
} figures[40];

/* Declares a function whose stack is measured. */
#define CALL(name, ...)    \
    static void name(void) \
    {                      \
        __VA_ARGS__;       \
    }

static void trampoline(void)
{
    job();
}

/* Returns the number of stack bytes that `run` needs. */
static size_t used_by(void (*run)(void))
{
    size_t untouched = 0;

    memset(stack, PAINT, sizeof stack);
    CHECK(getcontext(&fibre) == 0);
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = sizeof stack;
    fibre.uc_link = &here;
    job = run;
    makecontext(&fibre, trampoline, 0);
    CHECK(swapcontext(&here, &fibre) == 0);
    while (untouched < sizeof stack && stack[untouched] == PAINT)
        untouched++;
    return sizeof stack - untouched;
}

CALL(nothing, (void)0)

/* Runs a call, and keeps the figure if it is the largest of that name. */
static void larger(const char *name, void (*run)(void))
{
    size_t used = used_by(run) - idle;
    size_t i = 0;

    while (figures[i].name && strcmp(figures[i].name, name) != 0)
        i++;
    CHECK(i < sizeof figures / sizeof figures[0] - 1);
    figures[i].name = name;
    if (used > figures[i].most)
        figures[i].most = used;
}

static void measure(const char *name, void (*run)(void), void (*undo)(void))
{
    used_by(run);
    undo();
    larger(name, run);
    undo();
}

static const netclock_session_key key = {3, 4, 7, 0}, other_key = {3, 4, 8, 0};

#define DECLARE(kind, create)                            \
    static netclock_##kind *kind;                        \
    static void create_##kind(void)                      \
    {                                                    \
        netclock_##kind *it = NULL;                      \
        CHECK(create == NETCLOCK_OK);                    \
        kind = it;                                       \
    }                                                    \
    static void destroy_##kind(void)                     \
    {                                                    \
        CHECK(netclock_##kind##_destroy(kind) == NETCLOCK_OK); \
    }
HANDLES(DECLARE)

#define MEASURE(kind, create)                                            \
    measure("netclock_" #kind "_create", create_##kind, destroy_##kind); \
    create_##kind();                                                     \
    larger("netclock_" #kind "_destroy", destroy_##kind);

/* A session with valid and rejected replies, a different server, and a contradiction. */
static int64_t now = SECOND, server_time;
static netclock_request request = {.struct_size = sizeof request};
static netclock_reply reply = {.struct_size = sizeof reply};
static netclock_reading reading = {.struct_size = sizeof reading};
static netclock_event event = {.struct_size = sizeof event};
static unsigned char datagram[NETCLOCK_DATAGRAM_SIZE];
static uint64_t random_state = 7;

CALL(tick, netclock_client_make_request(client, now, &request))
CALL(handle, netclock_client_handle_reply(client, &reply, now))
CALL(update, netclock_client_handle_exchange(
    client, now - 50 * MILLISECOND, now + SECOND, now + SECOND, now, 0, 0, 0))
CALL(read_clock, {
    netclock_client_read(client, now, &reading);
    netclock_client_current_server_time(client, now, &server_time);
    netclock_client_local_time_at(client, server_time, &server_time);
})
CALL(next_event, netclock_client_next_event(client, &event))
CALL(encode, {
    netclock_encode_reply(&reply, datagram, sizeof datagram);
    netclock_decode_reply(datagram, sizeof datagram, &reply);
    netclock_decode_request(datagram, sizeof datagram, &request);
})

static void ignore(void *user_data, int level, const char *message)
{
    (void)user_data;
    (void)level;
    (void)message;
}

static void session(void)
{
    int i;

    create_client();
    CHECK(netclock_client_set_log(client, NETCLOCK_LOG_DEBUG, ignore, NULL) == NETCLOCK_OK);
    for (i = 0; i < SESSION; i++) {
        int64_t delay =
            20 * MILLISECOND + (int64_t)(next_random(&random_state) % (uint64_t)(9 * MILLISECOND));
        int64_t sent = now;

        larger("netclock_client_make_request", tick);
        reply.id = request.id + (i % 11 == 5);
        reply.epoch = i < SESSION / 2 ? 1 : 2;
        reply.received = 3600 * SECOND + now + delay + (i % 50 == 49 ? 100 * SECOND : 0);
        reply.sent = reply.received;
        now = sent + 2 * delay;
        if (i) {
            larger("netclock_client_handle_reply", handle);
            larger("netclock_client_read and others", read_clock);
            larger("netclock_encode_reply and others", encode);
        } else {
            handle();
        }
        larger("netclock_client_next_event", next_event);
        now += 100 * MILLISECOND;
    }
    for (i = 0; i < SESSION; i++, now += 100 * MILLISECOND)
        larger("netclock_client_handle_exchange", update);
    destroy_client();
}

/* The calls of peers and a relay. */
static unsigned char message[NETCLOCK_PEER_DATAGRAM_SIZE];
static uint64_t connection;
static netclock_peer_reading peer_reading = {.struct_size = sizeof peer_reading};
static netclock_status found;

CALL(peer_next, {
    netclock_peer_read(peer, now, &peer_reading);
    found = netclock_peer_next_message(peer, now, message, sizeof message);
})
CALL(peer_receive, netclock_peer_receive(peer, message, sizeof message, now))
CALL(relay_receive, netclock_relay_receive(relay, 5, message, sizeof message, now))
CALL(relay_next, found = netclock_relay_next_message(relay, now, &connection, message, sizeof message))
static void peers(void)
{
    int i;

    create_relay();
    create_peer();
    for (i = 0; i < SESSION; i++, now += 20 * MILLISECOND) {
        larger("netclock_peer_receive and others", peer_next);
        if (found == NETCLOCK_OK)
            larger("netclock_relay_receive and others", relay_receive);
        larger("netclock_relay_receive and others", relay_next);
        if (found == NETCLOCK_OK)
            larger("netclock_peer_receive and others", peer_receive);
    }
    destroy_peer();
    destroy_relay();
}

/* Both ends of a link, with threads and without. */
static netclock_link_server_config server_config = {.struct_size = sizeof server_config};
static netclock_link_client_config client_config = {.struct_size = sizeof client_config};
static netclock_link_report link_report = {.struct_size = sizeof link_report};
static netclock_link_server *serving;
static netclock_link_client *linked;
static uint16_t port;

CALL(serve,
    CHECK(netclock_link_server_create(&server_config, "127.0.0.1", 0, 1, &serving) == NETCLOCK_OK))
CALL(stop_serving, CHECK(netclock_link_server_destroy(serving) == NETCLOCK_OK))
CALL(connect_link,
    CHECK(netclock_link_client_create(&client_config, client, "127.0.0.1", port, &key, &linked) ==
        NETCLOCK_OK))
CALL(stop_link, CHECK(netclock_link_client_destroy(linked) == NETCLOCK_OK))
CALL(poll_links, {
    CHECK(netclock_link_client_poll(linked, NULL) == NETCLOCK_OK);
    CHECK(netclock_link_server_poll(serving, NULL) == NETCLOCK_OK);
})
CALL(admit, {
    CHECK(netclock_link_server_admit(serving, &other_key) == NETCLOCK_OK);
    CHECK(netclock_link_server_revoke(serving, other_key.id) == NETCLOCK_OK);
})
CALL(ask_link, {
    CHECK(netclock_link_server_poll(serving, &link_report) == NETCLOCK_OK);
    CHECK(netclock_link_client_poll(linked, &link_report) == NETCLOCK_OK);
})

static void links(uint32_t flags)
{
    int64_t end;

    server_config.flags = client_config.flags = flags;
    create_client();
    measure("netclock_link_server_create", serve, stop_serving);
    serve();
    CHECK(netclock_link_server_admit(serving, &key) == NETCLOCK_OK &&
        netclock_link_server_poll(serving, &link_report) == NETCLOCK_OK);
    port = (uint16_t)link_report.port;
    measure("netclock_link_client_create", connect_link, stop_link);
    connect_link();
    larger("netclock_link_server_admit and others", admit);
    end = netclock_monotonic_now() + 20 * SECOND;
    do {
        if (flags & NETCLOCK_LINK_POLLED)
            larger("netclock_link_client_poll and the server's", poll_links);
        larger("netclock_link_client_poll with a report and the server's", ask_link);
    } while (link_report.replies < 20 && netclock_monotonic_now() < end);
    CHECK(link_report.replies >= 20);
    larger("netclock_link_client_destroy", stop_link);
    larger("netclock_link_server_destroy", stop_serving);
    destroy_client();
}

/* Both ends of a link whose datagrams the caller carries. Each turn makes a request, replies to it and
   handles the reply. */
static unsigned char question[NETCLOCK_LINK_DATAGRAM_SIZE], answer[NETCLOCK_LINK_DATAGRAM_SIZE];
static netclock_status due;

CALL(ask_by_hand, due = netclock_link_client_due(linked, now, question, sizeof question, NULL))
CALL(answer_by_hand,
    CHECK(netclock_link_server_answer(serving, question, sizeof question, now, now, answer, sizeof answer) ==
        NETCLOCK_OK))
CALL(handle_by_hand,
    CHECK(netclock_link_client_handle(linked, answer, sizeof answer, now) == NETCLOCK_OK))
static void carried_links(void)
{
    int i;

    server_config.flags = NETCLOCK_LINK_CARRIED;
    client_config.flags = NETCLOCK_LINK_CARRIED;
    create_client();
    measure("netclock_link_server_create, carried", serve, stop_serving);
    serve();
    CHECK(netclock_link_server_admit(serving, &key) == NETCLOCK_OK);
    measure("netclock_link_client_create, carried", connect_link, stop_link);
    connect_link();
    for (i = 0; i < SESSION; i++, now += 500 * MILLISECOND) {
        larger("netclock_link_client_handle and others", ask_by_hand);
        if (due != NETCLOCK_OK)
            continue;
        now += 20 * MILLISECOND;
        larger("netclock_link_client_handle and others", answer_by_hand);
        now += 20 * MILLISECOND;
        larger("netclock_link_client_handle and others", handle_by_hand);
    }
    CHECK(netclock_link_client_poll(linked, &link_report) == NETCLOCK_OK && link_report.replies >= 20);
    stop_link();
    stop_serving();
    destroy_client();
}

int main(int count, char **values)
{
    size_t i, most = 0;

    CHECK(count == 2);
    limit = (size_t)atol(values[1]);
    used_by(nothing);
    idle = used_by(nothing);
    HANDLES(MEASURE)
    session();
    peers();
    links(0);
    links(NETCLOCK_LINK_POLLED);
    carried_links();
    for (i = 0; figures[i].name; i++) {
        most = figures[i].most > most ? figures[i].most : most;
        printf("%6zu bytes  %s\n", figures[i].most, figures[i].name);
    }
    printf("the most is %zu of %zu bytes\n", most, limit);
    return most > limit;
}
