// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockSession.h"

#include "Clock/NetClockMemory.h"
#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockReadings.h"

namespace
{
	/** From a connection's begin to the first time that its clock is kept, again while its rate is not known,
	 * and then to the next ones. */
	constexpr int64 FirstMemoryTicks = 60 * NetClock::TicksPerSecond;
	constexpr int64 NextMemoryTicks = 600 * NetClock::TicksPerSecond;

	/** How long a kept clock waits for a server with another clock to continue its time, in ticks. */
	constexpr int64 AdoptionTicks = 2 * NetClock::TicksPerSecond;

	/** Most players of a server. */
	constexpr uint32 Capacity = 256;

	/** The plugin reads the real time of a frame a little after the engine does. This is the allowance for
	 * it, in ticks. */
	constexpr int64 ReadLagTicks = NetClock::TicksPerSecond / 1000;

	/** The longest frame for which messages wait, in ticks: a server at 20 frames a second. */
	constexpr int64 SlowestFrameTicks = NetClock::TicksPerSecond / 20;

	/** A server on this machine has the same crystal. Its rate of zero says nothing about the machine. */
	bool IsThisMachine(const FString& Address)
	{
		return Address.StartsWith(TEXT("127.")) || Address == TEXT("::1") || Address == TEXT("localhost");
	}

	/** Never zero. */
	int64 DrawEpoch()
	{
		return static_cast<int64>(NetClock::HighOf(FGuid::NewGuid()) | 1u);
	}

	netclock::ticks TicksOfMs(float Ms)
	{
		return netclock::ticks{NetClock::MsToTicks(static_cast<double>(Ms))};
	}

	netclock::ticks TicksOfSeconds(double Seconds)
	{
		return netclock::ticks{NetClock::SecondsToTicks(Seconds)};
	}

	/** A state of another length is none. */
	void CopyState(const TArray<uint8>& From, netclock::saved_state& To)
	{
		for (size_t At = 0; static_cast<size_t>(From.Num()) == To.size() && At < To.size(); ++At)
		{
			To[At] = static_cast<std::byte>(From[static_cast<int32>(At)]);
		}
	}

	template <class T> TArray<uint8> BytesOf(const T& From, size_t Count)
	{
		return TArray<uint8>(reinterpret_cast<const uint8*>(From.data()), static_cast<int32>(Count));
	}

	/** The project's settings for a client's clock. Everything else is the library's default. */
	netclock::config ConfigOf(const UNetClockSettings& Settings)
	{
		netclock::config Config;
		// Stamps are taken at frame boundaries, yet client_frame and server_frame stay zero. They are for
		// loops with a known fixed rate, and correct for half a frame. The length of a game's frames varies.
		// More exchanges help instead: some of them arrive just before a frame begins, and the smallest wait
		// counts. So it is with packets that wait for a flush, as they do in every other frame above 120
		// frames a second.
		Config.steady_interval = TicksOfSeconds(1.0 / static_cast<double>(Settings.ProbesPerSecond));
		Config.target_bound = TicksOfMs(Settings.TargetBoundMs);
		Config.step_threshold = TicksOfMs(Settings.StepThresholdMs);
		Config.max_slew = static_cast<double>(Settings.MaxSlewPercent) / 100.0;
		// The largest difference between two machines, half of it for each.
		Config.client_drift_ppm = static_cast<double>(Settings.MaxDriftPpm) / 2.0;
		Config.server_drift_ppm = Config.client_drift_ppm;
		Config.saved_seconds = NetClock::CalendarSeconds();
		Config.boot = static_cast<std::uint64_t>(NetClock::BootId());
		return Config;
	}

	netclock::host_config HostConfigOf(const UNetClockSettings& Settings)
	{
		netclock::host_config Config;
		Config.capacity = Config.start_capacity = Capacity;
		Config.world_read_lag = netclock::ticks{ReadLagTicks};
		// The setting is the largest difference between two machines, half of it for each.
		Config.utc_drift_ppm = static_cast<uint32>(Settings.MaxDriftPpm / 2.0f) + 1u;
		Config.start_patience = TicksOfSeconds(static_cast<double>(Settings.StartPatienceSeconds));
		Config.start_max_expected_error = TicksOfMs(Settings.StartMaxExpectedErrorMs);
		Config.start_frame = netclock::ticks{SlowestFrameTicks};
		return Config;
	}

	/** Null, with a reason in the log, if it could not be made. */
	template <class T> TSharedPtr<T> Made(netclock::result<T> Result)
	{
		if (!Result)
		{
			UE_LOG(LogNetClock, Error, TEXT("The clock could not be created: %s"),
				UTF8_TO_TCHAR(netclock_last_error()));
			return nullptr;
		}
		return MakeShared<T>(MoveTemp(*Result));
	}
}

