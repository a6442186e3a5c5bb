// Tests the graph on the screen and writes its picture for the documentation.
#include <algorithm>

#include "Debug/DebugDrawService.h"
#include "Engine/Canvas.h"
#include "Picture.h"
#include "Scenarios.h"

namespace Scenarios
{
	using Picture::Hex;
	using Picture::Says;

	/** Some engines pass the player instead of a scene with a world. */
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
			Expect(View(Peer)->Drawn.empty(), "a disabled graph is not drawn");
			Console(Peer.Machine, "NetClock.Graph 1");
			// The downlink becomes faster, and later all packets are lost for a while.
			Peer.Link.Down.LagMs = 25;
			Session.Run(8);
			Peer.Link.Down.Loss = 1;
			Session.Run(5);
			Peer.Link.Down.Loss = 0.01;
			Session.Run(4.75);
			// The newest sample on the graph is at most 0.2 s old, so it is from one of the last 15 frames.
			std::vector<FNetClockStatus> Last;
			for (int32 Frame = 0; Frame < 15; ++Frame)
			{
				Session.Run(1.0 / 60);
				Last.push_back(Peer.Clock()->GetStatus());
			}
			UCanvas* Canvas = View(Peer);
			// The graph has six grid lines, and its curves contain 30 s of samples.
			ExpectIn(static_cast<double>(Lines(*Canvas, "#56d08c").size()), 121, 149, "line segments");
			for (const FDoubleDrawn& Item : Canvas->Drawn)
			{
				const bool bInside = Item.From.X >= 20 && Item.From.X <= 520 && Item.From.Y >= 50 &&
					Item.From.Y <= 420 && Item.To.Y <= 420;
				Expect(bInside, "the graph stays inside its panel");
			}
			// The scale begins with 0.01 ms at the bottom, at y = 250, and has five decades in 160 pixels.
			const auto IsDrawn = [&](const char* Color, double FNetClockStatus::* Ms)
			{
				const double Y = Lines(*Canvas, Color).back().To.Y;
				return std::any_of(Last.begin(), Last.end(), [&](const FNetClockStatus& Each)
					{ return FMath::Abs(Y - (250 - 32 * std::log10(Each.*Ms / 0.01))) < 1; });
			};
			Expect(IsDrawn("#56d08c", &FNetClockStatus::ErrorBoundMs), "bound at its value");
			Expect(IsDrawn("#b7a3f5", &FNetClockStatus::ExpectedErrorMs), "expected error at its value");
			Expect(IsDrawn("#f2a65a", &FNetClockStatus::RoundTripMs), "round trip at its value");
			// The graph ends at x = 510 with 15 pixels per second, and the correction began 18 s before the
			// end.
			double Tallest = 0, CorrectedAt = 0;
			int32 Visible = 0;
			for (const FDoubleDrawn& Item : Lines(*Canvas, "#7db4ff"))
			{
				const double Height = Item.From.Y - Item.To.Y;
				Visible += FMath::Abs(Height) > 1 ? 1 : 0;
				CorrectedAt = Height > Tallest ? Item.From.X : CorrectedAt;
				Tallest = FMath::Max(Tallest, Height);
			}
			ExpectIn(CorrectedAt, 237, 255, "horizontal position of the correction");
			ExpectIn(Visible, 1, 39, "number of visible corrections");
			Expect(Lines(*Canvas, "#ff8a80").empty(), "nothing jumped");
			// The workbench's pages describe events with the same words and colours.
			for (const char* Words : {"bound ", "expected ", "round trip ", "corrections, up to ",
					 "s ago  FINE  the first reply arrived", "s ago  NOTE  The path to the client became "})
			{
				Expect(Says(*Canvas, Words), std::string("the graph shows: ") + Words);
			}
			const auto ColorOf = [&](const char* Part) { return Hex(Picture::Find(*Canvas, Part)->Color); };
			Expect(
				ColorOf("NOTE") == "#7db4ff" && ColorOf("FINE") == "#67d597", "colours of the pages");
			Picture::Write(*Canvas, "graph", "The graph of NetClock", {0, 20}, {620, 420});
			Expect(Lines(*View(Other), "#56d08c").size() < 100, "each world has its own graph");
			Expect(View(nullptr, Peer.Controller)->Drawn.size() == Canvas->Drawn.size(),
				"a view that only has a player shows the same graph");
			Expect(View(nullptr)->Drawn.empty(), "a view without a world shows no graph");
			Console(Peer.Machine, "NetClock.Graph 0");
			Expect(View(Peer)->Drawn.empty(), "off again");
		}
		Expect(UDebugDrawService::Count() == Before, "no function draws after the end");
	}
}
