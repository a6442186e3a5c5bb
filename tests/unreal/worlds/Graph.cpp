// The graph on the screen: what it draws, and its picture for the documentation.
#include <algorithm>

#include "Debug/DebugDrawService.h"
#include "Engine/Canvas.h"
#include "Picture.h"
#include "Scenarios.h"

namespace Scenarios
{
	using Picture::Hex;
	using Picture::Says;

	/** The view of a world. Engines may pass the player instead of a scene with a world. */
	static UCanvas* View(UWorld* World, APlayerController* Player = nullptr)
	{
		UCanvas* Canvas = NewObject<UCanvas>(nullptr);
		UDebugDrawService::Draw(*Canvas, World, Player);
		return Canvas;
	}
	static UCanvas* View(const FPeer& Peer) { return View(Peer.Machine.World); }

	static std::vector<FDoubleDrawn> Lines(const UCanvas& Canvas, const std::string& Color)
	{
		std::vector<FDoubleDrawn> Found;
		for (const FDoubleDrawn& Item : Canvas.Drawn)
		{
			if (Item.Kind == FDoubleDrawn::EKind::Line && Hex(Item.Color) == Color) { Found.push_back(Item); }
		}
		return Found;
	}

	/** Success is visible: the log has a line for each connection. In the editor, the screen shows one, too,
	 * if this is wanted. */
	SCENARIO(FirstSync, Tools)
	{
		for (const bool bWanted : {false, true})
		{
			FDouble::CollectAll();
			const FProject Project(bWanted ? "bShowWhenSynced=True" : "");
			std::vector<std::string>& Displayed = FDouble::State.Displayed;
			Displayed.clear();
			FMachineSettings Played = At();
			Played.WorldType = EWorldType::PIE;
			FDuo Session(Seed + 62, Link(25, 4, 0, 0), NM_DedicatedServer, Played);
			FPeer &Peer = Session.Peer, &Game = Session.Join(At(60, 20, 800), Link(25, 4, 0, 0));
			Expect(Displayed.empty(), "nothing is said before it");
			Session.RunUntil([&]() { return Peer.Clock()->IsSynced() && Game.Clock()->IsSynced(); });
			Session.Run(0.5);
			Expect(Displayed.size() == 2, "a line for each", Displayed.size());
			int32 Named = 0;
			for (const std::string& Line : Displayed)
			{
				double BoundMs = 0;
				const bool bRead = std::sscanf(Line.c_str(),
									   "NetClock: synced with the server, within %lf ms", &BoundMs) == 1;
				Expect(bRead && BoundMs > 10 && BoundMs < 60, Line);
				Named += Has(Line, " ms (Client 1)") ? 1 : 0;
			}
			Expect(Named == 1, "the line of a client in the editor names it, and no other does");
			Expect(Says(*View(Peer), "NetClock: synced with the server, within ") == bWanted,
				"on the screen if it is wanted");
			Expect(View(Game)->Drawn.empty(), "never outside the editor");
			Session.Run(5);
			Expect(View(Peer)->Drawn.empty() && Displayed.size() == 2, "for five seconds, and said once");
		}
	}

