// Compares what a client shows in each frame with the truth.
#include "Session.h"

#include <algorithm>

double FSeen::Quantile(double Share) const
{
	if (ErrorsMs.empty()) { return 0; }
	std::vector<double> Sorted;
	for (const double Error : ErrorsMs) { Sorted.push_back(FMath::Abs(Error)); }
	const size_t At =
		FMath::Min(Sorted.size() - 1, static_cast<size_t>(Share * static_cast<double>(Sorted.size())));
	std::nth_element(Sorted.begin(), Sorted.begin() + static_cast<std::ptrdiff_t>(At), Sorted.end());
	return Sorted[At];
}

void FSession::CountEvents(FPeer& Peer)
{
	Peer.Clock()->OnSynced.AddLambda([&Peer]() { ++Peer.Judged.Synced; });
	Peer.Clock()->OnDiscontinuity.AddLambda(
		[&Peer](ENetClockCause Cause, double) { Peer.Judged.Causes.push_back(Cause); });
}

void FSession::Read(FPeer& Peer)
{
	const AGameStateBase* State = Peer.Machine.World->GetGameState();
	if (State && Peer.Clock()->IsWorldTimeKnown())
	{
		Peer.Judged.ShownInFrame.push_back(State->GetServerWorldTimeSeconds());
	}
}

void FSession::Judge(FPeer& Peer)
{
	FJudged& Judged = Peer.Judged;
	const UNetClockSubsystem* Clock = Peer.Clock();
	const double At = Peer.Machine.TickStart;
	// A client that travels in this frame has not started a frame in the new world yet.
	Judged.UnsyncedAfterTravel += Peer.bTravelled && !Clock->IsSynced() ? 1 : 0;
	if (Clock->IsSynced())
	{
		if (Judged.SyncedAfter < 0) { Judged.SyncedAfter = At - Peer.JoinedAt; }
		// If the client keeps its clock, the clock still shows the previous server's time.
		const bool bKept =
			Clock->GetStatus().ServerEpoch != Server->Get<UNetClockSession>()->GetServerEpoch();
		if (!bKept && Judged.ConfirmedAt < 0) { Judged.ConfirmedAt = At; }
		const double TrueTicks = ServerTicksAt(At);
		const double OffMs = FMath::Abs(static_cast<double>(Clock->GetServerTimeTicks()) - TrueTicks) * 1e-4;
		// Both sides round their clocks down, so allow two ticks.
		Judged.OutsideRealBound += !bKept && OffMs > Clock->GetStatus().ErrorBoundMs + 2e-4 ? 1 : 0;
	}
	const AGameStateBase* State = Peer.Machine.World->GetGameState();
	if (!State || Peer.bBehind) { return; }
	const double Shown = State->GetServerWorldTimeSeconds();
	// In its first second, the clock may step to a better estimate. The step starts a new epoch.
	const int32 Epoch = Clock->GetStatus().Epoch;
	const bool bSteps = Epoch != Judged.LastEpoch && At - Judged.ConfirmedAt < 1;
	Judged.Backwards += Shown < Judged.LastShown ? 1 : 0;
	Judged.EarlySteps += Shown < Judged.LastShown && bSteps ? 1 : 0;
	Judged.LastEpoch = Epoch;
	Judged.LastShown = Shown;
	if (!Clock->IsWorldTimeKnown())
	{
		++Judged.Fallback;
		return;
	}
	++Judged.Frames;
	for (const double Other : Judged.ShownInFrame) { Judged.Unequal += Other != Shown ? 1 : 0; }
	const double Truth = Server->WorldTimeAt(At);
	const double ErrorMs = (Shown - Truth) * 1000;
	const double BoundMs = Clock->GetWorldTimeErrorBoundMs();
	Judged.OutsideBound += FMath::Abs(ErrorMs) > BoundMs ? 1 : 0;
	const FNetClockWorldReading Reading = Clock->GetWorldReading(ENetClockWorldClock::World);
	const double IfUnchangedMs = BoundMs - Reading.ErrorBoundMs + Reading.ErrorBoundIfUnchangedMs;
	Judged.OutsideIfUnchanged += FMath::Abs(ErrorMs) > IfUnchangedMs ? 1 : 0;
	Judged.WorstMs = FMath::Max(Judged.WorstMs, FMath::Abs(ErrorMs));
	if (Peer.OnJudged) { Peer.OnJudged(At, ErrorMs); }
	if (At - Peer.JoinedAt >= Peer.SettleSeconds)
	{
		Judged.LargestBoundMs = FMath::Max(Judged.LargestBoundMs, IfUnchangedMs);
		Judged.NetClock.ErrorsMs.push_back(ErrorMs);
		Judged.Engine.ErrorsMs.push_back((State->AGameStateBase::GetServerWorldTimeSeconds() - Truth) * 1000);
	}
}