UNetClockSession* UNetClockSession::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>()
											 : nullptr;
}

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	ServerEpoch = DrawEpoch();
}

void UNetClockSession::Deinitialize()
{
	static_cast<void>(Remember());
	++Generation;
	OnEnding.Broadcast(*this);
	Guest.Reset();
	History.Reset();
	Host.Reset();
	Players.Reset();
	Super::Deinitialize();
}

// The server's end.

void UNetClockSession::ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs)
{
	// A new epoch: clients must not mix it with what they know of an earlier run.
	ServerEpoch = DrawEpoch();
	ServerOffset = OffsetTicks;
	Served.ServerEpoch = ServerEpoch;
	Served.Timescale = Timescale;
	UpdateDispersion(DispersionMs);
	// A server follows nobody.
	static_cast<void>(Remember());
	++Generation;
	OnEnding.Broadcast(*this);
	Host.Reset();
	History.Reset();
	Guest.Reset();
	Players.Reset();
	bKeeps = bUnconfirmed = bConfirmed = bAnswered = false;
}

void UNetClockSession::UpdateDispersion(double DispersionMs)
{
	Served.DispersionMs = DispersionMs;
	ServedTicks = NetClock::LocalTicks();
}

FNetClockAuthority UNetClockSession::GetServedAuthority() const
{
	FNetClockAuthority Now = Served;
	if (Served.ServerEpoch == 0)
	{
		// The server serves its own time.
		Now.ServerEpoch = Now.Timescale = ServerEpoch;
		return Now;
	}
	const double PassedMs = NetClock::TicksToMs(NetClock::LocalTicks() - ServedTicks);
	Now.DispersionMs +=
		FMath::Max(0.0, PassedMs) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 1.0e-6;
	return Now;
}

