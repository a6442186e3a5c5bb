// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "Net/UnrealNetwork.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"

// Both game states share this code. They have no common base class, since they derive from different engine
// classes.
namespace
{
	/** Returns NetClock's world time, or the engine's where there is no clock. */
	template <class T> T ShowWorldTime(const AGameStateBase& State, T EngineSeconds)
	{
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&State);
		return Clock ? static_cast<T>(Clock->ShowWorldTime(State, EngineSeconds)) : EngineSeconds;
	}

	/** On the server, makes Publish be called whenever the blob changes. */
	template <class T> FDelegateHandle FollowBlob(T& State, void (T::*Publish)(UNetClockSession&))
	{
		UNetClockSession* Session = UNetClockSession::Of(&State);
		return Session && State.HasAuthority() ? Session->OnBlobChanged.AddUObject(&State, Publish)
											   : FDelegateHandle();
	}

	/** Ends these calls. */
	void UnfollowBlob(const UObject& State, FDelegateHandle Handle)
	{
		if (UNetClockSession* Session = UNetClockSession::Of(&State))
		{
			Session->OnBlobChanged.Remove(Handle);
		}
	}
}

/** A macro, because a reflected class cannot be a template. */
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
