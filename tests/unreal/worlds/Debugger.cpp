// A client's gameplay debugger shows the server's data about its players.
#include "GameplayDebugger.h"
#include "Scenarios.h"

namespace Scenarios
{
	static std::string Draw(FGameplayDebuggerCategory& Category, APlayerController* Player)
	{
		FGameplayDebuggerCanvasContext Context;
		Category.DrawData(Player, Context);
		std::string Text;
		for (const FString& Line : Context.Printed) { Text += FDouble::Narrow(*Line) + "\n"; }
		for (const auto& [Color, Line] : Context.Colored)
		{
			char Code[16];
			std::snprintf(Code, sizeof Code, " #%02x%02x%02x\n", Color.R, Color.G, Color.B);
			Text += FDouble::Narrow(*Line) + Code;
		}
		return Text;
	}

	SCENARIO(Debugger, Tools)
	{
		FDouble::CollectAll();
		FDuo Session(Seed + 70, Link(25, 4, 0, 0));
		FPeer& Cheat = Session.Peer;
		FPeer& Watcher = Session.Join(At(60, 20, 800), Link(25, 4, 0, 0));
		Session.Run(3);
		for (int32 Index = 0; Index < 500; ++Index)
		{
			Session.Forge(Cheat, Cheat.ServerComponent(), Probe(0, 0));
		}
		Session.Run(3);

		const auto& Known = IGameplayDebugger::Get().Known;
		Expect(Known.size() == 1 && Known[0].first == "NetClock", "the category is known");
		if (Known.empty()) { return; }
		const TSharedRef<FGameplayDebuggerCategory> There = Known[0].second.Execute();
		const TSharedRef<FGameplayDebuggerCategory> Here = Known[0].second.Execute();
		Expect(There->CollectDataInterval > 0 && !There->bShowOnlyWithDebugActor,
			"updates do not happen in each frame or without a player");
		const std::vector<uint8> Sent = There->Replicate(Watcher.ServerController);
		Here->Receive(Sent);
		const std::string Text = Draw(*Here, Watcher.Controller);
		const UNetClockComponent* Component = Cheat.ServerComponent();
		for (const std::string& Wanted : {std::string("2 players\n"),
				 ": " + std::to_string(Component->GetCounts().Answered) + " datagrams sent, " +
					 std::to_string(Component->GetCounts().Dropped) + " dropped over the limit\n",
				 std::string("client\n  state        synced\n"),
				 std::string("FINE  the first reply arrived; there is a server time to show\n"),
				 // The pages of `lab report` show the same text in this colour.
				 std::string("there is a server time to show #67d597\n")})
		{
			Expect(Has(Text, Wanted), "\"" + Wanted + "\" is not in\n" + Text);
		}
		Expect(Component->GetCounts().Dropped > 300, "the server dropped excess requests");
		std::printf("gameplay debugger, %zu bytes\n%s", Sent.size(), Text.c_str());

		// Truncated or meaningless data must not lengthen the page.
		for (size_t Length = 0; Length < Sent.size(); ++Length)
		{
			Here->Receive({Sent.begin(), Sent.begin() + static_cast<std::ptrdiff_t>(Length)});
		}
		Here->Receive(std::vector<uint8>(2000, 0x7f));
		Expect(Has(Draw(*Here, Watcher.Controller), "24 players"), "the page shows at most 24 players");
		Here->Receive(std::vector<uint8>(200, 0xff));
		Expect(Has(Draw(*Here, Watcher.Controller), ", 0 players"), "a negative number counts as zero");
	}
}