netclock::host* UNetClockSession::GetHost()
{
	if (bAsking || bKeeps || !NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	if (!Host.IsValid())
	{
		Host = Made(netclock::host::create(static_cast<std::uint64_t>(ServerEpoch),
			NetClock::SeedOf(FGuid::NewGuid()), HostConfigOf(UNetClockSettings::Get())));
		History = MakeReader();
		Blob.Reset();
		++Generation;
	}
	return Host.Get();
}

UNetClockComponent* UNetClockSession::GetPlayer(uint64 Number) const
{
	const bool bKnown = Number < static_cast<std::uint64_t>(Players.Num());
	return bKnown ? Players[static_cast<int32>(Number)].Get() : nullptr;
}

int32 UNetClockSession::NumberOf(const UNetClockComponent& Player) const
{
	const int32 Number = Player.PlayerNumber;
	return Players.IsValidIndex(Number) && Players[Number] == &Player ? Number : -1;
}

bool UNetClockSession::ReceiveFromPlayer(
	UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks)
{
	netclock::host* To = GetHost();
	if (!To)
	{
		return false;
	}
	int32 Number = NumberOf(Player);
	if (Number < 0)
	{
		Number = 0;
		while (Number < Players.Num() && Players[Number].IsValid())
		{
			++Number;
		}
		static_cast<void>(To->dismiss(static_cast<std::uint64_t>(Number)));
		if (To->admit(static_cast<std::uint64_t>(Number)) != netclock::status::ok)
		{
			if (!bSaidFull)
			{
				bSaidFull = true;
				UE_LOG(LogNetClock, Warning,
					TEXT("NetClock serves %u players at a time. Further ones use the engine's clock."),
					Capacity);
			}
			return false;
		}
		if (Number == Players.Num())
		{
			Players.Add(nullptr);
		}
		Players[Number] = &Player;
		Player.PlayerNumber = Number;
	}
	static_cast<void>(To->polled(NetClock::ServerTime(ServerTicks(PolledTicks))));
	bAnswered = true;
	return To->receive(static_cast<std::uint64_t>(Number), Bytes.GetData(), static_cast<size_t>(Bytes.Num()),
			   NetClock::ServerTime(ServerTicks(Arrived))) == netclock::status::ok;
}

void UNetClockSession::Dismiss(const UNetClockComponent& Player)
{
	const int32 Number = NumberOf(Player);
	if (Number >= 0)
	{
		Players[Number] = nullptr;
		static_cast<void>(
			Host.IsValid() ? Host->dismiss(static_cast<std::uint64_t>(Number)) : netclock::status::ok);
	}
}

void UNetClockSession::KeepBlob()
{
	if (!Host.IsValid() || !History.IsValid())
	{
		return;
	}
	const auto Now = Host->blob();
	bool bSame = Now && static_cast<size_t>(Blob.Num()) == Now->size;
	for (int32 At = 0; bSame && At < Blob.Num(); ++At)
	{
		bSame = Blob[At] == static_cast<uint8>(Now->bytes[static_cast<size_t>(At)]);
	}
	if (Now && !bSame)
	{
		Blob = BytesOf(Now->bytes, Now->size);
		static_cast<void>(History->read_blob(Now->bytes.data(), Now->size));
		OnBlobChanged.Broadcast(*this);
	}
}

TSharedPtr<netclock::guest> UNetClockSession::MakeReader()
{
	return NetClock::IsLibraryUsable() ? Made(netclock::guest::create(NetClock::SeedOf(FGuid::NewGuid())))
									   : nullptr;
}

// The client's end.

bool UNetClockSession::FollowConnection(UNetConnection* Connection)
{
	if (!Connection || FollowedConnection == Connection)
	{
		return false;
	}
	static_cast<void>(Remember());
	const int64 Now = NetClock::LocalTicks();
	const bool bIsNew = Guest.IsValid() && !bKeeps;
	const FString Address = Connection->LowLevelGetRemoteAddress(false);
	const FNetClockStatus Known = ReadClient(Now);
	bUnconfirmed = Known.bIsSynced && (bKeeps || Address == FollowedAddress);
	FollowedEpoch = Known.Epoch;
	FollowedConnection = Connection;
	FollowedAddress = Address;
	RememberTicks = Now + FirstMemoryTicks;
	bAnswered = bConfirmed = bDecided = false;
	// After a reconnect the server may still be in the same world.
	LeftWorld = 0;
	OtherTicks = 0;
	bHasAsked = false;
	if (bUnconfirmed)
	{
		// What is known goes on if the first answer is of the same time.
		BeginConversation();
	}
	else
	{
		bKeeps = false;
		BeginClock();
	}
	return bIsNew;
}

void UNetClockSession::BeginConversation()
{
	static_cast<void>(Guest->follow());
	static_cast<void>(Guest->clock().begin_burst());
}

// The server knows a guest by the component that asks. With a split screen it can be another one's.
void UNetClockSession::SetAsking(const UNetClockComponent* Component)
{
	if (Guest.IsValid() && bHasAsked && !(Asking == Component))
	{
		BeginConversation();
	}
	Asking = Component;
	bHasAsked = true;
}

void UNetClockSession::BeginClock()
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	++Generation;
	OnEnding.Broadcast(*this);
	Guest.Reset();
	if (!NetClock::IsLibraryUsable())
	{
		return;
	}
	netclock::config Config = ConfigOf(Settings);
	if (Settings.bRememberClock && !IsThisMachine(FollowedAddress))
	{
		const FNetClockKnown Known = NetClock::Recall(FollowedAddress);
		CopyState(Known.Machine, Config.saved_machine);
		CopyState(Known.Server, Config.saved_server);
	}
	netclock::guest_config Subjects;
	// As a double, 0.99f is above 0.99.
	Subjects.lead_quantile = FMath::Min(static_cast<double>(Settings.InTimeShare), 0.99);
	Subjects.latency_least_change = TicksOfMs(Settings.LeastLatencyChangeMs);
	Guest = Made(netclock::guest::create(NetClock::SeedOf(FGuid::NewGuid()), Subjects, Config));
	LearnServerBoot(LearnedBoot);
}

bool UNetClockSession::ReceiveFromServer(const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks)
{
	if (!Guest.IsValid())
	{
		return false;
	}
	static_cast<void>(Guest->clock().polled(NetClock::LocalTime(PolledTicks)));
	const netclock::status Result = Guest->receive(
		Bytes.GetData(), static_cast<size_t>(Bytes.Num()), NetClock::LocalTime(Arrived));
	if (bUnconfirmed)
	{
		Confirm(Arrived, static_cast<int64>(Guest->report()->host_epoch));
	}
	return Result == netclock::status::ok;
}

bool UNetClockSession::HandleReply(const FNetClockReply& Reply, int64 Arrived)
{
	if (!Guest.IsValid())
	{
		return false;
	}
	netclock::reply Given;
	Given.id = static_cast<std::uint64_t>(Reply.Id);
	Given.epoch = static_cast<std::uint64_t>(Reply.Epoch);
	Given.received = NetClock::ServerTime(Reply.ReceivedTicks);
	Given.sent = NetClock::ServerTime(Reply.SentTicks);
	Given.wait = static_cast<uint32>(FMath::Max(Reply.WaitTicks, 0));
	const netclock::status Result = Guest->clock().handle_reply(Given, NetClock::LocalTime(Arrived));
	const bool bAccepted = Result == netclock::status::ok;
	if (bUnconfirmed && bAccepted)
	{
		Confirm(Arrived, Reply.Epoch);
	}
	return bAccepted;
}

