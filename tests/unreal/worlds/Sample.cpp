// The sample project: its rules run on the server, its players press keys, and its HUD is drawn.
#include "Components/InputComponent.h"
#include "NetClockSampleGameMode.h"
#include "NetClockSampleGameState.h"
#include "NetClockSampleHUD.h"
#include "NetClockSamplePlayerController.h"
#include "Picture.h"
#include "Scenarios.h"

namespace Scenarios
{
	static const ANetClockSampleGameState& RaceOf(const FMachine& Machine)
	{
		return *Machine.World->GetGameState<ANetClockSampleGameState>();
	}
	static double WorldSeconds(const FMachine& Machine)
	{
		return static_cast<double>(RaceOf(Machine).GetServerWorldTimeSeconds());
	}

	static void Press(FSession& Session, const FPeer& Peer, const char* Key)
	{
		Peer.Machine.Enter();
		Peer.Controller->InputComponent->Press(Key);
		Session.Run(0.4);
	}

	static UCanvas& Draw(const FPeer& Peer)
	{
		Peer.Machine.Enter();
		AHUD* HUD =
			static_cast<AHUD*>(FDouble::Make(ANetClockSampleHUD::StaticClass(), Peer.Machine.World));
		HUD->Owner = Peer.Controller;
		HUD->Canvas = NewObject<UCanvas>(nullptr);
		HUD->DrawHUD();
		return *HUD->Canvas;
	}

	using Picture::Says;

	/** Shoots in frames in which this player sees the target in the sights, or outside of them. */
	static int32 Shoot(FSession& Session, FPeer& Peer, bool bInSights, int32 Shots)
	{
		int32 Left = Shots, LateAnyway = 0;
		double Next = 0;
		Peer.Machine.OnActors = [&]()
		{
			const double Seen = WorldSeconds(Peer.Machine);
			const bool bTaken =
				FMath::Abs(ANetClockSampleGameState::GetTarget(Seen)) < (bInSights ? 0.13 : 2) &&
				(bInSights || FMath::Abs(ANetClockSampleGameState::GetTarget(Seen)) > 0.3);
			if (Left == 0 || Seen < Next || !bTaken) { return; }
			Next = Seen + 0.5;
			--Left;
			// Counts shots for which the target is in the sights when the server receives them. These would
			// hit without a rewind.
			LateAnyway += ANetClockSampleGameState::IsInSights(Seen + 0.1) ? 1 : 0;
			Peer.Controller->InputComponent->Press("SpaceBar");
		};
		Session.RunUntil([&]() { return Left == 0; }, 0.2);
		Session.Run(0.4);
		Peer.Machine.OnActors = nullptr;
		return LateAnyway;
	}

	SCENARIO(Sample, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 39);
		const AGameModeBase& Rules = *Session.Play(ANetClockSampleGameMode::StaticClass());
		Expect(Rules.HUDClass.Get() == ANetClockSampleHUD::StaticClass(), "the sample's own HUD");
		FPeer& One = Session.Join(At(97.3, -15, 300), Link(80, 4, 0.01, 0.01));
		FPeer& Two = Session.Add(At(59.3, 20, 800), Link(15, 4, 0.01, 0.01));
		Session.Run(1);
		Expect(Says(Draw(One), "1 of 2 players are here"), "it waits for another player");
		Session.Connect(Two);
		Session.Run(2);
		Expect(Says(Draw(One), "Start in ") && Says(Draw(Two), "Start in "), "both count down");
		Session.Run(6);
		for (const FMachine* Machine : {Session.Server.get(), &One.Machine, &Two.Machine})
		{
			Expect(RaceOf(*Machine).IsRunning() && RaceOf(*Machine).StartSeconds ==
					RaceOf(*Session.Server).StartSeconds,
				"it runs, with one start for all");
		}
		Expect(Says(Draw(One), "Go! "), "and the HUD shows it");

		// The race stops when the world pauses, and slows down with it.
		Press(Session, Two, "P");
		const double Paused = WorldSeconds(*Session.Server);
		Session.Run(1);
		Expect(Session.Server->World->IsPaused() && WorldSeconds(*Session.Server) <= Paused,
			"a player pauses it");
		ExpectNear(WorldSeconds(One.Machine), Paused, 0.15, "paused on each machine");
		Press(Session, Two, "P");
		Press(Session, One, "M");
		const AWorldSettings* Settings = Session.Server->World->GetWorldSettings();
		Expect(!Session.Server->World->IsPaused(), "it goes on");
		Expect(Settings->GetEffectiveTimeDilation() < 0.3f, "and slows it down");
		Press(Session, One, "M");
		Session.Run(1);

		// Shots are judged by what the shooter saw, which was 100 ms before the server received the shot.
		const int32 LateAnyway = Shoot(Session, One, true, 4);
		const FNetClockSampleRunner Shooter = RaceOf(*Session.Server).Runners[0];
		Expect(Shooter.Shots == 4 && Shooter.Hits == 4, "of 4 shots all hit", Shooter.Hits);
		Expect(LateAnyway < 2, "and would not have without a rewind", LateAnyway);
		Shoot(Session, Two, false, 2);
		Expect(RaceOf(*Session.Server).Runners[1].Shots == 2 && RaceOf(*Session.Server).Runners[1].Hits == 0,
			"misses miss");
		const UCanvas& Canvas = Draw(One);
		for (const char* Words :
			{"Player 1 (you): ", "Hit: the server judged your shot ", "Server time ", "World time "})
		{
			Expect(Says(Canvas, Words), std::string("the HUD shows ") + Words);
		}
		Picture::Write(Canvas, "sample", "The HUD of the sample project", {0, 0}, {1280, 380});
		Expect(RaceOf(*Session.Server).IsRunning(), "the race is still running");

		Session.RunUntil([&]() { return !RaceOf(*Session.Server).IsRunning(); }, 0.5);
		Session.Run(0.5);
		Expect(RaceOf(*Session.Server).Winner == 1 && Says(Draw(Two), "Player 1 wins after "),
			"the better shot wins");
		Promises(One);
		Promises(Two);
		Press(Session, Two, "R");
		Expect(RaceOf(*Session.Server).Winner == 0 && Says(Draw(Two), "Start in "), "another race");
		Session.Disconnect(One);
		Expect(RaceOf(*Session.Server).Runners.Num() == 1, "who leaves is out of it");
	}
}
