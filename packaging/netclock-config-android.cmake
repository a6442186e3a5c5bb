# Provides netclock::static for the NDK's current ABI, for C and C++. All paths are relative to this file, so the directory
# can be moved.
get_filename_component(_netclock_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(CMAKE_ANDROID_ARCH_ABI)
    set(_netclock_abi "${CMAKE_ANDROID_ARCH_ABI}")
else()
    set(_netclock_abi "${ANDROID_ABI}")
endif()
set(_netclock_file "${_netclock_prefix}/lib/${_netclock_abi}/libnetclock.a")

if(NOT EXISTS "${_netclock_file}")
    set(netclock_FOUND FALSE)
    set(netclock_NOT_FOUND_MESSAGE "NetClock has no library for the Android ABI '${_netclock_abi}': ${_netclock_file}")
    return()
endif()

if(NOT TARGET netclock::static)
    add_library(netclock::static STATIC IMPORTED)
    set_target_properties(netclock::static PROPERTIES
        IMPORTED_LOCATION "${_netclock_file}"
        INTERFACE_INCLUDE_DIRECTORIES "${_netclock_prefix}/include"
        INTERFACE_LINK_LIBRARIES "dl;log;m;c")
endif()

unset(_netclock_abi)
unset(_netclock_file)
unset(_netclock_prefix)
