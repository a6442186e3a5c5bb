// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Link/NetClockLink.h"

#include "NetClock/Link/NetClockLinkSettings.h"

#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "Misc/Guid.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The maximum number of players with a key. All other players use the game's messages. */
	constexpr uint32 MaxKeys = 1024;

	/** The size of the longest address as text, including the terminating zero. */
	constexpr int32 AddressSize = 64;

	void CopyAddress(const FString& Address, char (&Host)[AddressSize])
	{
		int32 Length = 0;
		for (int32 Index = 0; Index < Address.Len() && Length < AddressSize - 1; ++Index)
		{
			if (Address[Index] != '[' && Address[Index] != ']')
			{
				Host[Length++] = static_cast<char>(Address[Index]);
			}
		}
		Host[Length] = '\0';
	}

	ENetClockLinkState StateOf(netclock::link_state State)
	{
		using EState = netclock::link_state;
		return State == EState::linked                                  ? ENetClockLinkState::Linked
			: State == EState::blocked || State == EState::not_possible ? ENetClockLinkState::Blocked
			: State == EState::serving                                 ? ENetClockLinkState::Serving
																	   : ENetClockLinkState::Checking;
	}

	/** Clamps a count to the largest value that fits in a Blueprint integer. */
	int32 CountOf(std::uint64_t Count)
	{
		return static_cast<int32>(FMath::Min(Count, std::uint64_t{0x7fffffff}));
	}

	ENetClockStamps StampsOf(netclock::link_stamps Stamps)
	{
		return Stamps == netclock::link_stamps::kernel ? ENetClockStamps::Kernel
			: Stamps == netclock::link_stamps::none    ? ENetClockStamps::Frames
													   : ENetClockStamps::Thread;
	}

	FNetClockLinkStatus StatusOf(const netclock::link_report& Report)
	{
		FNetClockLinkStatus Status;
		Status.State = StateOf(Report.state);
		Status.Stamps = StampsOf(Report.stamps);
		Status.Requests = CountOf(Report.requests);
		Status.Replies = CountOf(Report.replies);
		Status.Foreign = CountOf(Report.foreign);
		return Status;
	}

	FString LinkText(const FNetClockLinkStatus& Link)
	{
		const TCHAR* Stamps =
			Link.Stamps == ENetClockStamps::Kernel ? TEXT("the kernel") : TEXT("its thread");
		switch (Link.State)
		{
		case ENetClockLinkState::Checking: return FString::Printf(TEXT("checking UDP port %d"), Link.Port);
		case ENetClockLinkState::Linked:
			return FString::Printf(TEXT("linked at UDP port %d, stamped by %s; %d requests, %d replies used"),
				Link.Port, Stamps, Link.Requests, Link.Replies);
		case ENetClockLinkState::Blocked:
			return FString::Printf(
				TEXT("blocked: no answer from UDP port %d, using the game's messages"), Link.Port);
		case ENetClockLinkState::NotPossible:
			return FString(
				TEXT("not possible here: the connection has no IP address, using the game's messages"));
		case ENetClockLinkState::Serving:
			return FString::Printf(
				TEXT("serving at UDP port %d; %d requests answered, %d datagrams rejected"),
				Link.Port, Link.Requests, Link.Foreign);
		case ENetClockLinkState::NoPort:
			return FString(TEXT("off: no port could be opened, and the log explains why"));
		default: return FString(TEXT("off: no port is set on the server"));
		}
	}

	FString LastError() { return FString(UTF8_TO_TCHAR(netclock_last_error())); }
}

bool NetClock::IsIpAddress(const FString& Text)
{
	int32 Dots = 0;
	int32 Colons = 0;
	for (int32 Index = 0; Index < Text.Len(); ++Index)
	{
		const TCHAR Letter = Text[Index];
		const bool bDigit = (Letter >= '0' && Letter <= '9') || (Letter >= 'a' && Letter <= 'f') ||
			(Letter >= 'A' && Letter <= 'F') || Letter == '[' || Letter == ']';
		Dots += Letter == '.' ? 1 : 0;
		Colons += Letter == ':' ? 1 : 0;
		if (!bDigit && Letter != '.' && Letter != ':')
		{
			return false;
		}
	}
	return Colons >= 2 || (Colons == 0 && Dots == 3);
}

UNetClockLink* UNetClockLink::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockLink>()
											 : nullptr;
}

UNetClockSession* UNetClockLink::GetSession() const
{
	return GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
}

