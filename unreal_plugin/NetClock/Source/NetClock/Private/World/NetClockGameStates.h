// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockSubsystem.h"
#include "CoreMinimal.h"

/** What both game states do. They have no base class of NetClock's in common, since each derives from one of
 * the engine's. */
namespace NetClock
{
	/** The world time to show: NetClock's, or the engine's where there is no clock. */
	template <class T> T ShowWorldTime(const UObject& State, T EngineSeconds)
	{
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State);
		return Clock ? static_cast<T>(Clock->ShowWorldTime(EngineSeconds)) : EngineSeconds;
	}

	/** Client: the server replicated its segments. */
	inline void LearnSegments(const UObject& State, const FNetClockWorldSegments& Segments)
	{
		if (UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State))
		{
			Clock->SetServerSegments(Segments);
		}
	}

	/** The game state begins to play: a server follows its own segments from now on, a client learns what it
	 * was sent. */
	template <class T>
	FDelegateHandle FollowSegments(
		T& State, void (T::*Publish)(const FNetClockWorldSegments&), FNetClockWorldSegments& Segments)
	{
		UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State);
		if (!Clock || !State.HasAuthority())
		{
			LearnSegments(State, Segments);
			return FDelegateHandle();
		}
		Segments = Clock->GetServerSegments();
		return Clock->OnServerSegmentsChanged.AddUObject(&State, Publish);
	}

	/** The game state ends to play. */
	inline void UnfollowSegments(const UObject& State, FDelegateHandle Handle)
	{
		if (UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State))
		{
			Clock->OnServerSegmentsChanged.Remove(Handle);
		}
	}
}
