// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Tests the NetClockPeers module in games that include it.

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
	It(TEXT("is refused while the time is unknown, and adopts an external time"), [this]()
	{
		FNetClockTestWorld Test;
		UNetClockHandover* Handover = Test.World->GetGameInstance()
			? Test.World->GetGameInstance()->GetSubsystem<UNetClockHandover>()
			: nullptr;
		const UNetClockSubsystem* Clock = Test.World->GetSubsystem<UNetClockSubsystem>();
		if (!Handover || !Clock)
		{
			AddError(TEXT("The game has no handover, or its world has no clock."));
			return;
		}
		TestTrue(TEXT("nothing is requested"), Handover->GetContinuation() == ENetClockContinuation::None);
		TestTrue(TEXT("serves its own timescale"),
			Handover->GetTimeAuthority().Timescale != 0 &&
				Handover->GetTimeAuthority().Timescale == Clock->GetStatus().ServerEpoch);
		TestTrue(TEXT("there is no previous server"),
			Handover->ContinueTimeOfPreviousServer() == ENetClockContinuation::NotSynced);
		constexpr int64 Outside = 17000000000000000;
		TestTrue(TEXT("taken"), Handover->TakeTimeFrom(77, Outside, 1.0) == ENetClockContinuation::Continued);
		Test.Frame();
		TestTrue(TEXT("displayed"),
			Clock->IsSynced() && Clock->GetServerTimeTicks() >= Outside &&
				Clock->GetServerTimeTicks() < Outside + 10 * NetClock::TicksPerSecond);
		TestTrue(TEXT("timescale reported, within the given error"),
			Handover->GetTimeAuthority().Timescale == 77 &&
				Handover->GetTimeAuthority().DispersionMs >= 1.0 &&
				Handover->GetTimeAuthority().DispersionMs < 2.0);
	});
}

void FNetClockPeersSpec::DefinePeers()
{
	It(TEXT("wait for each other and reject invalid messages"), [this]()
	{
		FNetClockTestWorld Test;
		UNetClockRelay* Relay = UNetClockRelay::OpenRelay(Test.World, 1, 2, 2);
		UNetClockPeer* First = UNetClockPeer::JoinGame(Test.World, 5);
		UNetClockPeer* Second = UNetClockPeer::JoinGame(Test.World, 5);
		if (!Relay || !First || !Second)
		{
			AddError(TEXT("There is no relay or no peer."));
			return;
		}
		Test.Frame();
		TestTrue(TEXT("the game has not begun"), First->GetPeerStatus().Stage != ENetClockPeerStage::Playing);
		const TArray<uint8> Junk = {1, 2, 3, 4};
		TestTrue(TEXT("rejects invalid bytes"), !Relay->ReceiveBytes(1, Junk) && !First->ReceiveBytes(Junk));
	});
}

#endif // WITH_DEV_AUTOMATION_TESTS && WITH_NETCLOCK_PEERS