	SCENARIO(Graph, Tools)
	{
		FDouble::CollectAll();
		const size_t Before = UDebugDrawService::Count();
		{
			FLink Uneven = Link(25, 4, 0.01, 0);
			Uneven.Down.LagMs = 90;
			FDuo Session(Seed + 60, Uneven);
			FPeer &Peer = Session.Peer, &Other = Session.Add(At(60, 20, 800), Link(25, 4, 0, 0));
			Session.Run(20);
			Session.Connect(Other);
			Session.Run(0.05);
			Expect(View(Peer)->Drawn.empty(), "nothing unless it is wanted");
			Console(Peer.Machine, "NetClock.Graph 1");
			// The way down suddenly becomes shorter. Then everything is lost for a while.
			Peer.Link.Down.LagMs = 25;
			Session.Run(8);
			Peer.Link.Down.Loss = 1;
			Session.Run(5);
			Peer.Link.Down.Loss = 0.01;
			Session.Run(4.75);
			// The newest sample is one of these, because it is up to 0.2 s old.
			std::vector<FNetClockStatus> Last;
			for (int32 Frame = 0; Frame < 15; ++Frame)
			{
				Session.Run(1.0 / 60);
				Last.push_back(Peer.Clock()->GetStatus());
			}
			UCanvas* Canvas = View(Peer);
			// There are six grid lines, and the curves contain 30 s of samples.
			ExpectIn(static_cast<double>(Lines(*Canvas, "#56d08c").size()), 121, 149, "pieces of the bound");
			for (const FDoubleDrawn& Item : Canvas->Drawn)
			{
				const bool bInside = Item.From.X >= 20 && Item.From.X <= 520 && Item.From.Y >= 50 &&
					Item.From.Y <= 420 && Item.To.Y <= 420;
				Expect(bInside, "drawn outside its panel");
			}
			// Five decades from 0.01 ms on take up 160 pixels, starting from the bottom at 250.
			const auto IsDrawn = [&](const char* Color, double FNetClockStatus::* Ms)
			{
				const double Y = Lines(*Canvas, Color).back().To.Y;
				return std::any_of(Last.begin(), Last.end(), [&](const FNetClockStatus& Each)
					{ return FMath::Abs(Y - (250 - 32 * std::log10(Each.*Ms / 0.01))) < 1; });
			};
			Expect(IsDrawn("#56d08c", &FNetClockStatus::ErrorBoundMs), "the bound is drawn where it belongs");
			Expect(IsDrawn("#b7a3f5", &FNetClockStatus::ExpectedErrorMs), "so is the expected error");
			Expect(IsDrawn("#f2a65a", &FNetClockStatus::RoundTripMs), "so is the round trip");
			// The correction began 18 s before the end. Time runs at 15 pixels per second, backwards from
			// 510.
			double Tallest = 0, CorrectedAt = 0;
			int32 Visible = 0;
			for (const FDoubleDrawn& Item : Lines(*Canvas, "#7db4ff"))
			{
				const double Height = Item.From.Y - Item.To.Y;
				Visible += FMath::Abs(Height) > 1 ? 1 : 0;
				CorrectedAt = Height > Tallest ? Item.From.X : CorrectedAt;
				Tallest = FMath::Max(Tallest, Height);
			}
			ExpectIn(CorrectedAt, 237, 255, "the correction is drawn at");
			ExpectIn(Visible, 1, 39, "most of the time nothing is corrected");
			Expect(Lines(*Canvas, "#ff8a80").empty(), "nothing jumped");
			// The events are in the words and colours of the workbench's pages.
			for (const char* Words : {"bound ", "expected ", "round trip ", "corrections, up to ",
					 "s ago  FINE  the first reply arrived", "s ago  NOTE  The path to the client became "})
			{
				Expect(Says(*Canvas, Words), std::string("says what is what: ") + Words);
			}
			const auto ColorOf = [&](const char* Part) { return Hex(Picture::Find(*Canvas, Part)->Color); };
			Expect(
				ColorOf("NOTE") == "#7db4ff" && ColorOf("FINE") == "#67d597", "in the colours of the pages");
			Picture::Write(*Canvas, "graph", "The graph of NetClock", {0, 20}, {620, 420});
			Expect(Lines(*View(Other), "#56d08c").size() < 100, "each world has its own");
			Expect(View(nullptr, Peer.Controller)->Drawn.size() == Canvas->Drawn.size(),
				"the same if the player is all that is known of a view");
			Expect(View(nullptr)->Drawn.empty(), "nothing on a view of no world");
			Console(Peer.Machine, "NetClock.Graph 0");
			Expect(View(Peer)->Drawn.empty(), "off again");
		}
		Expect(UDebugDrawService::Count() == Before, "nobody draws after the end");
	}
}
