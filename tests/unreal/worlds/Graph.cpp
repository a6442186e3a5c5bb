// The graph on the screen: what it draws, and its picture for the documentation.
#include <algorithm>

#include "Debug/DebugDrawService.h"
#include "Engine/Canvas.h"
#include "HAL/IConsoleManager.h"
#include "Picture.h"
#include "Scenarios.h"

namespace Scenarios
{
	using Picture::Hex;
	using Picture::Says;

	static UCanvas* View(const FPeer& Peer)
	{
		UCanvas* Canvas = NewObject<UCanvas>(nullptr);
		UDebugDrawService::Draw(*Canvas, Peer.Machine.World);
		return Canvas;
	}

	/** As in an engine that passes the player instead of a scene with a world. */
	static UCanvas* ViewOfPlayer(const FPeer& Peer)
	{
		UCanvas* Canvas = NewObject<UCanvas>(nullptr);
		UDebugDrawService::Draw(*Canvas, nullptr, Peer.Controller);
		return Canvas;
	}

	/** The Y coordinate at which the last line with this colour ends. */
	static double EndY(const UCanvas& Canvas, const std::string& Color)
	{
		double Y = -1;
		for (const FDoubleDrawn& Item : Canvas.Drawn)
		{
			if (Item.Kind == FDoubleDrawn::EKind::Line && Hex(Item.Color) == Color) { Y = Item.To.Y; }
		}
		return Y;
	}

	static int32 Lines(const UCanvas& Canvas, const std::string& Color)
	{
		int32 Count = 0;
		for (const FDoubleDrawn& Item : Canvas.Drawn)
		{
			Count += Item.Kind == FDoubleDrawn::EKind::Line && Hex(Item.Color) == Color ? 1 : 0;
		}
		return Count;
	}

