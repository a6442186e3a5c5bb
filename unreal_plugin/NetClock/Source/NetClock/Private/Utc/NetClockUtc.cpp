// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Utc/NetClockUtc.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Utc/NetClockUtcBackend.h"

namespace
{
	/** FDateTime counts ticks from the year 1, NetClock from 1970. The last one is of the year 9999. */
	constexpr int64 TicksTo1970 = 621355968000000000;
	constexpr int64 LastTicks = 3155378975999999999;

	/** Smaller corrections are no news, in ticks. */
	constexpr int64 NewsTicks = NetClock::TicksPerSecond / 100;

	/** The server's claim, as it tells a player. */
	class FNetClockUtcNews : public FNetClockSubject
	{
	public:
		static constexpr ENetClockSubject Subject = ENetClockSubject::Utc;
		using FNetClockSubject::FNetClockSubject;

		void Serve(FNetClockServing&) override
		{
			const UNetClockUtc* Utc = UNetClockUtc::Of(&Component);
			Component.UtcClaim = Utc ? Utc->GetClaim() : FNetClockUtcClaim();
		}

		void Learn() override
		{
			if (UNetClockUtc* Utc = UNetClockUtc::Of(&Component))
			{
				Utc->Learn(Component.UtcClaim);
			}
		}
	};

	const bool bRegisteredUtc = UNetClockComponent::Register<FNetClockUtcNews>();
}

UNetClockUtc* UNetClockUtc::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockUtc>()
											 : nullptr;
}

void UNetClockUtc::Deinitialize()
{
	Publisher.Reset();
	Known.Reset();
	Super::Deinitialize();
}

bool UNetClockUtc::IsServer() const
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	return World && World->GetNetMode() != NM_Client && !World->IsPlayingReplay();
}

bool UNetClockUtc::Read(const FNetClockStatus& Status, FDateTime& Utc, double& ErrorBoundMs) const
{
	Utc = FDateTime();
	ErrorBoundMs = NetClock::UnknownMs;
	if (!NetClock::IsLibraryUsable() && IsServer())
	{
		// Its own UTC needs no library.
		Utc = FDateTime::UtcNow();
		return true;
	}
	int64 Ticks = 0;
	if (!Known.IsValid() || !Known->Read(Status, Ticks, ErrorBoundMs))
	{
		return false;
	}
	Utc = FDateTime(TicksTo1970 + Ticks);
	return true;
}

bool UNetClockUtc::Until(
	const FNetClockStatus& Status, FDateTime Utc, FTimespan& Remaining, double& ErrorBoundMs) const
{
	Remaining = FTimespan();
	FDateTime Now;
	if (!Read(Status, Now, ErrorBoundMs))
	{
		return false;
	}
	// A date can be made of any number, and the difference could overflow.
	Remaining = FTimespan(FMath::Clamp<int64>(Utc.GetTicks(), 0, LastTicks) - Now.GetTicks());
	return true;
}

bool UNetClockUtc::ServerTicksAt(const FNetClockStatus& Status, FDateTime Utc, int64& ServerTicks) const
{
	ServerTicks = 0;
	const int64 Since1970 = FMath::Clamp<int64>(Utc.GetTicks(), 0, LastTicks) - TicksTo1970;
	return Known.IsValid() && Status.bIsSynced &&
		Known->ServerTicksAt(Status.ServerEpoch, Since1970, ServerTicks);
}

void UNetClockUtc::Observe(const FNetClockStatus& Status)
{
	const UNetClockSession* Session = UNetClockSession::Of(GetGameInstance());
	if (!Session || !Status.bIsSynced || Session->KeepsTime() || !NetClock::IsLibraryUsable())
	{
		return;
	}
	const int64 Now = NetClock::LocalTicks();
	if (PublishedEpoch != Session->GetServerEpoch())
	{
		PublishedEpoch = Session->GetServerEpoch();
		Publisher = FNetClockUtcPublisher::Create(PublishedEpoch);
		Claim = FNetClockUtcClaim();
	}
	else if (Now - ObservedTicks < NetClock::TicksPerSecond)
	{
		return;
	}
	ObservedTicks = Now;
	FNetClockUtcSample Sample;
	if (Publisher.IsValid() && NetClock::ReadUtc(Sample) &&
		Publisher->Observe(
			Session->ServerTicks(Sample.LocalTicks), Sample, NetClock::BoundToTicks(ServerErrorMs), Claim))
	{
		Learn(Claim);
	}
}

void UNetClockUtc::Learn(const FNetClockUtcClaim& Told)
{
	if (Told.Epoch == 0)
	{
		return;
	}
	if (!Known.IsValid())
	{
		Known = FNetClockServerUtc::Create();
	}
	int64 JumpTicks = 0;
	bool bFirst = false;
	if (Known.IsValid() && Known->Insert(Told, JumpTicks, bFirst) &&
		(bFirst || FMath::Abs(JumpTicks) >= NewsTicks))
	{
		OnServerUtcChanged.Broadcast(NetClock::TicksToSeconds(JumpTicks));
	}
}
