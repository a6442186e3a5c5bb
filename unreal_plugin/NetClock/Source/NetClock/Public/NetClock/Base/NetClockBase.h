// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/EngineVersionComparison.h"
#include "Misc/Guid.h"
#include "NetClockBase.generated.h"

NETCLOCK_API DECLARE_LOG_CATEGORY_EXTERN(LogNetClock, Log, All);

/** Differences between engine versions. There are no others. */

// AGameStateBase::GetServerWorldTimeSeconds() returned float up to 5.0.
#if UE_VERSION_OLDER_THAN(5, 1, 0)
using FNetClockWorldSeconds = float;
#else
using FNetClockWorldSeconds = double;
#endif

/** Units: NetClock counts time in ticks of 100 ns, as FTimespan does. */
namespace NetClock
{
	/** Ticks in a second. */
	constexpr int64 TicksPerSecond = 10000000;

	/** Stands for an unknown number of milliseconds. It is larger than any number that it is compared
	 * with. */
	constexpr double UnknownMs = 1.0e12;

	constexpr double TicksToSeconds(int64 Ticks)
	{
		return static_cast<double>(Ticks) / static_cast<double>(TicksPerSecond);
	}
	constexpr double TicksToMs(int64 Ticks) { return static_cast<double>(Ticks) * 1.0e-4; }

	/** For people: a number of milliseconds and its unit, or "unknown". */
	inline FString MsText(double Ms)
	{
		return Ms < UnknownMs ? FString::Printf(TEXT("%.3f ms"), Ms) : FString(TEXT("unknown"));
	}

	/** Rounds towards zero. The result must fit into 64 bits: about 29,000 years. */
	constexpr int64 SecondsToTicks(double Seconds)
	{
		return static_cast<int64>(Seconds * static_cast<double>(TicksPerSecond));
	}
	constexpr int64 MsToTicks(double Ms) { return static_cast<int64>(Ms * 1.0e4); }

	/**
	 * Reads this machine's monotonic real clock, in ticks of 100 ns. It is never a world's time: a world's
	 * time stands still within a frame, pauses, is dilated, and starts again with each world. It is the
	 * library's clock, which no time service slews and which counts suspension. Without the library it is
	 * FPlatformTime::Seconds(), which promises neither.
	 */
	NETCLOCK_API int64 LocalTicks();

	/** True if the NetClock library was loaded and has the version that this plugin was built for. If not,
	 * the first call logs why. */
	NETCLOCK_API bool IsLibraryUsable();
}

/** One of the library's datagrams of 32 bytes, as arguments of a call. Each number holds eight bytes, the
 * highest first. */
USTRUCT()
struct NETCLOCK_API FNetClockDatagram
{
	GENERATED_BODY()

	UPROPERTY()
	int64 First = 0;

	UPROPERTY()
	int64 Second = 0;

	UPROPERTY()
	int64 Third = 0;

	UPROPERTY()
	int64 Fourth = 0;
};

/** The library's spans and seeds, as the plugin has them. */
namespace NetClock
{
	/** The library's word for a span that nothing bounds: NETCLOCK_UNBOUNDED, which NetClockBackend.cpp
	 * checks. */
	constexpr int64 Unbounded = INT64_MAX;

	/** UnknownMs for an unbounded span. */
	constexpr double SpanToMs(int64 Span) { return Span == Unbounded ? UnknownMs : TicksToMs(Span); }

	/** Rounds a bound up. What is negative, unknown, or no number is unbounded. */
	inline int64 BoundToTicks(double Ms)
	{
		return Ms >= 0.0 && Ms < UnknownMs ? static_cast<int64>(FMath::FloorToDouble(Ms * 1.0e4)) + 1
										   : Unbounded;
	}

	/** The two halves of a seed. */
	inline uint64 HighOf(const FGuid& Seed) { return (static_cast<uint64>(Seed.A) << 32) | Seed.B; }
	inline uint64 LowOf(const FGuid& Seed) { return (static_cast<uint64>(Seed.C) << 32) | Seed.D; }
}

namespace NetClock
{
	/** The bytes of a datagram. They do not depend on this machine's byte order. */
	struct FBytes
	{
		FBytes() = default;
		explicit FBytes(const FNetClockDatagram& From)
		{
			for (int32 At = 0; At < Size; ++At)
			{
				const uint64_t Part = static_cast<uint64_t>(From.*Parts[At / 8]);
				Bytes[At] = static_cast<uint8_t>((Part >> (56 - 8 * (At % 8))) & 255u);
			}
		}

		FNetClockDatagram Datagram() const
		{
			FNetClockDatagram Result;
			for (int32 At = 0; At < Size; ++At)
			{
				int64& Part = Result.*Parts[At / 8];
				Part = static_cast<int64>(static_cast<uint64_t>(Part) << 8 | Bytes[At]);
			}
			return Result;
		}

		static constexpr int32 Size = 32;
		uint8_t Bytes[Size] = {};

	private:
		static constexpr int64 FNetClockDatagram::* Parts[] = {&FNetClockDatagram::First,
			&FNetClockDatagram::Second, &FNetClockDatagram::Third, &FNetClockDatagram::Fourth};
	};
}

/** Owns one of the library's handles, so it cannot be copied. The derived class creates the handle and says
 * how to destroy it. */
template <class T> class TNetClockOwner
{
public:
	using FEnd = int32 (*)(T*);

	TNetClockOwner(T* const InHandle, FEnd InEnd) : Handle(InHandle), End(InEnd) {}
	TNetClockOwner(const TNetClockOwner&) = delete;
	TNetClockOwner& operator=(const TNetClockOwner&) = delete;

protected:
	~TNetClockOwner() { Destroy(); }

	/** A derived class whose members the library uses calls it first. */
	void Destroy()
	{
		if (Handle)
		{
			static_cast<void>(End(Handle));
			Handle = nullptr;
		}
	}

	/** Null if there is no library, or if Create(&Handle) returns anything but NETCLOCK_OK, which is zero. */
	template <class TDerived, class TCreate> static TSharedPtr<TDerived> Own(FEnd InEnd, TCreate Create)
	{
		T* Made = nullptr;
		if (!NetClock::IsLibraryUsable() || Create(&Made) != 0)
		{
			return nullptr;
		}
		return MakeShared<TDerived>(Made, InEnd);
	}

	T* Handle;

private:
	FEnd End;
};

/** Limits the messages of one player: a number in a row, and a rate in the long run. */
struct FNetClockBudget
{
	/** Counts a message that arrived at Now, in ticks. False if the budget is spent. */
	bool Spend(int64 Now, double InARow, double PerSecond)
	{
		Left = At == 0
			? InARow
			: FMath::Min(InARow, Left + FMath::Max(0.0, NetClock::TicksToSeconds(Now - At)) * PerSecond);
		At = Now;
		if (Left < 1.0)
		{
			return false;
		}
		Left -= 1.0;
		return true;
	}

private:
	double Left = 0.0;
	int64 At = 0;
};
