// Tests servers that record, worlds that play a recording, and replays during a live game.
#include "Scenarios.h"

namespace Scenarios
{
	constexpr double ReplayMs = 2;

	/** A world in which a client's game plays a recording. */
	class FPlayback
	{
	public:
		FPlayback(FPeer& InPeer, const FRecording& InRecording) : Peer(InPeer), Recording(InRecording)
		{
			World = NewObject<UWorld>(nullptr);
			World->bReplay = true;
			World->NetMode = NM_Client;
			World->GameInstance = Peer.Machine.Game;
			World->Settings = World->SpawnDouble<AWorldSettings>();
			World->AddSubsystems();
			State = static_cast<ANetClockGameStateBase*>(
				World->SpawnAny(ANetClockGameStateBase::StaticClass()));
			State->Role = ROLE_SimulatedProxy;
			State->BeginPlay();
			Frame(0, TArray<uint8>());
		}
		~FPlayback() { World->TearDown(EEndPlayReason::Quit); }

		/** Shows a frame. As in fast-forwarding, skips the frames since the last shown frame without calling
		 * OnReps. */
		void Show(size_t Index)
		{
			const FRecording::FFrame& Shown = Recording.Frames[Index];
			Frame(Shown.WorldSeconds, Shown.Blob);
			++Frames;
			const double Engine = Shown.WorldSeconds;
			NotEngines += State->GetServerWorldTimeSeconds() != Engine ? 1 : 0;
			if (Clock()->IsSynced()) { Check(Shown.Ticks, Clock()->GetServerTimeTicks()); }
			else { ++Unknown; }
		}

		/** A frame's world time must convert to the correct server time, even if the frame was skipped. */
		void Ask(size_t Index)
		{
			int64 Ticks = 0;
			const FRecording::FFrame& Asked = Recording.Frames[Index];
			const bool bKnown = Clock()->GetServerTimeOfWorldTime(
				ENetClockWorldClock::World, Asked.WorldSeconds, Ticks);
			if (bKnown) { Check(Asked.Ticks, Ticks); }
		}

		void Frame(double WorldSeconds, const TArray<uint8>& Blob)
		{
			Peer.Machine.Enter();
			State->Blob = Blob;
			World->TimeSeconds = WorldSeconds;
			FWorldDelegates::OnWorldTickStart.Broadcast(World, LEVELTICK_All, 0.016f);
			FWorldDelegates::OnWorldPostActorTick.Broadcast(World, LEVELTICK_All, 0.016f);
		}

		UNetClockSubsystem* Clock() const { return World->GetSubsystem<UNetClockSubsystem>(); }

		int32 Frames = 0, Unknown = 0, Wrong = 0, NotEngines = 0;
		double WorstMs = 0;

	private:
		void Check(int64 True, int64 Shown)
		{
			const double Ms = FMath::Abs(static_cast<double>(Shown - True)) * 1e-4;
			WorstMs = FMath::Max(WorstMs, Ms);
			Wrong += Ms > ReplayMs ? 1 : 0;
		}

		FPeer& Peer;
		const FRecording& Recording;
		UWorld* World = nullptr;
		ANetClockGameStateBase* State = nullptr;
	};

	static void RecordChanges(FSession& Session, int32 Changes, double Seconds)
	{
		// A game may let its game state become dormant if the state rarely changes.
		Session.Server->World->GetGameState()->bDormant = true;
		Session.Record();
		FDice Dice{77};
		double Next = FDouble::State.Now;
		int32 Left = Changes;
		Session.Server->OnActors = [&]()
		{
			if (Left == 0 || FDouble::State.Now < Next) { return; }
			--Left;
			Next = FDouble::State.Now + Seconds * (0.5 + Dice.Fraction());
			Session.Server->World->Settings->TimeDilation = static_cast<float>(0.25 + 1.5 * Dice.Fraction());
		};
		while (Left > 0) { Session.Run(0.5); }
		Session.Server->OnActors = nullptr;
		Session.Server->World->Settings->TimeDilation = 1;
		Session.Run(1);
	}

	/** The recording spectator must receive no calls. */
	DUO(Replay, Once, Seed + 37, Link(), NM_DedicatedServer, At(97.3), At(59.3, 10, 5000))
	{
		Session.Run(12);
		RecordChanges(Session, 4, 1.5);
		// The recording contains a first blob, one blob per rate change, and a last blob. In 1 of 24 runs,
		// the recording contains one more blob.
		ExpectIn(Session.Server->World->GetGameState()->Forced, 6, 8, "updates of the blob");
		const FRecording Recording = *Session.Recording;
		{
			FPlayback Playback(Peer, Recording);
			Expect(!Playback.Clock()->IsSynced() && !Playback.Clock()->IsWorldTimeKnown(),
				"times are unknown without a blob");
			for (size_t Index = 0; Index < Recording.Frames.size(); Index += 2)
			{
				Playback.Show(Index);
				Session.Run(0.02);
			}
			// Half a second earlier, the recording contains the same server blob.
			const size_t Last = Recording.Frames.size() - 1;
			Playback.Show(Last);
			Playback.Show(Last - 30);
			Expect(Playback.NotEngines == 0, "the engine drives the world time");
			ExpectNone(Playback.Wrong, "frames with wrong times");
			Expect(Playback.Unknown <= 1, "frames with unknown times", Playback.Unknown);
			// Engines replicate only changed elements of arrays, so a recording can contain a mixture of two
			// blobs.
			const FRecording::FFrame& Middle = Recording.Frames[Recording.Frames.size() / 2];
			TArray<uint8> Mixed = Middle.Blob;
			const TArray<uint8>& Other = Recording.Frames.back().Blob;
			Expect(Mixed.Num() == Other.Num() && !(Mixed == Other), "two blobs", Mixed.Num(), Other.Num());
			for (int32 At = 0; At < Mixed.Num(); At += 2) { Mixed[At] = Other[At]; }
			Playback.Show(Last);
			const int64 Ticks = Playback.Clock()->GetServerTimeTicks();
			Playback.Frame(Recording.Frames.back().WorldSeconds, Mixed);
			Expect(Playback.Clock()->GetServerTimeTicks() == Ticks, "a mixture of two blobs changes nothing");
		}
		Session.Run(5);
		Promises(Peer);
		Expect(Peer.Judged.Synced == 1 && Peer.Judged.Causes.empty(), "the live clock is undisturbed");
		Expect(Session.Recording->Calls == 0, "calls to the spectator who records", Session.Recording->Calls);
	}

