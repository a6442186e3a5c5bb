// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "Net/UnrealNetwork.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"

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

	/** The game state begins to play: a server follows its own blob from now on. */
	template <class T> FDelegateHandle FollowBlob(T& State, void (T::*Publish)(UNetClockSession&))
	{
		UNetClockSession* Session = UNetClockSession::Of(&State);
		return Session && State.HasAuthority() ? Session->OnBlobChanged.AddUObject(&State, Publish)
											   : FDelegateHandle();
	}

	/** The game state ends to play. */
	void UnfollowBlob(const UObject& State, FDelegateHandle Handle)
	{
		if (UNetClockSession* Session = UNetClockSession::Of(&State))
		{
			Session->OnBlobChanged.Remove(Handle);
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
		BlobHandle = FollowBlob(*this, &TState::Publish); \
	} \
	\
	void TState::EndPlay(const EEndPlayReason::Type EndPlayReason) \
	{ \
		UnfollowBlob(*this, BlobHandle); \
		Super::EndPlay(EndPlayReason); \
	} \
	\
	void TState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const \
	{ \
		Super::GetLifetimeReplicatedProps(OutLifetimeProps); \
		DOREPLIFETIME(TState, Blob); \
	} \
	\
	void TState::Publish(UNetClockSession& Session) \
	{ \
		FlushNetDormancy(); \
		Blob = Session.GetBlob(); \
		ForceNetUpdate(); \
	}

NETCLOCK_DEFINE_GAME_STATE(ANetClockGameState)
NETCLOCK_DEFINE_GAME_STATE(ANetClockGameStateBase)

#undef NETCLOCK_DEFINE_GAME_STATE

const TArray<uint8>* NetClock::BlobOf(const AGameStateBase& State)
{
	const ANetClockGameState* Match = Cast<ANetClockGameState>(&State);
	const ANetClockGameStateBase* Base = Cast<ANetClockGameStateBase>(&State);
	return Match ? &Match->Blob : Base ? &Base->Blob : nullptr;
}
