// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockComponent.h"

#include "Engine/NetConnection.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "Net/UnrealNetwork.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"

namespace
{
	/** The longest wait that a frame can cause, in ticks. */
	constexpr int64 MaxWaitTicks = 60 * NetClock::TicksPerSecond;

	/** Created on first use, because modules add handlers before the constants of this file are
	 * initialized. */
	TArray<UNetClockComponent::FTaker>& Takers()
	{
		static TArray<UNetClockComponent::FTaker> All;
		return All;
	}
}

ANetClockPlayerController::ANetClockPlayerController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}

UNetClockComponent::UNetClockComponent()
{
	PrimaryComponentTick.bCanEverTick = false;
	SetIsReplicatedByDefault(true);
}

UNetClockComponent* UNetClockComponent::Of(const APlayerController* Player)
{
	return Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
}

UNetClockComponent* UNetClockComponent::OfLocal(const APlayerController* Player)
{
	return Player && Player->IsLocalController() ? Of(Player) : nullptr;
}

bool UNetClockComponent::AddTaker(FTaker Taker)
{
	Takers().Add(Taker);
	return true;
}

void UNetClockComponent::BeginPlay()
{
	Super::BeginPlay();
	static bool bWarned = false;
	if (!bWarned && !Cast<APlayerController>(GetOwner()))
	{
		bWarned = true;
		UE_LOG(LogNetClock, Warning,
			TEXT("A NetClock component on %s does nothing, because only a player controller's component can "
				 "call the server. Remove it. The server adds one to each player controller."),
			GetOwner() ? *GetOwner()->GetName() : TEXT("nothing"));
	}
}

void UNetClockComponent::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (Session && GetNetMode() != NM_Client)
	{
		Session->Dismiss(*this);
	}
	Super::EndPlay(EndPlayReason);
}

void UNetClockComponent::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(UNetClockComponent, ServerBoot);
	DOREPLIFETIME(UNetClockComponent, bServerHasNoClock);
}

void UNetClockComponent::OnRep_Server()
{
	// Without its own library this machine has already logged a warning.
	if (bServerHasNoClock && !bLoggedNoClock && NetClock::IsLibraryUsable())
	{
		bLoggedNoClock = true;
		UE_LOG(LogNetClock, Warning,
			TEXT("The server has no NetClock library, so this client uses the engine's clock and sends no "
				 "requests."));
	}
	if (UNetClockSession* Session = UNetClockSession::Of(this))
	{
		Session->LearnServerBoot(ServerBoot);
	}
}

bool UNetClockComponent::CanSend() const
{
	const AActor* Player = GetOwner();
	const UNetDriver* Driver = GetWorld() ? GetWorld()->GetNetDriver() : nullptr;
	const bool bIsClient = GetNetMode() == NM_Client;
	UNetConnection* Connection = bIsClient && Driver ? static_cast<UNetConnection*>(Driver->ServerConnection)
		: Player                                     ? Player->GetNetConnection()
													 : nullptr;
	return Connection && Connection->IsNetReady(false);
}

bool UNetClockComponent::Send(const TArray<uint8>& Bytes, bool bReliable)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const int64 Frame = Clock ? Clock->GetFrameTicks() : 0;
	if (!bReliable && (Frame == SentFrameTicks || !CanSend()))
	{
		return false;
	}
	SentFrameTicks = bReliable ? SentFrameTicks : Frame;
	const bool bIsClient = GetNetMode() == NM_Client;
	++(bIsClient ? Counts.Sent : Counts.Answered);
	if (bIsClient && bReliable)
	{
		ServerBytesReliably(Bytes);
	}
	else if (bIsClient)
	{
		ServerBytes(Bytes);
	}
	else if (bReliable)
	{
		ClientBytesReliably(Bytes);
	}
	else
	{
		ClientBytes(Bytes);
	}
	return true;
}

void UNetClockComponent::ServerBytes_Implementation(const TArray<uint8>& Bytes)
{
	Receive(Bytes, false);
}

void UNetClockComponent::ServerBytesReliably_Implementation(const TArray<uint8>& Bytes)
{
	Receive(Bytes, true);
}

void UNetClockComponent::ClientBytes_Implementation(const TArray<uint8>& Bytes)
{
	Receive(Bytes, false);
}

void UNetClockComponent::ClientBytesReliably_Implementation(const TArray<uint8>& Bytes)
{
	Receive(Bytes, true);
}

void UNetClockComponent::Receive(const TArray<uint8>& Bytes, bool bReliable)
{
	const int64 Arrived = NetClock::LocalTicks();
	const bool bIsClient = GetNetMode() == NM_Client;
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	// Excess datagrams are dropped before anything is copied. No player is disconnected because of a clock.
	const bool bHasBudget = bIsClient ||
		Budget.Spend(Arrived, static_cast<double>(Settings.AnswersInARow),
			static_cast<double>(Settings.AnswersPerSecondAndPlayer));
	if (!bHasBudget || Bytes.Num() > MaxBytes)
	{
		++(bIsClient ? Counts.Refused : Counts.Dropped);
		return;
	}
	for (const FTaker Taker : Takers())
	{
		if (Taker(*this, Bytes, Arrived))
		{
			return;
		}
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!Session || !Clock)
	{
		return;
	}
	// A reliable call may have waited behind lost calls. Before the first frame, nothing was read.
	const int64 Polled = Clock->GetPreviousPollTicks();
	const int64 Since = bReliable || Polled == 0 ? Arrived - MaxWaitTicks : Polled;
	if (bIsClient)
	{
		Counts.Refused += Session->ReceiveFromServer(Bytes, Arrived, Since) ? 0 : 1;
	}
	else
	{
		bAnswersReliably = bReliable;
		static_cast<void>(Session->ReceiveFromPlayer(*this, Bytes, Arrived, Since));
	}
}
