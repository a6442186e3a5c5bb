// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Link/NetClockLink.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Link/NetClockLinkBackend.h"
#include "Misc/Guid.h"

namespace
{
	/** What the server offers a player for the link. To nobody else. */
	class FNetClockLinkNews : public FNetClockSubject
	{
	public:
		static constexpr ENetClockSubject Subject = ENetClockSubject::Link;
		using FNetClockSubject::FNetClockSubject;

		void Serve(FNetClockServing&) override
		{
			if (UNetClockLink* Link = UNetClockLink::Of(&Component))
			{
				Component.LinkOffer = Link->OfferTo(Component, Component.LinkOffer);
			}
		}
	};

	const bool bRegisteredLink = UNetClockComponent::Register<FNetClockLinkNews>();
}

UNetClockLink* UNetClockLink::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockLink>()
											 : nullptr;
}

void UNetClockLink::Deinitialize()
{
	Close();
	Super::Deinitialize();
}

void UNetClockLink::Close()
{
	CloseClient();
	Server.Reset();
	Admitted.Reset();
	ServedEpoch = 0;
	Port = 0;
}

void UNetClockLink::CloseClient()
{
	Client.Reset();
	Used = FNetClockLinkOffer();
	UsedConnection = nullptr;
	State = ENetClockLinkState::Off;
}

FNetClockLinkStatus UNetClockLink::GetLinkStatus() const
{
	FNetClockLinkStatus Status = Client.IsValid() ? Client->Read()
		: Server.IsValid()                        ? Server->Read()
												  : FNetClockLinkStatus();
	if (!Client.IsValid() && !Server.IsValid())
	{
		Status.State = State != ENetClockLinkState::Off ? State
			: ServedEpoch != 0                          ? ENetClockLinkState::NoPort
														: ENetClockLinkState::Off;
	}
	Status.Port = Server.IsValid() ? Port : Used.Port;
	return Status;
}

// The client's end.

void UNetClockLink::Follow(const FNetClockLinkOffer& Offer, UNetConnection* Connection)
{
	const UNetClockSession* Session =
		GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	// Until it is certain that the server is the same as before, a kept or hidden clock must learn from
	// nobody else.
	const bool bUsable =
		Session && Session->IsSettled() && Session->GetClient().IsValid() && Offer.IsGiven() && Connection;
	const bool bSame = Offer == Used && UsedConnection == Connection &&
		(!Client.IsValid() || (Session && Client->GetClient().Get() == Session->GetClient().Get()));
	if (!bUsable || !bSame)
	{
		CloseClient();
	}
	if (bUsable && !bSame)
	{
		Server.Reset();
		OpenClient(Offer, Connection);
	}
	Observe();
}

void UNetClockLink::OpenClient(const FNetClockLinkOffer& Offer, UNetConnection* Connection)
{
	Used = Offer;
	UsedConnection = Connection;
	bSaidLinked = bSaidBlocked = false;
	const FString Address = Connection->LowLevelGetRemoteAddress(false);
	if (!NetClock::IsIpAddress(Address))
	{
		State = ENetClockLinkState::NotPossible;
		UE_LOG(LogNetClock, Log,
			TEXT("NetClock: no link, because the connection to the server has no IP address (\"%s\"). The "
				 "game's messages carry the exchange."),
			*Address);
		return;
	}
	FString Trouble;
	const TSharedPtr<FNetClockClient> Clock =
		GetGameInstance()->GetSubsystem<UNetClockSession>()->GetClient();
	Client = FNetClockLinkClient::Open(Clock, Address, Offer, Trouble);
	State = Client.IsValid() ? ENetClockLinkState::Checking : ENetClockLinkState::NotPossible;
	if (!Client.IsValid())
	{
		UE_LOG(LogNetClock, Warning, TEXT("NetClock: no link (%s). The game's messages carry the exchange."),
			*Trouble);
	}
}

// Says once for each connection whether it works.
void UNetClockLink::Observe()
{
	if (!Client.IsValid())
	{
		return;
	}
	State = Client->Read().State;
	if (State == ENetClockLinkState::Linked && !bSaidLinked)
	{
		bSaidLinked = true;
		UE_LOG(LogNetClock, Display, TEXT("NetClock: linked with the server at UDP port %d"), Used.Port);
	}
	if (State == ENetClockLinkState::Blocked && !bSaidBlocked)
	{
		bSaidBlocked = true;
		UE_LOG(LogNetClock, Display,
			TEXT("NetClock: no answer from the server's UDP port %d, so the game's messages carry the "
				 "exchange. Is a firewall or a router in between? Docs/troubleshooting.md of the plugin has "
				 "more."),
			Used.Port);
	}
}

// The server's end.

void UNetClockLink::Serve()
{
	CloseClient();
	const UNetClockSession* Session =
		GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	if (!Session || UNetClockSettings::Get().LinkPort == 0)
	{
		Close();
		return;
	}
	if (ServedEpoch != Session->GetServerEpoch())
	{
		// Its clock is another one now, and players get new keys.
		Close();
		ServedEpoch = Session->GetServerEpoch();
		FString Trouble;
		const UNetClockSettings& Settings = UNetClockSettings::Get();
		Server = FNetClockLinkServer::Open(
			Settings.LinkPort, Settings.LinkPortCount, ServedEpoch, Session->ServerTicks(0), Trouble);
		Port = Server.IsValid() ? Server->GetPort() : 0;
		if (Server.IsValid())
		{
			UE_LOG(LogNetClock, Display, TEXT("NetClock: the link answers at UDP port %d"), Port);
		}
		else if (NetClock::IsLibraryUsable())
		{
			UE_LOG(LogNetClock, Warning,
				TEXT("NetClock: no UDP port from %d on could be opened for the link (%s). The game's "
					 "messages carry the exchange."),
				Settings.LinkPort, *Trouble);
		}
	}
	for (int32 Index = Admitted.Num() - 1; Index >= 0; --Index)
	{
		if (!Admitted[Index].Player.IsValid())
		{
			Server->Revoke(Admitted[Index].KeyId);
			Admitted.RemoveAt(Index);
		}
	}
}

FNetClockLinkOffer UNetClockLink::OfferTo(UObject& Player, const FNetClockLinkOffer& Before)
{
	if (!Server.IsValid())
	{
		return FNetClockLinkOffer();
	}
	const bool bHasKey =
		Admitted.FindByPredicate([&Player](const FAdmitted& It) { return It.Player == &Player; }) != nullptr;
	if (bHasKey)
	{
		return Before;
	}
	const FGuid Secret = FGuid::NewGuid();
	FNetClockLinkOffer Offer;
	Offer.Port = Port;
	Offer.KeyId = ++Keys;
	Offer.SecretHigh = static_cast<int64>(NetClock::HighOf(Secret));
	Offer.SecretLow = static_cast<int64>(NetClock::LowOf(Secret));
	Offer.ServerEpoch = ServedEpoch;
	if (!Server->Admit(Offer))
	{
		return FNetClockLinkOffer();
	}
	Admitted.Add({&Player, Offer.KeyId});
	return Offer;
}
