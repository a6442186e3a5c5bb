// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The client side of a session.

#include "NetClock/Clock/NetClockSession.h"

#include "Clock/NetClockMemory.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Misc/DateTime.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"

namespace
{
	/** The time until the first save, and the interval between saves once the rate is known, both in
	 * ticks. */
	constexpr int64 FirstMemoryTicks = 60 * NetClock::TicksPerSecond;
	constexpr int64 NextMemoryTicks = 600 * NetClock::TicksPerSecond;

	/** How long a client keeps the time and waits for a new server to continue it, in ticks. */
	constexpr int64 HandoverTicks = 2 * NetClock::TicksPerSecond;

	/** Returns true if the server runs on this machine. Server and client then share a crystal, so the
	 * measured rate would be zero. */
	bool IsThisMachine(const FString& Address)
	{
		return Address.StartsWith(TEXT("127.")) || Address == TEXT("::1") || Address == TEXT("localhost");
	}

	void CopyState(const TArray<uint8>& From, netclock::saved_state& To)
	{
		for (size_t At = 0; static_cast<size_t>(From.Num()) == To.size() && At < To.size(); ++At)
		{
			To[At] = static_cast<std::byte>(From[static_cast<int32>(At)]);
		}
	}
}

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
	bAnswered = false;
	Decision = ENetClockDecision::None;
	// After a reconnect, the server may still be in the world that this client had left.
	LeftWorld = 0;
	OtherTicks = 0;
	bHasAsked = false;
	if (bUnconfirmed)
	{
		// The clock continues if the first reply has the same epoch.
		StartSession();
	}
	else
	{
		bKeeps = false;
		StartClock();
	}
	return bIsNew;
}

void UNetClockSession::StartSession()
{
	static_cast<void>(Guest->follow());
	static_cast<void>(Guest->clock().begin_burst());
}

// The server identifies a guest by the component that sends its datagrams. In split screen, this component
// can change.
void UNetClockSession::SetAsking(const UNetClockComponent* Component)
{
	if (Guest.IsValid() && bHasAsked && !(Asking == Component))
	{
		StartSession();
	}
	Asking = Component;
	bHasAsked = true;
}

void UNetClockSession::StartClock()
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	++Generation;
	OnEnding.Broadcast(*this);
	Guest.Reset();
	if (!NetClock::IsLibraryUsable())
	{
		return;
	}
	netclock::config Config = NetClock::ConfigOf(Settings);
	if (Settings.bRememberClock && !IsThisMachine(FollowedAddress))
	{
		const FNetClockKnown Known = NetClock::Recall(FollowedAddress);
		CopyState(Known.Machine, Config.saved_machine);
		CopyState(Known.Server, Config.saved_server);
	}
	netclock::guest_config OfGuest;
	OfGuest.world_max_rate = static_cast<double>(Settings.MaxUnannouncedDilation);
	Configurer(&OfGuest, nullptr);
	Guest = NetClock::Owned(netclock::guest::create(NetClock::DrawSeed(), OfGuest, Config));
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
	Confirm(Arrived, static_cast<int64>(Guest->report()->host_epoch));
	return Result == netclock::status::ok;
}

void UNetClockSession::Confirm(int64 Arrived, int64 HostEpoch)
{
	if (!bUnconfirmed || HostEpoch == 0)
	{
		return;
	}
	const FNetClockStatus Now = ReadClient(Arrived);
	const bool bSame = Now.ServerEpoch == HostEpoch && Now.Epoch == FollowedEpoch;
	OtherTicks = OtherTicks == 0 ? Arrived : OtherTicks;
	if (Now.ServerEpoch != HostEpoch && bKeeps && Arrived - OtherTicks < HandoverTicks)
	{
		// The new server may still announce that it continues the kept time, so wait a little longer.
		return;
	}
	bUnconfirmed = false;
	Decision = bKeeps ? (bSame ? ENetClockDecision::Followed : ENetClockDecision::Other)
		: bSame       ? ENetClockDecision::Confirmed
					  : ENetClockDecision::None;
	bKeeps = false;
	if (!bSame)
	{
		// This is a different server, whose time is unrelated to this clock.
		StartClock();
		return;
	}
	// Discard the events from before the confirmation. A kept clock was never hidden, so there is nothing to
	// report.
	while (Guest->clock().next_event())
	{
	}
}

bool UNetClockSession::KeepTime()
{
	bKeeps = Guest.IsValid() && !IsUnconfirmed() && ReadClient(NetClock::LocalTicks()).bIsSynced;
	return bKeeps;
}

FNetClockStatus UNetClockSession::ReadClient(int64 Now) const
{
	return Guest.IsValid() ? NetClock::StatusOf(*Guest->clock().read(NetClock::LocalTime(Now)))
						   : FNetClockStatus();
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

// netclock_monotonic_now keeps counting during sleep on Windows, Linux, macOS, Android and iOS, but may stop
// on other systems. Setting UTC forwards looks the same, but only causes a few unnecessary exchanges.
bool UNetClockSession::MayHaveMissedTime(int64 Now)
{
	const int64 AheadTicks = FDateTime::UtcNow().GetTicks() - Now;
	const bool bStopped =
		CalendarAheadTicks != 0 && AheadTicks - CalendarAheadTicks > NetClock::TicksPerSecond;
	CalendarAheadTicks = AheadTicks;
	return bStopped;
}

void UNetClockSession::RememberNowAndThen(int64 Now)
{
	if (Now >= RememberTicks)
	{
		RememberTicks = Now + (Remember() ? NextMemoryTicks : FirstMemoryTicks);
	}
}

// There is no need to save while the server is unconfirmed, because the state was saved when the last
// connection ended.
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
			{NetClock::BytesOf(Saved->machine, Saved->machine.size()),
				NetClock::BytesOf(Saved->server, Saved->server.size())});
	}
	return static_cast<bool>(Saved);
}
