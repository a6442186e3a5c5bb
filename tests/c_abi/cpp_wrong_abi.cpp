/*
 * A library of another ABI version is refused before anything else of it is called. It is simulated by definitions
 * of this program's own, which the linker prefers to the library's.
 */
#include "check.hpp"

static bool created = false;

extern "C" {

uint32_t netclock_abi_version(void) { return NETCLOCK_ABI_VERSION + 1; }

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

int main()
{
    const auto client = netclock::client::create({1, 2});
    CHECK(!client && client.code() == netclock::status::abi_mismatch && !*client);
    const auto server = netclock::server::create(1);
    CHECK(!server && server.code() == netclock::status::abi_mismatch && !*server);
    CHECK(netclock::is_error(client.code()));
    CHECK(!created);
    return 0;
}
