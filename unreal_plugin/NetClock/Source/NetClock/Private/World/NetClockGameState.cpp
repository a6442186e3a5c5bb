// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "Net/UnrealNetwork.h"
#include "NetClock/Clock/NetClockSubsystem.h"

/** Defines the functions of both game states, which derive from different classes. This is a macro, because
 * reflected classes cannot be templates. */
#define NETCLOCK_DEFINE_GAME_STATE(TState) \
	double TState::GetServerWorldTimeSeconds() const \
	{ \
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this); \
		const double EngineSeconds = Super::GetServerWorldTimeSeconds(); \
		return Clock ? Clock->ShowWorldTime(*this, EngineSeconds) : EngineSeconds; \
	} \
	\
	void TState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const \
	{ \
		Super::GetLifetimeReplicatedProps(OutLifetimeProps); \
		DOREPLIFETIME(TState, Blob); \
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

void NetClock::PublishBlob(AGameStateBase& State, const TArray<uint8>& Bytes)
{
	TArray<uint8>* Blob = const_cast<TArray<uint8>*>(BlobOf(State));
	if (Blob && !(*Blob == Bytes))
	{
		State.FlushNetDormancy();
		*Blob = Bytes;
		State.ForceNetUpdate();
	}
}