void UNetClockLink::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndingHandle = UNetClockSubsystem::OnFrameEnding.AddUObject(this, &UNetClockLink::OnFrameEnding);
	ReportingHandle = UNetClockSubsystem::OnReporting.AddUObject(this, &UNetClockLink::OnReporting);
}

void UNetClockLink::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnding.Remove(FrameEndingHandle);
	UNetClockSubsystem::OnReporting.Remove(ReportingHandle);
	Close();
	Super::Deinitialize();
}

void UNetClockLink::OnFrameEnding(UWorld* World)
{
	UNetClockSession* Session = GetSession();
	if (World->GetGameInstance() != GetGameInstance() || !Session)
	{
		return;
	}
	if (!bListens)
	{
		// Close the link's client before the guest whose clock it uses. The delegates only have weak
		// references to this object.
		bListens = true;
		Session->OnEnding.AddUObject(this, &UNetClockLink::OnEnding);
	}
	const ENetMode Mode = World->GetNetMode();
	const bool bServes = Mode == NM_DedicatedServer || Mode == NM_ListenServer;
	if (Mode == NM_Client)
	{
		Follow(World->GetNetDriver() ? World->GetNetDriver()->ServerConnection : nullptr);
	}
	else if (bServes && Session->GetHost())
	{
		Serve(*World);
	}
	else
	{
		// The game is no longer networked, or the server does not serve a time yet.
		Close();
	}
}

void UNetClockLink::OnReporting(const UWorld* World, TArray<FString>& Lines)
{
	if (World->GetGameInstance() == GetGameInstance() && World->GetNetMode() != NM_Standalone &&
		!NetClock::IsReplay(*World))
	{
		Lines.Add(FString::Printf(TEXT("  link         %s"), *LinkText(GetLinkStatus())));
	}
}

void UNetClockLink::OnEnding(UNetClockSession&)
{
	CloseClient();
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
	UsedPort = 0;
	UsedKey = 0;
	UsedConnection = nullptr;
	State = ENetClockLinkState::Off;
}

FNetClockLinkStatus UNetClockLink::GetLinkStatus() const
{
	FNetClockLinkStatus Status = Client.IsValid() ? StatusOf(*Client->report())
		: Server.IsValid()                        ? StatusOf(*Server->report())
												  : FNetClockLinkStatus();
	if (!Client.IsValid() && !Server.IsValid())
	{
		Status.State = State != ENetClockLinkState::Off ? State
			: ServedEpoch != 0                          ? ENetClockLinkState::NoPort
														: ENetClockLinkState::Off;
	}
	Status.Port = Server.IsValid() ? Port : UsedPort;
	return Status;
}

void UNetClockLink::Follow(UNetConnection* Connection)
{
	UNetClockSession* Session = GetSession();
	// Until the server is confirmed, replies may come from a different server, so a kept clock must not use
	// them.
	netclock::guest* Guest = Session->IsSettled() && Connection ? Session->GetGuest() : nullptr;
	const auto Offer = Guest ? Guest->link_offer()
							 : netclock::result<netclock::link_offer>{netclock::status::no_link_offer, {}};
	const bool bSame = Offer && Offer->port == UsedPort && Offer->key.id == UsedKey &&
		UsedConnection == Connection;
	if (!bSame)
	{
		CloseClient();
	}
	if (Offer && !bSame)
	{
		Server.Reset();
		UsedPort = Offer->port;
		UsedKey = Offer->key.id;
		UsedConnection = Connection;
		bLoggedLinked = bLoggedBlocked = false;
		OpenClient(*Guest, *Offer, Connection->LowLevelGetRemoteAddress(false));
	}
	Observe();
}

void UNetClockLink::OpenClient(
	netclock::guest& Guest, const netclock::link_offer& Offer, const FString& Address)
{
	if (!NetClock::IsIpAddress(Address))
	{
		State = ENetClockLinkState::NotPossible;
		UE_LOG(LogNetClock, Log,
			TEXT("NetClock: no link, because the connection to the server has no IP address (\"%s\"). The "
				 "game's messages carry the exchange."),
			*Address);
		return;
	}
	const UNetClockLinkSettings& Settings = UNetClockLinkSettings::Get();
	netclock::link_client_config Config;
	Config.message_interval = netclock::ticks{
		NetClock::SecondsToTicks(static_cast<double>(Settings.ProbeIntervalBesideLinkSeconds))};
	netclock::session_key Key = Offer.key;
	// If a link is reopened on the same connection, it has the same key, so it must not reuse message
	// numbers.
	static uint32 Opened = 0;
	Key.restarts = Opened++;
	char Host[AddressSize];
	CopyAddress(Address, Host);
	netclock::guest_client Clock = Guest.clock();
	auto Made = netclock::link_client::create(Clock, Host, Offer.port, Key, Config);
	State = Made ? ENetClockLinkState::Checking : ENetClockLinkState::NotPossible;
	if (!Made)
	{
		UE_LOG(LogNetClock, Warning, TEXT("NetClock: no link (%s). The game's messages carry the exchange."),
			*LastError());
		return;
	}
	Client = MakeShared<netclock::link_client>(MoveTemp(*Made));
}

