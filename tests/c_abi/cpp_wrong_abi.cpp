/*
 * The C++ API must reject a library with another ABI version or an older revision before any other call. This
 * program simulates such libraries by defining functions itself, because the linker prefers its definitions.
 */
#include "check.hpp"

static uint32_t version = NETCLOCK_ABI_VERSION;
static uint32_t revision = NETCLOCK_ABI_REVISION;
static bool created = false;

extern "C" {

uint32_t netclock_abi_version(void) { return version; }
uint32_t netclock_abi_revision(void) { return revision; }

netclock_status netclock_client_create(const netclock_config *, uint64_t, uint64_t, netclock_client **)
{
    created = true;
    return NETCLOCK_OK;
}

netclock_status netclock_server_create(uint64_t, netclock_server **)
{
    created = true;
    return NETCLOCK_OK;
}

netclock_status netclock_client_destroy(netclock_client *) { return NETCLOCK_OK; }
netclock_status netclock_server_destroy(netclock_server *) { return NETCLOCK_OK; }
}

static void refused()
{
    const auto client = netclock::client::create({1, 2});
    CHECK(!client && client.code() == netclock::status::abi_mismatch && !*client);
    const auto server = netclock::server::create(1);
    CHECK(!server && server.code() == netclock::status::abi_mismatch && !*server);
    CHECK(netclock::is_error(client.code()));
    CHECK(!created);
}

int main()
{
    version = NETCLOCK_ABI_VERSION + 1;
    refused();
    version = NETCLOCK_ABI_VERSION;
    revision = NETCLOCK_ABI_REVISION - 1;
    refused();
    /* A newer library also has everything that this program needs. */
    revision = NETCLOCK_ABI_REVISION + 1;
    CHECK(netclock::client::create({1, 2}).code() == netclock::status::ok);
    CHECK(created);
    return 0;
}
