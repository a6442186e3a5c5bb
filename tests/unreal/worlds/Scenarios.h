// The scenarios, each a function that runs worlds and expects.
#pragma once

#include "Report.h"

namespace Scenarios
{
	/** A link with that lag and jitter each way. */
	FLink Link(double LagMs, double JitterMs, double Loss, double Duplicates);
	FMachineSettings At(double Fps, double Ppm, double Origin);

	void Dedicated(uint64 Seed, double Loss);
	void Listen(uint64 Seed, double Loss);
	void Incommensurate(uint64 Seed);
	void Locked(uint64 Seed);
	void LibraryClock(uint64 Seed);
	void WithoutLibrary(uint64 Seed);

	/** The plugin's automation tests: those for the editor, with this editor in its place. */
	void Automation(uint64 Seed);

	void LateJoin(uint64 Seed);
	void ServerRestart(uint64 Seed);
	void SeamlessTravel(uint64 Seed);
	void Standalone(uint64 Seed);
	void PlayInEditor(uint64 Seed);

	void Memory(uint64 Seed);
	void HardTravel(uint64 Seed);
	void HostLeaves(uint64 Seed);
	void MigrationGoesOn(uint64 Seed);
	void MigrationAsksPlayers(uint64 Seed);
	void MigrationRefused(uint64 Seed);
	void MigrationOfFleet(uint64 Seed);
	void PeersAtRelay(uint64 Seed);
	void PeersBadInput(uint64 Seed);
	void FirstPlayerWithout(uint64 Seed);
	void Suspend(uint64 Seed);
	void OtherGameState(uint64 Seed);
	void QueuedCalls(uint64 Seed);
	void StalledServer(uint64 Seed);
	void BriefStall(uint64 Seed);
	void ServerWithoutClock(uint64 Seed);
	void ComponentElsewhere(uint64 Seed);

	void WaitReached(uint64 Seed);
	void WaitThroughTrouble(uint64 Seed);
	void WaitEnds(uint64 Seed);
	void WaitOrder(uint64 Seed);
	void WaitNode(uint64 Seed);

	void StartDedicated(uint64 Seed, double Loss);
	void StartListen(uint64 Seed);
	void StartAlone(uint64 Seed);
	void StartHeldUp(uint64 Seed);
	void StartCheats(uint64 Seed);
	void StartTravel(uint64 Seed);

	void PredictionLead(uint64 Seed);
	void EventOrder(uint64 Seed);
	void RewindTime(uint64 Seed);
	void LatencyChange(uint64 Seed);

	void AnimatedDilation(uint64 Seed);
	void OtherClocks(uint64 Seed);
	void Projectiles(uint64 Seed);
	void LongLivedServer(uint64 Seed);
	void Replay(uint64 Seed);

	void GameplayEffects(uint64 Seed);
	void Sample(uint64 Seed);

	/** The last of all: ends the modules while a clock is alive. */
	void ModuleEnd(uint64 Seed);

	void Flood(uint64 Seed);
	void Nonsense(uint64 Seed);
	void Ownership(uint64 Seed);
	void OwnTransport(uint64 Seed);
	void SpeedHacks(uint64 Seed);

	void Settings(uint64 Seed);
	void Recording(uint64 Seed);
	void Status(uint64 Seed);
	void Counters(uint64 Seed);
	void FirstSync(uint64 Seed);
	void Graph(uint64 Seed);
	void Debugger(uint64 Seed);
}
