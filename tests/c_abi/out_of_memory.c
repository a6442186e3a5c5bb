/*
 * No _create function may abort the process when memory runs out. This program makes the first allocation of
 * each function fail, then the second, and so on, until the function succeeds. A failed call must return an
 * error and no handle, and must not leak. The program then creates the largest relay under the system's
 * memory limit. It also measures the memory of each handle for `cargo xtask size`.
 *
 * This needs glibc without sanitizers, where it is easy to replace the allocator.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#include <features.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)
#include "handles.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

/* The memory limit for each handle in bytes, including everything that it points to. */
enum {
    MOST_client = 26 * 1024,
    MOST_server = 1024,
    /* A link's server stores up to 64 keys. */
    MOST_link_server = 29 * 1024,
    MOST_link_client = 4 * 1024,
    MOST_stream = 2 * 1024,
    /* This relay has message queues for six slots. */
    MOST_relay = 64 * 1024,
    MOST_peer = 28 * 1024,
    /* This host has 64 players and can schedule a start. */
    MOST_host = 84 * 1024,
    MOST_guest = 71 * 1024
};

/* How many more allocations will succeed (negative: all), how many are alive, and the total size requested so
 * far. */
static long allowed = -1, held, asked;

static int refused(void)
{
    if (allowed == 0)
        return 1;
    allowed -= allowed > 0;
    return 0;
}

static void *counted(void *memory, size_t size)
{
    held += memory != NULL;
    asked += (long)size;
    return memory;
}

