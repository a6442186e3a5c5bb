// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Tests the peers' module in games that include it.

#include "Misc/AutomationTest.h"

#if WITH_DEV_AUTOMATION_TESTS && WITH_NETCLOCK_PEERS

#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Peers/NetClockHandover.h"
#include "NetClock/Peers/NetClockPeer.h"
#include "NetClockTestWorld.h"

BEGIN_DEFINE_SPEC(FNetClockPeersSpec, "NetClock.Peers",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
void DefineHandover();
void DefinePeers();
END_DEFINE_SPEC(FNetClockPeersSpec)

void FNetClockPeersSpec::Define()
{
	Describe(TEXT("Handing over"), [this]() { DefineHandover(); });
	Describe(TEXT("Peers"), [this]() { DefinePeers(); });
}

void FNetClockPeersSpec::DefineHandover()
{
	It(TEXT("is refused while no time is known, and takes an outside time"), [this]()
	{
		FNetClockTestWorld Test;
		UNetClockHandover* Handover = Test.World->GetGameInstance()
			? Test.World->GetGameInstance()->GetSubsystem<UNetClockHandover>()
			: nullptr;
		const UNetClockSubsystem* Clock = Test.World->GetSubsystem<UNetClockSubsystem>();
		if (!Handover || !Clock)
		{
			AddError(TEXT("The game has no handover, or its world no clock."));
			return;
		}
		TestTrue(TEXT("nothing was requested"), Handover->GetContinuation() == ENetClockContinuation::None);
		TestTrue(TEXT("its own timescale"),
			Handover->GetTimeAuthority().Timescale != 0 &&
				Handover->GetTimeAuthority().Timescale == Clock->GetStatus().ServerEpoch);
		TestTrue(TEXT("no previous server"),
			Handover->ContinueTimeOfPreviousServer() == ENetClockContinuation::NotSynced);
		constexpr int64 Outside = 17000000000000000;
		TestTrue(TEXT("taken"), Handover->TakeTimeFrom(77, Outside, 1.0) == ENetClockContinuation::Continued);
		Test.Frame();
		TestTrue(TEXT("shown"),
			Clock->IsSynced() && Clock->GetServerTimeTicks() >= Outside &&
				Clock->GetServerTimeTicks() < Outside + 10 * NetClock::TicksPerSecond);
		TestTrue(TEXT("named, and within what was said"),
			Handover->GetTimeAuthority().Timescale == 77 &&
				Handover->GetTimeAuthority().DispersionMs >= 1.0 &&
				Handover->GetTimeAuthority().DispersionMs < 2.0);
	});
}

void FNetClockPeersSpec::DefinePeers()
{
	It(TEXT("wait for each other, and refuse nonsense"), [this]()
	{
		FNetClockTestWorld Test;
		UNetClockRelay* Relay = UNetClockRelay::OpenRelay(Test.World, 1, 2, 2);
		UNetClockPeer* First = UNetClockPeer::JoinGame(Test.World, 5);
		UNetClockPeer* Second = UNetClockPeer::JoinGame(Test.World, 5);
		if (!Relay || !First || !Second)
		{
			AddError(TEXT("There is no relay, or no peer."));
			return;
		}
		Test.Frame();
		TestTrue(TEXT("nobody plays"), First->GetPeerStatus().Stage != ENetClockPeerStage::Playing);
		const TArray<uint8> Junk = {1, 2, 3, 4};
		TestTrue(TEXT("nonsense is refused"), !Relay->ReceiveBytes(1, Junk) && !First->ReceiveBytes(Junk));
	});
}

#endif // WITH_DEV_AUTOMATION_TESTS && WITH_NETCLOCK_PEERS