	SCENARIO(ReplayScrubbed, Once)
	{
		FDuo Session(Seed + 38, Link(), NM_DedicatedServer, At(), At(59.3, 10, 5000));
		FPeer& Peer = Session.Peer;
		Session.Run(5);
		RecordChanges(Session, 200, 0.3);
		const FRecording Recording = *Session.Recording;
		const size_t Count = Recording.Frames.size();
		FPlayback Playback(Peer, Recording);
		FDice Dice{Seed};
		const auto Any = [&]() { return static_cast<size_t>(Dice.Next() % Count); };
		for (size_t Index = 0; Index < Count; Index += 3) { Playback.Show(Index); }
		for (int32 Jump = 0; Jump < 300; ++Jump)
		{
			size_t Index = Any();
			// Some seeks go back by less than a recorded frame, and playback then continues.
			for (int32 Step = 0; Step < 5 && Index < Count; ++Step, Index += Dice.Next() % 200)
			{
				Playback.Show(Index);
				Playback.Show(Index >= 2 ? Index - 2 : Index);
				for (int32 Asked = 0; Asked < 3; ++Asked) { Playback.Ask(Any() % (Index + 1)); }
			}
		}
		std::printf("    200 segments, scrubbed: %d frames, %d unknown, off by %.3f ms at most\n",
			Playback.Frames, Playback.Unknown, Playback.WorstMs);
		ExpectNone(Playback.Wrong, "wrong times");
		Expect(Playback.Unknown < Playback.Frames / 10, "frames with unknown times", Playback.Unknown);
	}

	/** A recording server can schedule a start, which must not wait for the spectator's answer. */
	DUO(RecordingStart, Once, Seed + 39)
	{
		Session.Record();
		Session.Run(4);
		UNetClockStart* Start = Session.Server->Get<UNetClockStart>();
		Start->PrepareStart();
		Session.Run(4);
		Expect(Session.Recording->Spectator->FindComponentByClass<UNetClockComponent>() != nullptr,
			"the spectator has a component, like every player");
		Expect(Start->ScheduleStart(200), "a start is requested");
		Session.Run(0.1);
		Expect(Start->IsStartScheduled(), "the start is scheduled at once");
		Session.Run(3);
		Expect(Start->GetStartResult().Expected == 1 && Start->GetStartResult().Started == 1,
			"the start waits only for the player");
		Expect(Session.Recording->Calls == 0, "calls to the spectator", Session.Recording->Calls);
		Promises(Peer);
	}

	/** A kill cam plays in copies of the world's levels while the live game continues. */
	DUO(InstantReplay, Once, Seed + 40)
	{
		Session.Run(15);
		const int32 Calls = Peer.CallsUp, Fallback = Peer.Judged.Fallback;
		UWorld* World = Peer.Machine.World;
		// The replay opens before the engine has created a game state.
		World->bReplay = true;
		Session.Run(1);
		World->Active = &World->Duplicated;
		ANetClockGameStateBase* Cam =
			static_cast<ANetClockGameStateBase*>(World->SpawnAny(ANetClockGameStateBase::StaticClass()));
		World->Active = &World->Source;
		Cam->Role = ROLE_SimulatedProxy;
		int32 OfLive = 0;
		const auto Read = Peer.Machine.OnActors;
		Peer.Machine.OnActors = [&]()
		{
			Read();
			World->Active = &World->Duplicated;
			const double Engine = Cam->AGameStateBase::GetServerWorldTimeSeconds();
			OfLive += Cam->GetServerWorldTimeSeconds() != Engine ? 1 : 0;
			World->Active = &World->Source;
		};
		Session.Run(10);
		Session.Server->World->Settings->TimeDilation = 0.5f;
		Session.Run(10);
		Peer.Machine.OnActors = Read;
		Expect(OfLive == 0, "the replay's game state returns the engine's time", OfLive);
		Expect(Peer.Judged.Fallback == Fallback, "the live game state keeps the clock's",
			Peer.Judged.Fallback - Fallback);
		ExpectIn(Peer.CallsUp - Calls, 60, 400, "calls during the replay");
		Promises(Peer);
		Expect(Peer.Judged.Causes.empty(), "no discontinuity");
	}
}