void *malloc(size_t size)
{
    return refused() ? NULL : counted(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : counted(__libc_calloc(count, size), count * size);
}

void *realloc(void *old, size_t size)
{
    if (refused())
        return NULL;
    return old ? __libc_realloc(old, size) : counted(__libc_malloc(size), size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : counted(__libc_memalign(alignment, size), size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = aligned_alloc(alignment, size);

    if (!made)
        return ENOMEM;
    *memory = made;
    return 0;
}

void free(void *memory)
{
    held -= memory != NULL;
    __libc_free(memory);
}

/* Creating a handle takes at least two allocations, one of them for the list of live handles. */
#define FAIL(name, kind, create, destroy)                                     \
    static void fail_##name(void)                                             \
    {                                                                         \
        netclock_##kind *const unset = (netclock_##kind *)(void *)&allowed;   \
        netclock_##kind *it = unset;                                          \
        netclock_status status = NETCLOCK_OUT_OF_MEMORY;                      \
        long before = held;                                                   \
        long n;                                                               \
        for (n = 0; status == NETCLOCK_OUT_OF_MEMORY; n++) {                  \
            allowed = n;                                                      \
            status = create;                                                  \
            allowed = -1;                                                     \
            CHECK(status == NETCLOCK_OUT_OF_MEMORY || status == NETCLOCK_OK); \
            CHECK((status == NETCLOCK_OK) == (it != unset));                  \
            CHECK(status == NETCLOCK_OK || held == before);                   \
        }                                                                     \
        CHECK(n > 2);                                                         \
        CHECK(strstr(netclock_last_error(), "memory"));                       \
        CHECK(destroy(it) == NETCLOCK_OK);                                    \
        CHECK(held == before);                                                \
    }
/* Take the minimum of several runs, because the list of live handles sometimes grows. */
#define TAKE(kind, create)                                                    \
    static void take_##kind(void)                                             \
    {                                                                         \
        netclock_##kind *it = NULL;                                           \
        long least = LONG_MAX;                                                \
        int i;                                                                \
        for (i = 0; i < 5; i++) {                                             \
            asked = 0;                                                        \
            CHECK(create == NETCLOCK_OK);                                     \
            least = asked < least ? asked : least;                            \
            CHECK(netclock_##kind##_destroy(it) == NETCLOCK_OK);              \
        }                                                                     \
        printf("a netclock_" #kind " takes %ld bytes\n", least);              \
        CHECK(least > 0 && least <= MOST_##kind);                             \
    }
#define FAIL_EACH(kind, create)                                               \
    FAIL(kind, kind, create, netclock_##kind##_destroy)                       \
    TAKE(kind, create)
HANDLES(FAIL_EACH)

/* We poll the links, because the system would allocate memory for threads. */
static const netclock_link_server_config of_server = {
    .struct_size = sizeof of_server, .flags = NETCLOCK_LINK_POLLED};
static const netclock_link_client_config of_client = {
    .struct_size = sizeof of_client, .flags = NETCLOCK_LINK_POLLED};
static netclock_client *player;
FAIL_EACH(link_server, netclock_link_server_create(&of_server, "127.0.0.1", 0, 9, &it))
static const netclock_session_key key = {3, 4, 7, 0};
FAIL_EACH(link_client, netclock_link_client_create(&of_client, player, "127.0.0.1", 9, &key, &it))

static void links(void)
{
    netclock_status status = NETCLOCK_OUT_OF_MEMORY;
    netclock_link_client *link = NULL;
    long before = held;
    long n;

    fail_link_server();
    CHECK(netclock_client_create(NULL, 1, 2, &player) == NETCLOCK_OK);
    /* Count the first link's allocations too, because the client keeps that memory. */
    for (n = 0; status == NETCLOCK_OUT_OF_MEMORY; n++) {
        allowed = n;
        status = netclock_link_client_create(&of_client, player, "127.0.0.1", 9, &key, &link);
        allowed = -1;
        CHECK(status == NETCLOCK_OK || status == NETCLOCK_OUT_OF_MEMORY);
        CHECK((status == NETCLOCK_OK) == (link != NULL));
    }
    CHECK(netclock_link_client_destroy(link) == NETCLOCK_OK);
    fail_link_client();
    CHECK(netclock_client_destroy(player) == NETCLOCK_OK);
    CHECK(held == before);
}

#define CALL(kind, create) fail_##kind();
#define CALL_TAKE(kind, create) take_##kind();

/* Keeps 200 servers alive during the measurements, so that every part of the list of live handles stays
 * allocated. */
static void measure_handles(void)
{
    static netclock_server *crowd[200];
    size_t i;

    for (i = 0; i < 200; i++)
        CHECK(netclock_server_create(1, &crowd[i]) == NETCLOCK_OK);
    HANDLES(CALL_TAKE)
    take_link_server();
    CHECK(netclock_client_create(NULL, 1, 2, &player) == NETCLOCK_OK);
    take_link_client();
    CHECK(netclock_client_destroy(player) == NETCLOCK_OK);
    for (i = 0; i < 200; i++)
        CHECK(netclock_server_destroy(crowd[i]) == NETCLOCK_OK);
}

static void largest_relay(void)
{
    netclock_relay_config config = {.struct_size = sizeof config, .games = 256, .slots = 64};
    netclock_relay *relay = NULL;
    void *room;
    struct rlimit limit, least = {96u << 20, 96u << 20};
    long before = held;

    /* Valgrind itself needs memory, so the limit would stop Valgrind, too. */
    if (getenv("LD_PRELOAD") && strstr(getenv("LD_PRELOAD"), "vgpreload"))
        return;
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    least.rlim_max = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_AS, &least) == 0);
    /* Emulators accept the limit without enforcing it. */
    room = mmap(NULL, 512u << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        CHECK(munmap(room, 512u << 20) == 0 && setrlimit(RLIMIT_AS, &limit) == 0);
        printf("skipped the largest relay: the system does not enforce a memory limit\n");
        return;
    }
    CHECK(netclock_relay_create(&config, 1, 2, &relay) == NETCLOCK_OUT_OF_MEMORY);
    CHECK(!relay && held == before);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

int main(void)
{
    netclock_server *first = NULL;

    /* The library allocates some global state once and never frees it. */
    CHECK(netclock_server_create(1, &first) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(first) == NETCLOCK_OK);
    HANDLES(CALL)
    links();
    largest_relay();
    measure_handles();
    return 0;
}

#else

int main(void)
{
    return 0;
}

#endif
