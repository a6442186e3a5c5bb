/*
 * NetClock for C++17: how the other headers call those of C. netclock.hpp includes this file.
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

/** True for an error, false for success and for "nothing to give". */
[[nodiscard]] constexpr bool is_error(status code) noexcept { return static_cast<std::int32_t>(code) < 0; }

/** ABI version of the library that was loaded. */
[[nodiscard]] inline std::uint32_t abi_version() noexcept { return netclock_abi_version(); }

/** ABI revision of the library that was loaded: which functions it has. */
[[nodiscard]] inline std::uint32_t abi_revision() noexcept { return netclock_abi_revision(); }

/** True if the library that was loaded has all that this header needs. Every create() asks this first. */
[[nodiscard]] inline bool library_fits() noexcept
{
    return abi_version() == NETCLOCK_ABI_VERSION && abi_revision() >= NETCLOCK_ABI_REVISION;
}

/**
 * The value that a call gave, and its status. True only for status::ok. Otherwise the value is empty (a zero
 * time, a handle that owns nothing), so that reading it is never undefined.
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

    /** The value, or `other` if the call gave none. */
    [[nodiscard]] constexpr T value_or(T other) const & noexcept { return *this ? value_ : std::move(other); }

private:
    status code_;
    T value_;
};

/** A handle of C, destroyed when it is left. What it is for is said where a class inherits from this. */
template <class Handle, netclock_status (*Destroy)(Handle *)>
class owned {
public:
    /** Owns nothing. */
    owned() noexcept = default;

    /** Takes over a handle that C created. */
    explicit owned(Handle *handle) noexcept : handle_{handle} {}

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] Handle *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] Handle *release() noexcept { return handle_.release(); }

    /** Destroys it before its destructor does, and says how that went. After an error (busy: in a callback of
     * its own) it is still owned. */
    status destroy() noexcept
    {
        const auto code = status{Destroy(get())};
        if (code == status::ok) {
            static_cast<void>(handle_.release());
        }
        return code;
    }

private:
    /** A destructor cannot report an error. It leaves the handle alive, and so is a leak. */
    struct destroyer {
        void operator()(Handle *handle) const noexcept { static_cast<void>(Destroy(handle)); }
    };

    std::unique_ptr<Handle, destroyer> handle_;
};

namespace detail {

/** Finds the conversions of this namespace, which headers of other parts add, for a type outside of it. */
template <class T>
struct seen {
    const T &it;
    constexpr operator const T &() const noexcept { return it; }
};

/** A structure of C for the length of a call. */
template <class C>
struct lent {
    C made;
    operator const C *() const noexcept { return &made; }
};

/* An argument as C takes it: numbers and pointers as they are. */

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

/** Calls a function of C. */
template <class... Parameters, class... Given>
status call(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    return status{function(in(given)...)};
}

/** Calls a function of C whose last parameter is room for one T. */
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

/** Calls a function of C whose last two parameters are room for bytes. */
template <class Bytes, class... Parameters, class... Given>
result<Bytes> fill(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Bytes room{};
    const auto code = status{function(in(given)..., room.data(), room.size())};
    return {code, room};
}

/** Calls a function of C that creates a handle, if the library is one that these headers can use. */
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
