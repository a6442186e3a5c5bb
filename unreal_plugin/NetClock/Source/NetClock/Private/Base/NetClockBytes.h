// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockDatagram.h"
#include "CoreMinimal.h"

namespace NetClock
{
	/** The bytes of a datagram. They do not depend on this machine's byte order. */
	struct FBytes
	{
		FBytes() = default;
		explicit FBytes(const FNetClockDatagram& Datagram)
		{
			Put(0, Datagram.First);
			Put(8, Datagram.Second);
			Put(16, Datagram.Third);
			Put(24, Datagram.Fourth);
		}

		FNetClockDatagram Datagram() const
		{
			FNetClockDatagram Result;
			Result.First = Take(0);
			Result.Second = Take(8);
			Result.Third = Take(16);
			Result.Fourth = Take(24);
			return Result;
		}

		static constexpr int32 Size = 32;
		uint8_t Bytes[Size] = {};

	private:
		void Put(int32 From, int64 Value)
		{
			for (int32 Index = 0; Index < 8; ++Index)
			{
				Bytes[From + Index] =
					static_cast<uint8_t>((static_cast<uint64_t>(Value) >> (56 - 8 * Index)) & 255u);
			}
		}

		int64 Take(int32 From) const
		{
			uint64_t Value = 0;
			for (int32 Index = 0; Index < 8; ++Index)
			{
				Value = Value << 8 | Bytes[From + Index];
			}
			return static_cast<int64>(Value);
		}
	};
}