// Logs once per connection whether the link works.
void UNetClockLink::Observe()
{
	if (!Client.IsValid())
	{
		return;
	}
	State = StatusOf(*Client->report()).State;
	if (State == ENetClockLinkState::Linked && !bLoggedLinked)
	{
		bLoggedLinked = true;
		UE_LOG(LogNetClock, Display, TEXT("NetClock: linked with the server at UDP port %d"), UsedPort);
	}
	if (State == ENetClockLinkState::Blocked && !bLoggedBlocked)
	{
		bLoggedBlocked = true;
		UE_LOG(LogNetClock, Display,
			TEXT("NetClock: no answer from the server's UDP port %d, so the game's messages carry the "
				 "exchange. Is a firewall or a router in between? Docs/troubleshooting.md of the plugin has "
				 "more."),
			UsedPort);
	}
}

void UNetClockLink::Serve(const UWorld& World)
{
	CloseClient();
	UNetClockSession* Session = GetSession();
	const UNetClockLinkSettings& Settings = UNetClockLinkSettings::Get();
	if (Settings.LinkPort == 0)
	{
		Close();
		return;
	}
	if (ServedEpoch != Session->GetServerEpoch())
	{
		// The server now has a new clock, so players get new keys.
		Close();
		ServedEpoch = Session->GetServerEpoch();
		OpenServer(Session->ServerTicks(0));
	}
	for (int32 Index = Admitted.Num() - 1; Index >= 0; --Index)
	{
		const UNetClockComponent* Player = Admitted[Index].Player.Get();
		if (!Player || Session->NumberOf(*Player) < 0)
		{
			static_cast<void>(Server->revoke(Admitted[Index].KeyId));
			Admitted.RemoveAt(Index);
		}
	}
	for (FConstPlayerControllerIterator It = World.GetPlayerControllerIterator(); Server.IsValid() && It;
		++It)
	{
		UNetClockComponent* Player = UNetClockComponent::Of(It->Get());
		const bool bHasKey = Admitted.FindByPredicate(
			[Player](const FAdmitted& Each) { return Each.Player == Player; }) != nullptr;
		const int32 Number = Player ? Session->NumberOf(*Player) : -1;
		if (Number < 0 || bHasKey)
		{
			continue;
		}
		const FGuid Secret = FGuid::NewGuid();
		netclock::session_key Key;
		Key.secret = {NetClock::HighOf(Secret), NetClock::LowOf(Secret)};
		Key.id = ++Keys;
		if (Server->admit(Key) == netclock::status::ok &&
			Session->GetHost()->offer_link(
				static_cast<std::uint64_t>(Number), static_cast<uint16>(Port), Key) == netclock::status::ok)
		{
			Admitted.Add({Player, Key.id});
		}
	}
}

void UNetClockLink::OpenServer(int64 OffsetTicks)
{
	const UNetClockLinkSettings& Settings = UNetClockLinkSettings::Get();
	netclock::link_server_config Config;
	Config.capacity = MaxKeys;
	Config.clock_offset = netclock::ticks{OffsetTicks};
	FString Trouble;
	for (Port = Settings.LinkPort; Port < Settings.LinkPort + Settings.LinkPortCount && Port <= 65535; ++Port)
	{
		auto Made = netclock::link_server::create(
			static_cast<uint16>(Port), static_cast<std::uint64_t>(ServedEpoch), Config);
		if (Made)
		{
			Server = MakeShared<netclock::link_server>(MoveTemp(*Made));
			UE_LOG(LogNetClock, Display, TEXT("NetClock: the link answers at UDP port %d"), Port);
			return;
		}
		Trouble = LastError();
		// Windows also denies a port if another program uses it exclusively or has reserved it.
		if (Made.code() != netclock::status::port_in_use && Made.code() != netclock::status::no_permission)
		{
			break;
		}
	}
	Port = 0;
	UE_LOG(LogNetClock, Warning,
		TEXT("NetClock: no UDP port from %d on could be opened for the link (%s). The game's messages carry "
			 "the exchange."),
		Settings.LinkPort, *Trouble);
}
