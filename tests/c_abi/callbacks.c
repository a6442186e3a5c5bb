/*
 * Callbacks and misuse as a C program meets them: what the log and the tap are told, what is allowed in them,
 * what the last error says, and that destroying the wrong thing destroys nothing.
 */
#include <string.h>

#include "check.h"

struct heard {
    netclock_client *client;
    int messages;
    int32_t level;
    char message[256];
    int samples;
    netclock_sample sample;
};

static void on_message(void *user_data, int32_t level, const char *message)
{
    struct heard *heard = user_data;
    int64_t server_time;

    heard->messages++;
    heard->level = level;
    CHECK(strlen(message) < sizeof heard->message);
    strcpy(heard->message, message);
    /* The client can be used in here, but not destroyed. */
    CHECK(netclock_client_current_server_time(heard->client, SECOND, &server_time) >= NETCLOCK_OK);
    CHECK(netclock_client_destroy(heard->client) == NETCLOCK_BUSY);
}

static void on_sample(void *user_data, const netclock_sample *sample)
{
    struct heard *heard = user_data;

    heard->samples++;
    heard->sample.struct_size = sizeof heard->sample;
    CHECK(sample->struct_size >= sizeof heard->sample);
    heard->sample = *sample;
}

/* A callback that takes itself back: the next messages of the same call find nobody. */
static void on_last_message(void *user_data, int32_t level, const char *message)
{
    struct heard *heard = user_data;

    (void)level;
    (void)message;
    heard->messages++;
    CHECK(netclock_client_set_log(heard->client, NETCLOCK_LOG_DEBUG, NULL, NULL) == NETCLOCK_OK);
}

static netclock_status exchange(netclock_client *client, int64_t at, int64_t ahead)
{
    int64_t middle = at - 10 * MILLISECOND + ahead;
    return netclock_client_handle_exchange(
        client, at - 20 * MILLISECOND, middle, middle + MILLISECOND, at, 7);
}

static void log_and_tap(void)
{
    struct heard heard;
    netclock_event event;
    netclock_reply reply = {.struct_size = sizeof reply};
    int32_t accepted;

    memset(&heard, 0, sizeof heard);
    CHECK(netclock_client_create(NULL, 1, 2, &heard.client) == NETCLOCK_OK);
    CHECK(netclock_client_set_log(heard.client, NETCLOCK_LOG_DEBUG, on_message, &heard) == NETCLOCK_OK);
    CHECK(netclock_client_set_tap(heard.client, on_sample, &heard) == NETCLOCK_OK);

    /* Accepted, by the four stamps. */
    CHECK(exchange(heard.client, SECOND, 0) == NETCLOCK_OK);
    CHECK(heard.messages == 1 && heard.level == NETCLOCK_LOG_INFO && strstr(heard.message, "synced") != NULL);
    CHECK(heard.samples == 1 && heard.sample.status == NETCLOCK_OK && heard.sample.id == 0);
    CHECK(heard.sample.epoch == 7 && heard.sample.client_sent == 980 * MILLISECOND);
    CHECK(heard.sample.server_received == 990 * MILLISECOND && heard.sample.server_sent == 991 * MILLISECOND);
    CHECK(heard.sample.client_received == SECOND);

    /* A reply to no request. */
    reply.id = 12345;
    reply.epoch = 7;
    CHECK(netclock_client_handle_reply(heard.client, &reply, SECOND) == NETCLOCK_UNKNOWN_REQUEST);
    CHECK(heard.messages == 2 && heard.level == NETCLOCK_LOG_DEBUG);
    CHECK(strcmp(heard.message, netclock_last_error()) == 0);
    CHECK(strstr(heard.message, "0x0000000000003039") != NULL);
    CHECK(heard.samples == 2 && heard.sample.status == NETCLOCK_UNKNOWN_REQUEST && heard.sample.id == 12345);
    CHECK(heard.sample.client_sent == NETCLOCK_UNKNOWN_TIME);

    /* The two-stamp form. */
    CHECK(netclock_client_update_server_time(heard.client, 5, 2 * SECOND, 6 * SECOND, &accepted) ==
          NETCLOCK_TOO_SLOW);
    CHECK(heard.samples == 3 && heard.sample.status == NETCLOCK_TOO_SLOW && heard.sample.epoch == 0);
    CHECK(heard.sample.client_sent == -4 * SECOND && heard.sample.client_received == 2 * SECOND);
    CHECK(heard.sample.server_received == 5 && heard.sample.server_sent == 5);

    CHECK(exchange(heard.client, 2 * SECOND, 60 * SECOND) == NETCLOCK_CONTRADICTION);
    CHECK(heard.messages == 4 && heard.level == NETCLOCK_LOG_WARNING && heard.samples == 4);

    /* Two messages are due, the jump and the recovery; the first takes the callback back. */
    heard.messages = 0;
    CHECK(netclock_client_set_log(heard.client, NETCLOCK_LOG_DEBUG, on_last_message, &heard) == NETCLOCK_OK);
    CHECK(exchange(heard.client, 3 * SECOND, 60 * SECOND) == NETCLOCK_OK);
    CHECK(heard.messages == 1 && heard.samples == 5);

    /* Events are there all the same. */
    event.struct_size = sizeof event;
    CHECK(netclock_client_next_event(heard.client, &event) == NETCLOCK_OK &&
        event.kind == NETCLOCK_EVENT_SYNCED);
    CHECK(netclock_client_next_event(heard.client, &event) == NETCLOCK_OK &&
        event.kind == NETCLOCK_EVENT_DEGRADED);

    CHECK(netclock_client_set_tap(heard.client, NULL, NULL) == NETCLOCK_OK);
    CHECK(exchange(heard.client, 4 * SECOND, 60 * SECOND) == NETCLOCK_OK && heard.samples == 5);
    CHECK(netclock_client_destroy(heard.client) == NETCLOCK_OK);
}

static void wrong_things_destroyed(void)
{
    netclock_client *client = NULL;
    netclock_server *server = NULL;

    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_server_create(7, &server) == NETCLOCK_OK);
    CHECK(netclock_client_destroy((netclock_client *)(void *)server) == NETCLOCK_UNKNOWN_HANDLE);
    CHECK(strstr(netclock_last_error(), "netclock_client_destroy") != NULL);
    CHECK(netclock_server_destroy((netclock_server *)(void *)client) == NETCLOCK_UNKNOWN_HANDLE);
    CHECK(netclock_client_destroy((netclock_client *)(void *)&client) == NETCLOCK_UNKNOWN_HANDLE);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_UNKNOWN_HANDLE);
    CHECK(netclock_server_destroy(server) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(server) == NETCLOCK_UNKNOWN_HANDLE);
}

int main(void)
{
    unsigned char small[NETCLOCK_DATAGRAM_SIZE - 1];
    netclock_request request = {.struct_size = sizeof request};

    CHECK(strcmp(netclock_last_error(), "") == 0);
    CHECK(netclock_encode_request(&request, small, sizeof small) == NETCLOCK_WIRE_LENGTH);
    CHECK(strcmp(netclock_last_error(),
              "netclock_encode_request: capacity is 31, a datagram needs 32 bytes") == 0);
    log_and_tap();
    wrong_things_destroyed();
    return 0;
}
