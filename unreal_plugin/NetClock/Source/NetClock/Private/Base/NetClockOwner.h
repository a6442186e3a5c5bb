// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** Owns one of the library's handles, so it cannot be copied. The derived class destroys the handle. */
template <class T> class TNetClockOwner
{
public:
	explicit TNetClockOwner(T* const InHandle) : Handle(InHandle) {}
	TNetClockOwner(const TNetClockOwner&) = delete;
	TNetClockOwner& operator=(const TNetClockOwner&) = delete;

protected:
	~TNetClockOwner() = default;

	T* Handle;
};