void UNetClockSession::Confirm(int64 Arrived, int64 HostEpoch)
{
	if (HostEpoch == 0)
	{
		return;
	}
	const FNetClockStatus Now = ReadClient(Arrived);
	const bool bSame = Now.ServerEpoch == HostEpoch && Now.Epoch == FollowedEpoch;
	OtherTicks = OtherTicks == 0 ? Arrived : OtherTicks;
	if (Now.ServerEpoch != HostEpoch && bKeeps && Arrived - OtherTicks < AdoptionTicks)
	{
		// Its reply has to come first.
		return;
	}
	bUnconfirmed = false;
	bDecided = bKeeps;
	bFollowed = bKeeps && bSame;
	bConfirmed = !bKeeps && bSame;
	bKeeps = false;
	if (!bSame)
	{
		// Another server, whose time has nothing to do with what this clock knows.
		BeginClock();
		return;
	}
	// They are about the time while it was not certain. A kept clock was shown all the time, so there is
	// nothing to report.
	while (Guest->clock().next_event())
	{
	}
}

bool UNetClockSession::TakeDecision(bool& bFollows)
{
	bFollows = bFollowed;
	const bool bTaken = bDecided;
	bDecided = false;
	return bTaken;
}

bool UNetClockSession::TakeConfirmed()
{
	const bool bTaken = bConfirmed;
	bConfirmed = false;
	return bTaken;
}

bool UNetClockSession::KeepTime()
{
	FNetClockAuthority Known;
	bKeeps = Guest.IsValid() && !IsUnconfirmed() && ReadClient(NetClock::LocalTicks()).bIsSynced &&
		GetFollowedAuthority(Known);
	return bKeeps;
}

bool UNetClockSession::GetFollowedAuthority(FNetClockAuthority& Authority) const
{
	if (!Guest.IsValid())
	{
		return false;
	}
	const auto Known = netclock::authority_of(Guest->clock(), NetClock::LocalTime(NetClock::LocalTicks()));
	if (Known)
	{
		Authority.ServerEpoch = static_cast<int64>(Known->epoch);
		Authority.Timescale = static_cast<int64>(Known->timescale);
		Authority.DispersionMs = NetClock::MsOf(Known->dispersion);
	}
	return static_cast<bool>(Known);
}

FNetClockStatus UNetClockSession::ReadClient(int64 Now) const
{
	return Guest.IsValid() ? NetClock::StatusOf(*Guest->clock().read(NetClock::LocalTime(Now)))
						   : FNetClockStatus();
}

bool UNetClockSession::LearnAuthority(const FNetClockAuthority& Authority)
{
	if (!Guest.IsValid() || Authority.ServerEpoch == 0)
	{
		return false;
	}
	netclock::guest_client Clock = Guest->clock();
	const netclock::authority Given{static_cast<std::uint64_t>(Authority.ServerEpoch),
		static_cast<std::uint64_t>(Authority.Timescale),
		netclock::ticks{NetClock::MsToTicks(Authority.DispersionMs)}};
	return netclock::set_authority(Clock, Given, NetClock::LocalTime(NetClock::LocalTicks())) ==
		netclock::status::ok;
}

void UNetClockSession::LearnServerBoot(int64 Boot)
{
	LearnedBoot = Boot;
	if (Guest.IsValid())
	{
		netclock::guest_client Clock = Guest->clock();
		static_cast<void>(netclock::set_server_boot(Clock, static_cast<std::uint64_t>(Boot)));
	}
}

bool UNetClockSession::KnewMachine() const
{
	return Guest.IsValid() && netclock::used_saved(Guest->clock())->machine;
}

bool UNetClockSession::KnewServer() const
{
	return Guest.IsValid() && netclock::used_saved(Guest->clock())->server;
}

void UNetClockSession::RememberNowAndThen(int64 Now)
{
	if (Now >= RememberTicks)
	{
		RememberTicks = Now + (Remember() ? NextMemoryTicks : FirstMemoryTicks);
	}
}

// Until it is settled which server the clock follows, what it knows was kept when its last connection ended.
bool UNetClockSession::Remember()
{
	const bool bWanted = Guest.IsValid() && IsSettled() && UNetClockSettings::Get().bRememberClock &&
		!IsThisMachine(FollowedAddress);
	if (!bWanted)
	{
		return false;
	}
	netclock::guest_client Clock = Guest->clock();
	const auto Saved = netclock::save(Clock, NetClock::CalendarSeconds());
	if (Saved)
	{
		NetClock::Remember(FollowedAddress,
			{BytesOf(Saved->machine, Saved->machine.size()), BytesOf(Saved->server, Saved->server.size())});
	}
	return static_cast<bool>(Saved);
}