	/** Success is visible: the log has a line for each connection. In the editor, the screen shows one, too,
	 * if this is wanted. */
	SCENARIO(FirstSync, Tools)
	{
		for (const bool bWanted : {false, true})
		{
			FDouble::CollectAll();
			FDouble::LoadIni(bWanted ? "[/Script/NetClock.NetClockSettings]\nbShowWhenSynced=True\n" : "");
			FDouble::State.Displayed.clear();
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 62);
			FMachineSettings Played = At(60, -15, 300);
			Played.WorldType = EWorldType::PIE;
			FPeer& Peer = Session.Join(Played, Link(25, 4, 0, 0));
			FPeer& Game = Session.Join(At(60, 20, 800), Link(25, 4, 0, 0));
			Expect(FDouble::State.Displayed.empty(), "nothing is said before it");
			const auto AreSynced = [&]() { return Peer.Clock()->IsSynced() && Game.Clock()->IsSynced(); };
			for (int32 Frame = 0; Frame < 600 && !AreSynced(); ++Frame) { Session.Run(1.0 / 60); }
			Session.Run(0.5);
			Expect(FDouble::State.Displayed.size() == 2, "a line for each", FDouble::State.Displayed.size());
			for (const std::string& Line : FDouble::State.Displayed)
			{
				double BoundMs = 0;
				const bool bRead = std::sscanf(Line.c_str(),
									   "NetClock: synced with the server, within %lf ms", &BoundMs) == 1;
				Expect(bRead && BoundMs > 10 && BoundMs < 60, Line);
			}
			const auto Names = [](const std::string& Line)
			{ return Line.find(" ms (Client 1)") != std::string::npos; };
			const auto Named =
				std::count_if(FDouble::State.Displayed.begin(), FDouble::State.Displayed.end(), Names);
			Expect(Named == 1, "the line of a client in the editor names it, and no other does");
			Expect(Says(*View(Peer), "NetClock: synced with the server, within ") == bWanted,
				"on the screen if it is wanted");
			Expect(View(Game)->Drawn.empty(), "never outside the editor");
			Session.Run(5);
			Expect(View(Peer)->Drawn.empty(), "for five seconds");
			Expect(FDouble::State.Displayed.size() == 2, "said once");
		}
		FDouble::LoadIni("");
	}

	SCENARIO(Graph, Tools)
	{
		FDouble::CollectAll();
		const size_t Before = UDebugDrawService::Count();
		{
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 60);
			FLink Uneven = Link(25, 4, 0.01, 0);
			Uneven.Down.LagMs = 90;
			FPeer& Peer = Session.Join(At(60, -15, 300), Uneven);
			FPeer& Other = Session.Add(At(60, 20, 800), Link(25, 4, 0, 0));
			Session.Run(20);
			Session.Connect(Other);
			Session.Run(0.05);
			Expect(View(Peer)->Drawn.empty(), "nothing unless it is wanted");
			FDouble::Console(Peer.Machine.World, "NetClock.Graph 1");
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
			ExpectIn(Lines(*Canvas, "#56d08c"), 121, 149, "pieces of the bound");
			for (const FDoubleDrawn& Item : Canvas->Drawn)
			{
				const bool bInside = Item.From.X >= 20 && Item.From.X <= 520 && Item.From.Y >= 50 &&
					Item.From.Y <= 420 && Item.To.Y <= 420;
				Expect(bInside, "drawn outside its panel");
			}
			// Five decades from 0.01 ms on take up 160 pixels, starting from the bottom at 250.
			const auto IsDrawn = [&](const char* Color, double FNetClockStatus::* Ms)
			{
				const double Y = EndY(*Canvas, Color);
				for (const FNetClockStatus& Each : Last)
				{
					if (FMath::Abs(Y - (250 - 32 * std::log10(Each.*Ms / 0.01))) < 1) { return true; }
				}
				return false;
			};
			Expect(IsDrawn("#56d08c", &FNetClockStatus::ErrorBoundMs), "the bound is drawn where it belongs");
			Expect(IsDrawn("#b7a3f5", &FNetClockStatus::ExpectedErrorMs), "so is the expected error");
			Expect(IsDrawn("#f2a65a", &FNetClockStatus::RoundTripMs), "so is the round trip");
			Expect(Lines(*Canvas, "#7db4ff") > 5, "the correction was seen");
			// The correction began 18 s before the end. Time runs at 15 pixels per second, backwards from
			// 510.
			double Tallest = 0, CorrectedAt = 0;
			int32 Visible = 0;
			for (const FDoubleDrawn& Item : Canvas->Drawn)
			{
				if (Item.Kind != FDoubleDrawn::EKind::Line || Hex(Item.Color) != "#7db4ff") { continue; }
				const double Height = Item.From.Y - Item.To.Y;
				Visible += FMath::Abs(Height) > 1 ? 1 : 0;
				CorrectedAt = Height > Tallest ? Item.From.X : CorrectedAt;
				Tallest = FMath::Max(Tallest, Height);
			}
			ExpectIn(CorrectedAt, 237, 255, "the correction is drawn at");
			ExpectIn(Visible, 0, 39, "most of the time nothing is corrected");
			Expect(Lines(*Canvas, "#ff8a80") == 0, "nothing jumped");
			for (const char* Words : {"bound ", "expected ", "round trip ", "corrections, up to "})
			{
				Expect(Says(*Canvas, Words), std::string("says what is what: ") + Words);
			}
			// The events, in the words and colours of the workbench's pages.
			Expect(Says(*Canvas, "s ago  FINE  the first reply arrived"), "says that it is synced");
			Expect(Says(*Canvas, "s ago  NOTE  The path to the client became "),
				"says that the way down is shorter");
			const auto ColorOf = [&](const char* Part)
			{
				const FDoubleDrawn* Item = Picture::Find(*Canvas, Part);
				return Item ? Hex(Item->Color) : std::string();
			};
			Expect(
				ColorOf("NOTE") == "#7db4ff" && ColorOf("FINE") == "#67d597", "in the colours of the pages");
			Picture::Write(*Canvas, "graph", "The graph of NetClock", {0, 20}, {620, 420});
			Expect(Lines(*View(Other), "#56d08c") < 100, "each world has its own");
			Expect(ViewOfPlayer(Peer)->Drawn.size() == Canvas->Drawn.size(),
				"the same if the player is all that is known of a view");
			UCanvas* Nobodys = NewObject<UCanvas>(nullptr);
			UDebugDrawService::Draw(*Nobodys, nullptr);
			Expect(Nobodys->Drawn.empty(), "nothing on a view of no world");

			FDouble::Console(Peer.Machine.World, "NetClock.Graph 0");
			Expect(View(Peer)->Drawn.empty(), "off again");
		}
		Expect(UDebugDrawService::Count() == Before, "nobody draws after the end");
	}
}
