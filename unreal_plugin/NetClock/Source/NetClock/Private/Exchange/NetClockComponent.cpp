// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockComponent.h"

#include "Engine/NetConnection.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "Net/UnrealNetwork.h"
#include <utility>
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"

namespace
{
	/** Each player's budget on the server, in datagrams. The average rate exceeds the highest request rate,
	 * and the burst size is enough for several bursts of requests. */
	constexpr double DatagramsPerSecond = 30.0;
	constexpr double Burst = 64.0;
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

void UNetClockComponent::BeginPlay()
{
	Super::BeginPlay();
	if (!Cast<APlayerController>(GetOwner()))
	{
		NetClock::ReportMisuse(TEXT("A NetClock component"),
			TEXT("it does nothing on this actor, because only a player controller's component can call the "
				 "server. Remove it. The server adds one to each player controller."));
	}
}

void UNetClockComponent::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	if (UNetClockSession* Session = UNetClockSession::Of(this))
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
	// If this machine lacks the library too, it has already logged a warning.
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
	const bool bSecond = Frame == SentFrameTicks;
	if (!bReliable && (bSecond || !CanSend()))
	{
		Held = bSecond && Held.IsEmpty() ? Bytes : Held;
		return false;
	}
	SentFrameTicks = bReliable ? SentFrameTicks : Frame;
	const bool bIsClient = GetNetMode() == NM_Client;
	++(bIsClient ? Counts.Sent : Counts.Answered);
	if (bIsClient)
	{
		bReliable ? ServerBytesReliably(Bytes) : ServerBytes(Bytes);
	}
	else
	{
		bReliable ? ClientBytesReliably(Bytes) : ClientBytes(Bytes);
	}
	return true;
}

void UNetClockComponent::SendHeld()
{
	const TArray<uint8> Due = std::exchange(Held, TArray<uint8>());
	static_cast<void>(Due.IsEmpty() || Send(Due, false));
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

// This token bucket allows bursts, but limits the average rate.
bool UNetClockComponent::Spend(int64 Now)
{
	const double Earned = FMath::Max(0.0, NetClock::TicksToSeconds(Now - BudgetTicks)) * DatagramsPerSecond;
	BudgetLeft = BudgetTicks == 0 ? Burst : FMath::Min(Burst, BudgetLeft + Earned);
	BudgetTicks = Now;
	const bool bLeft = BudgetLeft >= 1.0;
	BudgetLeft -= bLeft ? 1.0 : 0.0;
	return bLeft;
}

void UNetClockComponent::Receive(const TArray<uint8>& Bytes, bool bReliable)
{
	const int64 Arrived = NetClock::LocalTicks();
	const bool bIsClient = GetNetMode() == NM_Client;
	// Drop excess datagrams before copying anything, but never disconnect a player because of the clock.
	if ((!bIsClient && !Spend(Arrived)) || Bytes.Num() > MaxBytes)
	{
		++(bIsClient ? Counts.Refused : Counts.Dropped);
		return;
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!Session || !Clock)
	{
		return;
	}
	// A reliable call may have been queued behind lost calls for any length of time.
	const int64 Since = bReliable ? 0 : Clock->GetPreviousPollTicks();
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
