// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Net/UnrealNetwork.h"

// What both game states do. They have no base class of NetClock's in common, since each derives from one of
// the engine's.
namespace
{
	/** The world time to show: NetClock's, or the engine's where there is no clock. */
	template <class T> T ShowWorldTime(const UObject& State, T EngineSeconds)
	{
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State);
		return Clock ? static_cast<T>(Clock->ShowWorldTime(EngineSeconds)) : EngineSeconds;
	}

	/** Client: the server replicated its segments. */
	void LearnSegments(const UObject& State, const FNetClockWorldSegments& Segments)
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
	void UnfollowSegments(const UObject& State, FDelegateHandle Handle)
	{
		if (UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State))
		{
			Clock->OnServerSegmentsChanged.Remove(Handle);
		}
	}
}

/** A reflected class cannot be a template. */
#define NETCLOCK_DEFINE_GAME_STATE(TState) \
	FNetClockWorldSeconds TState::GetServerWorldTimeSeconds() const \
	{ \
		return ShowWorldTime(*this, Super::GetServerWorldTimeSeconds()); \
	} \
	\
	void TState::BeginPlay() \
	{ \
		Super::BeginPlay(); \
		SegmentsHandle = FollowSegments(*this, &TState::Publish, ServerSegments); \
	} \
	\
	void TState::EndPlay(const EEndPlayReason::Type EndPlayReason) \
	{ \
		UnfollowSegments(*this, SegmentsHandle); \
		Super::EndPlay(EndPlayReason); \
	} \
	\
	void TState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const \
	{ \
		Super::GetLifetimeReplicatedProps(OutLifetimeProps); \
		DOREPLIFETIME(TState, ServerSegments); \
	} \
	\
	void TState::Publish(const FNetClockWorldSegments& Segments) \
	{ \
		ServerSegments = Segments; \
	} \
	\
	void TState::OnRep_ServerSegments() \
	{ \
		LearnSegments(*this, ServerSegments); \
	}

NETCLOCK_DEFINE_GAME_STATE(ANetClockGameState)
NETCLOCK_DEFINE_GAME_STATE(ANetClockGameStateBase)

#undef NETCLOCK_DEFINE_GAME_STATE
