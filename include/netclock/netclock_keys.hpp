/*
 * NetClock for C++17: session keys.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_keys.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_KEYS_HPP
#define NETCLOCK_KEYS_HPP

#include "netclock/netclock_keys_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

} // namespace netclock

#endif /* NETCLOCK_KEYS_HPP */
