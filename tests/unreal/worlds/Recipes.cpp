// Runs each recipe of `recipes.md` in a world, with the code blocks of the page (pages.rs).
#include "StartJudge.h"

#include "pages/round-1.inl"

class AMyRoundMode : public AGameModeBase
{
	DOUBLE_CLASS(AMyRoundMode, AGameModeBase)
	AMyRoundMode()
	{
		GameStateClass = ANetClockGameStateBase::StaticClass();
		PlayerControllerClass = APlayerController::StaticClass();
	}
	void PostLogin(APlayerController* NewPlayer) override;
	static constexpr int32 PlayersToStart = 2;
	int32 Players = 0;
};

#include "pages/round-2.inl"

class AMyCountdown : public AActor
{
	DOUBLE_CLASS(AMyCountdown, AActor)
	FString GetText() const;
};

#include "pages/countdown.inl"

class AMyDoor : public AActor
{
	DOUBLE_CLASS(AMyDoor, AActor)
	void Show();
	void PlaySound() { ++Sounds; }
	static constexpr double OpeningSeconds = 1.5;
	int64 OpenedTicks = 0;
	double Position = 0.0;
	bool bShown = false;
	int32 Sounds = 0;
};

#include "pages/door.inl"

class AMyStage : public AActor
{
	DOUBLE_CLASS(AMyStage, AActor)
	bool FindPosition(double LengthSeconds, double DelayMs, double& Position) const;
	int64 StartedTicks = 0;
};

#include "pages/position.inl"

class AMyLift : public AActor
{
	DOUBLE_CLASS(AMyLift, AActor)
	bool FindHeight(double& Height) const;
	bool FindHour(double& Hour) const;
};

#include "pages/platform-moves.inl"

#include "pages/day.inl"

struct FMyMove
{
	bool CanCombineWith(const FMyMove& Next) const;
	int64 DashTicks = 0;
};

class AMyDasher : public AActor
{
	DOUBLE_CLASS(AMyDasher, AActor)
	bool AcceptDash(const APlayerController* Player, int64 DashTicks);
	static constexpr int64 CooldownTicks = 20000000;
	static constexpr int64 ToleranceTicks = 400000;
	int64 LastDashTicks = -CooldownTicks;
};

#include "pages/cooldown-1.inl"
#include "pages/cooldown-2.inl"

class AMyShooter : public AActor
{
	DOUBLE_CLASS(AMyShooter, AActor)
	double FindInterpolationMs(double SmoothingMs) const;
};

#include "pages/proxies.inl"

namespace Scenarios
{
	template <class T> static T* Spawn(const FMachine& Machine)
	{
		Machine.Enter();
		return static_cast<T*>(FDouble::Make(T::StaticClass(), Machine.World));
	}

	/** A caller's error is logged once, with a remedy. */
	DUO(MisuseIsLogged, Tools, Seed + 89, Link(25, 4, 0, 0))
	{
		Peer.Machine.Enter();
		const int32 Before = FDouble::State.Warnings;
		for (int32 Try = 0; Try < 3; ++Try)
		{
			Expect(UNetClockNodes::GetServerTimeSeconds(Peer.Machine.World) <= 0, "no time before the sync");
			Expect(!StartOf(Peer.Machine)->ScheduleStart(), "a client cannot schedule a start");
			Expect(UNetClockNodes::GetServerWorldTimeSeconds(nullptr) <= 0, "no time without a world");
		}
		Expect(FDouble::State.Warnings == Before + 3, "logged once each", FDouble::State.Warnings - Before);
		Session.RunUntil([&]() { return Peer.Clock()->IsSynced(); });
		Expect(UNetClockNodes::GetServerTimeSeconds(Peer.Machine.World) > 0, "a time after the sync");
		Expect(FDouble::State.Warnings == Before + 3, "reading the time after the sync logs nothing");
	}

