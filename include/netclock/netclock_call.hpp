/*
 * NetClock for C++17: calls from the other headers to C. netclock.hpp includes this file.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_CALL_HPP
#define NETCLOCK_CALL_HPP

#include "netclock/netclock_types.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace netclock {

/** Returns true for an error, false for success and for positive statuses. */
[[nodiscard]] constexpr bool is_error(status code) noexcept { return static_cast<std::int32_t>(code) < 0; }

/** Returns the ABI version of the loaded library. */
[[nodiscard]] inline std::uint32_t abi_version() noexcept { return netclock_abi_version(); }

/** Returns the ABI revision of the loaded library, which determines its functions. */
[[nodiscard]] inline std::uint32_t abi_revision() noexcept { return netclock_abi_revision(); }

/** Returns true if the loaded library provides all that this header needs. Every create() checks it. */
[[nodiscard]] inline bool library_fits() noexcept
{
    return abi_version() == NETCLOCK_ABI_VERSION && abi_revision() >= NETCLOCK_ABI_REVISION;
}

/**
 * The value that a call returned, and its status. True only for status::ok. Otherwise the value is empty (a
 * zero time, a handle that owns nothing), so reading it is never undefined behaviour.
 */
template <class T>
class [[nodiscard]] result {
public:
    constexpr result(status code, T value) noexcept : code_{code}, value_{std::move(value)} {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ == status::ok; }
    [[nodiscard]] constexpr status code() const noexcept { return code_; }

    [[nodiscard]] constexpr const T &operator*() const & noexcept { return value_; }
    [[nodiscard]] constexpr T &operator*() & noexcept { return value_; }
    [[nodiscard]] constexpr T &&operator*() && noexcept { return std::move(value_); }
    [[nodiscard]] constexpr const T *operator->() const noexcept { return &value_; }
    [[nodiscard]] constexpr T *operator->() noexcept { return &value_; }

    /** Returns the value, or `other` if there is none. */
    [[nodiscard]] constexpr T value_or(T other) const & noexcept { return *this ? value_ : std::move(other); }

private:
    status code_;
    T value_;
};

/** A C handle, destroyed by the destructor. The derived classes document its use. */
template <class Handle, netclock_status (*Destroy)(Handle *)>
class owned {
public:
    /** Owns nothing. */
    owned() noexcept = default;

    /** Takes ownership of a C handle. */
    explicit owned(Handle *handle) noexcept : handle_{handle} {}

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** Returns the handle for C calls, and keeps ownership. */
    [[nodiscard]] Handle *get() const noexcept { return handle_.get(); }

    /** Returns the handle, and transfers ownership to the caller. */
    [[nodiscard]] Handle *release() noexcept { return handle_.release(); }

    /** Destroys the handle and returns the status. After an error (busy: in one of its callbacks) the object
     * still owns the handle. */
    status destroy() noexcept
    {
        const auto code = status{Destroy(get())};
        if (code == status::ok) {
            static_cast<void>(handle_.release());
        }
        return code;
    }

private:
    /** A destructor cannot report an error. After an error the handle is leaked. */
    struct destroyer {
        void operator()(Handle *handle) const noexcept { static_cast<void>(Destroy(handle)); }
    };

    std::unique_ptr<Handle, destroyer> handle_;
};

namespace detail {

/** Makes the conversions in this namespace, which other headers add, visible for types outside of it. */
template <class T>
struct seen {
    const T &it;
    constexpr operator const T &() const noexcept { return it; }
};

/** A C structure for the duration of a call. */
template <class C>
struct lent {
    C made;
    operator const C *() const noexcept { return &made; }
};

/* Converts an argument to C. Numbers and pointers are unchanged. */

template <class T>
constexpr std::enable_if_t<std::is_scalar_v<T> && !std::is_enum_v<T>, T> in(T given) noexcept
{
    return given;
}

template <class T>
constexpr std::enable_if_t<std::is_enum_v<T>, std::int32_t> in(T given) noexcept
{
    return static_cast<std::int32_t>(given);
}

template <class T>
constexpr auto in(const T &given) noexcept -> decltype(count(given))
{
    return count(given);
}

template <class Handle, netclock_status (*Destroy)(Handle *)>
Handle *in(const owned<Handle, Destroy> &given) noexcept
{
    return given.get();
}

template <class T, class C = decltype(to_c(std::declval<seen<T>>()))>
lent<C> in(const T &given) noexcept
{
    return {to_c(seen<T>{given})};
}

/** Calls a C function. */
template <class... Parameters, class... Given>
status call(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    return status{function(in(given)...)};
}

/** Calls a C function whose last parameter is the output of a T. */
template <class T, class... Parameters, class... Given>
result<T> ask(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    using room = std::remove_pointer_t<std::tuple_element_t<sizeof...(Given), std::tuple<Parameters...>>>;
    auto filled = sized<room>();
    const auto code = status{function(in(given)..., &filled)};
    if constexpr (std::is_same_v<room, T>) {
        return {code, filled};
    } else if constexpr (std::is_integral_v<room>) {
        return {code, from_count<T>(filled)};
    } else {
        return {code, is_error(code) ? T{} : from_c(seen<room>{filled})};
    }
}

/** Calls a C function whose last two parameters are an output buffer and its capacity. */
template <class Bytes, class... Parameters, class... Given>
result<Bytes> fill(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Bytes room{};
    const auto code = status{function(in(given)..., room.data(), room.size())};
    return {code, room};
}

/** Calls a C function that creates a handle, if the library is compatible with these headers. */
template <class T, class... Parameters, class... Given>
result<T> create(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    decltype(T{}.get()) handle = nullptr;
    const auto code = library_fits() ? status{function(in(given)..., &handle)} : status::abi_mismatch;
    return {code, T{handle}};
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_CALL_HPP */
