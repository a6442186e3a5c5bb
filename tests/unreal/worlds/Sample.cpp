// Plays the sample project with the server's rules, players who press keys, and the drawn HUD.
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
		return RaceOf(Machine).GetServerWorldTimeSeconds();
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

	/** The player shoots when the target is in the sights, and also when it is far outside the sights. */
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
			// Some targets are still in the sights when the shot arrives, and would be hit without a rewind.
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
		Expect(Rules.HUDClass.Get() == ANetClockSampleHUD::StaticClass(), "the sample uses its HUD");
		FPeer& One = Session.Join(At(97.3, -15, 300), Link(80, 4, 0.01, 0.01));
		FPeer& Two = Session.Add(At(59.3, 20, 800), Link(15, 4, 0.01, 0.01));
		Session.Run(1);
		Expect(Says(Draw(One), "1 of 2 players are here"), "the race waits for another player");
		Session.Connect(Two);
		// The start is announced as soon as the second player's clock is accurate enough.
		const auto SeesCountdown = [&](const FPeer& Peer) { return Says(Draw(Peer), "Start in "); };
		const auto BothSeeIt = [&]() { return SeesCountdown(One) && SeesCountdown(Two); };
		Expect(Session.RunUntil(BothSeeIt, 0.1), "both see the countdown");
		Session.Run(6);
		for (const FMachine* Machine : {Session.Server.get(), &One.Machine, &Two.Machine})
		{
			Expect(RaceOf(*Machine).IsRunning() && RaceOf(*Machine).StartSeconds ==
					RaceOf(*Session.Server).StartSeconds,
				"the race runs with one start for all players");
		}
		Expect(Says(Draw(One), "Go! "), "the HUD shows the start");

		// The race pauses and slows down with the world.
		Press(Session, Two, "P");
		const double Paused = WorldSeconds(*Session.Server);
		Session.Run(1);
		Expect(Session.Server->World->IsPaused() && WorldSeconds(*Session.Server) <= Paused,
			"a player pauses the race");
		ExpectNear(WorldSeconds(One.Machine), Paused, 0.15, "the race pauses on each machine");
		Press(Session, Two, "P");
		Press(Session, One, "M");
		const AWorldSettings* Settings = Session.Server->World->GetWorldSettings();
		Expect(!Session.Server->World->IsPaused(), "the race continues");
		Expect(Settings->GetEffectiveTimeDilation() < 0.3f, "a player slows the race down");
		Press(Session, One, "M");
		Session.Run(1);

		// The server judges a shot by what the shooter saw 100 ms before the shot arrived.
		const int32 LateAnyway = Shoot(Session, One, true, 4);
		const FNetClockSampleRunner Shooter = RaceOf(*Session.Server).Runners[0];
		Expect(Shooter.Shots == 4 && Shooter.Hits == 4, "all 4 shots hit", Shooter.Hits);
		Expect(LateAnyway < 2, "few shots would hit without a rewind", LateAnyway);
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
		// The update that restarts the race can be lost.
		Expect(RaceOf(*Session.Server).Winner == 0 &&
				Session.RunUntil([&]() { return Says(Draw(Two), "Start in "); }, 0.1),
			"the next countdown");
		Session.Disconnect(One);
		Expect(RaceOf(*Session.Server).Runners.Num() == 1, "a player who left no longer runs");
	}
}
