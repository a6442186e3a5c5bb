/*
 * NetClock for C++17: the types of netclock_saved.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_SAVED_TYPES_HPP
#define NETCLOCK_SAVED_TYPES_HPP

#include "netclock/netclock_saved.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

} // namespace netclock

#endif /* NETCLOCK_SAVED_TYPES_HPP */