	/** A round starts when two players have joined, and a third joins during the countdown. */
	SCENARIO(RecipeRound, Once)
	{
		FSession Session(At(30, 10, 5000), NM_DedicatedServer, Seed + 90);
		Session.Play(AMyRoundMode::StaticClass());
		UNetClockStart* Start = StartOf(*Session.Server);
		Session.Run(3);
		Expect(Start->GetStartStatus().Stage == ENetClockStartStage::None, "no round without players");
		Session.Join(At(), Link());
		Session.Run(2);
		Expect(Start->GetStartStatus().Stage == ENetClockStartStage::None, "no round with one player");
		Session.Join(At(97.3, 25, 90000), Link(60, 6, 0.02, 0.01));
		Session.RunUntil([&]() { return Start->IsStartScheduled(); });
		Session.Run(1);
		FPeer& Third = Session.Join(At(60, 5, 40), Link(40, 4, 0.05, 0.01));
		const std::deque<FBegun> Begun = FollowAll(Session);
		const AMyCountdown* Countdown = Spawn<AMyCountdown>(Third.Machine);
		std::vector<std::string> Texts;
		Third.Machine.AlsoAtEnd([&]()
		{
			const std::string Text = FDouble::Narrow(*Countdown->GetText());
			if (Texts.empty() || Texts.back() != Text) { Texts.push_back(Text); }
		});
		Session.Run(5);
		Expect(Begun[2].Scheduled == 1, "a late player gets the announcement", Begun[2].Scheduled);
		for (const FBegun& Each : Begun)
		{
			Promised(Session, Each, Start->GetStartStatus().AtTicks);
			const ENetClockStartStage Stage = StartOf(Each.Machine)->GetStartStatus().Stage;
			Expect(Stage == ENetClockStartStage::Started, "the start happened on this machine");
		}
		// A lost datagram may delay the announcement by a second.
		const bool bRuns = Texts.size() >= 3 && (Texts[1] == "2" || Texts[1] == "1");
		const bool bCounts = bRuns && Texts[0] == "-" && Texts.back() == "Go!";
		std::string All;
		for (const std::string& Text : Texts) { All += Text + " "; }
		Expect(bCounts, "the countdown is unknown, runs, and ends: " + All);
	}

	/** Before the first sync, no age may be zero and no countdown may be over, even if the game state is
	 * known. */
	DUO(RecipeBeforeSync, Once, Seed + 91)
	{
		Session.Run(5);
		AMyDoor* Seen = Spawn<AMyDoor>(Peer.Machine);
		Peer.Machine.AlsoAtEnd([Seen]() { Seen->Show(); });
		const int64 Opened = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks();
		Seen->OpenedTicks = Opened;
		Expect(StartOf(*Session.Server)->ScheduleStart(8000), "a start is scheduled");
		Session.Run(0.7);
		ExpectIn(Seen->Position, 0.3, 0.6, "position of the opening door");
		Session.Run(2.3);
		Expect(Seen->Sounds == 1 && Seen->Position >= 1, "the door opens with one sound", Seen->Sounds);
		FPeer& Late = Session.Join(At(60, 20, 900), Link(25, 4, 0, 0));
		Late.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		AMyDoor* Door = Spawn<AMyDoor>(Late.Machine);
		AMyStage* Stage = Spawn<AMyStage>(Late.Machine);
		AMyCountdown* Countdown = Spawn<AMyCountdown>(Late.Machine);
		// Set these properties as replication would, before the first reply arrives.
		Door->OpenedTicks = Stage->StartedTicks = Opened;
		double Position = 0;
		int32 Known = 0;
		const int32 Warnings = FDouble::State.Warnings;
		Late.Machine.AlsoAtEnd([&]()
		{
			Door->Show();
			Known += Door->bShown || Stage->FindPosition(60, 0, Position) ? 1 : 0;
			Known += FDouble::Narrow(*Countdown->GetText()) != "-" ? 1 : 0;
		});
		Session.Run(1);
		Expect(!Late.Clock()->IsSynced() && Known == 0, "nothing is known before the first sync", Known);
		Expect(FDouble::State.Warnings == Warnings, "asking for an age logs nothing");
		Late.Passes = nullptr;
		Session.Run(2);
		ExpectNear(Door->Position, 1, 0, "the door is open");
		Expect(Door->bShown && Door->Sounds == 0, "the open door makes no sound", Door->Sounds);
		Expect(Stage->FindPosition(60, 0, Position), "the music plays");
		const double True =
			Session.Server->Clock.At(Late.Machine.TickStart) - NetClock::TicksToSeconds(Opened);
		const double BoundSeconds = Late.Clock()->GetStatus().ErrorBoundMs * 1e-3;
		ExpectNear(Position, True, BoundSeconds, "position of the music");
		double Delayed = 0;
		Expect(Stage->FindPosition(60, 100, Delayed), "the music plays with a display delay");
		ExpectNear(Position - Delayed, 0.1, 1e-9, "the display delay shifts the position");
		Expect(!Stage->FindPosition(1, 0, Position), "nothing plays after the end of the music");
	}

	/** The world's time must be the same on all machines, even during a pause and in slow motion. */
	DUO(RecipeWorldTime, Once, Seed + 93, Link(40), NM_DedicatedServer, At(97.3))
	{
		Session.Run(10);
		const AMyLift* Here = Spawn<AMyLift>(Peer.Machine);
		double WorstMs = 0, WorstHour = 0;
		int32 Frames = 0;
		Peer.Machine.AlsoAtEnd([&]()
		{
			double Height = 0, Hour = 0;
			if (!Here->FindHeight(Height) || !Here->FindHour(Hour)) { return; }
			++Frames;
			const double Truth = Session.Server->WorldTimeAt(Peer.Machine.TickStart);
			const double Way = std::fmod(Truth, 8.0) / 8.0;
			// The platform moves at 75 units per second.
			const double OffMs = FMath::Abs(Height - 300 * (1 - std::abs(2 * Way - 1))) / 75 * 1000;
			const double BoundMs = Peer.Clock()->GetWorldReading(ENetClockWorldClock::World).ErrorBoundMs;
			WorstMs = FMath::Max(WorstMs, OffMs - BoundMs);
			WorstHour = FMath::Max(WorstHour, FMath::Abs(Hour - std::fmod(8 + Truth / 50, 24.0)) * 50);
		});
		Session.Run(5);
		Expect(WorstHour < 0.1, "the sun is at the server's position, in seconds", WorstHour);
		Session.Server->World->bPaused = true;
		Session.Run(2);
		Session.Server->World->bPaused = false;
		Session.Server->World->Settings->TimeDilation = 0.5f;
		Session.Run(5);
		Expect(Frames > 1000 && WorstMs <= 1e-3, "the platform is at the server's position", WorstMs);
		Promises(Peer);
	}

	/** One dash is allowed every two seconds, no matter what times the player claims. */
	DUO(RecipeCooldown, Once, Seed + 94, Link(30, 4, 0, 0), NM_DedicatedServer, At(97.3))
	{
		Session.Run(15);
		AMyDasher* Dasher = Spawn<AMyDasher>(*Session.Server);
		// The server receives a move in which the player claims to have dashed this long ago.
		const auto Dash = [&](double AgoSeconds)
		{
			const int64 Now = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks();
			return Dasher->AcceptDash(
				Peer.ServerController, Now - UNetClockNodes::SecondsToTicks(AgoSeconds));
		};
		Expect(Dash(0.04), "the first dash is accepted");
		Session.Run(1);
		Expect(!Dash(0.04), "a dash after one second is rejected");
		Expect(!Dash(-0.98), "a claim of the future counts as now");
		Session.Run(0.98);
		Expect(Dash(0.04), "a dash after two seconds is accepted, with the tolerance for late messages");
		FMyMove With, Without;
		With.DashTicks = 1;
		Expect(Without.CanCombineWith(Without) && !With.CanCombineWith(Without), "dashes are not combined");
	}

	/** Tests other players' characters, whose received states are smoothed linearly or exponentially. */
	SCENARIO(RecipeProxies, Once)
	{
		for (const bool bLinear : {true, false})
		{
			FDuo Session(Seed + 95, Link(35, 3, 0, 0), NM_DedicatedServer, At(), At(30, 10, 5000));
			FPeer& Peer = Session.Peer;
			Session.Run(15);
			// A character moves one unit per ms of server time. Each server frame sends the character's
			// position.
			constexpr double FrameMs = 1000.0 / 30, SmoothTimeMs = 100;
			const double SmoothingMs = bLinear ? FrameMs : SmoothTimeMs;
			const AMyShooter* Shooter = Spawn<AMyShooter>(Peer.Machine);
			double Received = 0, From = 0, ReceivedAt = 0, Shown = 0;
			const auto Smoothed = [&]()
			{
				const double Passed = (Peer.Machine.TickStart - ReceivedAt) * 1000 / FrameMs;
				return From + (Received - From) * FMath::Min(1.0, Passed);
			};
			Session.Server->AlsoAtEnd([&]()
			{
				FDoubleRpc Rpc;
				Rpc.Name = "state";
				const int64 Ticks = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks();
				const double Place = static_cast<double>(Ticks) * 1e-4;
				Rpc.Run = [&, Place](UObject*)
				{
					if (Place <= Received) { return; }
					From = Smoothed();
					Received = Place;
					ReceivedAt = Peer.Machine.TickStart;
				};
				AActor* State = Session.Server->World->GetGameState();
				Session.Server->Driver->Send(Peer.ServerConnection, State, Rpc);
			});
			int32 Shots = 0, Misses = 0;
			Peer.Machine.AlsoAtEnd([&]()
			{
				Shown = bLinear ? Smoothed()
								: Shown + (Received - Shown) * (1 - std::exp(-1000.0 / 60 / SmoothTimeMs));
				if (FDouble::State.Now - Peer.JoinedAt < 20) { return; }
				// The server rewinds the character to the time that the shooter reports.
				const double Judged = static_cast<double>(Peer.Clock()->GetServerTimeTicks()) * 1e-4 -
					Shooter->FindInterpolationMs(SmoothingMs);
				++Shots;
				Misses += FMath::Abs(Judged - Shown) > FrameMs ? 1 : 0;
			});
			Session.Run(25);
			Session.Server->OnEnd = nullptr;
			Expect(Shots > 1000 && Misses * 50 < Shots, "shots hit within a server frame", Misses, Shots);
		}
	}
}
