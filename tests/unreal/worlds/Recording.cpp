// Records from the first connection through travel to a second connection. The workbench replays the files.
#include <filesystem>
#include <fstream>
#include <functional>

#if WITH_NETCLOCK_PEERS
#include "NetClock/Peers/NetClockHandover.h"
#endif
#include "NetClockRecorder.h"
#include "StartJudge.h"

namespace Scenarios
{
	static std::string Folder() { return FDouble::State.SavedDir + "/NetClock/"; }

	static int32 Lines(const std::string& Name, const std::string& Begin = "")
	{
		std::ifstream File(Folder() + Name);
		int32 Count = 0;
		for (std::string Line; std::getline(File, Line);) { Count += Line.rfind(Begin, 0) == 0 ? 1 : 0; }
		return Count;
	}

	/** Counts the lines about exchanges, which begin with a status. The second count includes only accepted
	 * exchanges that take 25 ms each way. The client's clock started at 300 s, and the server's at 5,000
	 * s. */
	static std::pair<int32, int32> Exchanges(const std::string& Name)
	{
		std::ifstream File(Folder() + Name);
		std::pair<int32, int32> Count{0, 0};
		for (std::string Line; std::getline(File, Line);)
		{
			long long Status, Sent, Received, Answered, Arrived;
			unsigned long long Id, Epoch;
			Count.first += Line.find_first_of("-0123456789") == 0 ? 1 : 0;
			if (std::sscanf(Line.c_str(), "%lld,%llu,%llu,%lld,%lld,%lld,%lld", &Status, &Id, &Epoch, &Sent,
					&Received, &Answered, &Arrived) == 7)
			{
				const double TripMs = static_cast<double>(Arrived - Sent - (Answered - Received)) * 1e-4;
				const bool bRight = Status == 0 && Id && Epoch && Answered > Received &&
					Received > 50000000000 && Arrived < 4000000000 && TripMs > 50 && TripMs < 200;
				Count.second += bRight ? 1 : 0;
			}
		}
		return Count;
	}

	/** Returns true if the wait in ticks is the time since the previous frame. The wire format rounds waits
	 * up. */
	static bool IsMeasured(double Wait, const FPeer::FWaited& True)
	{
		const double Longest = True.LongestSeconds * 1e7;
		return Wait > Longest * 0.999 - 2.0 && Wait < Longest * (1.001 + 1.0 / 64) + 34.0;
	}

	/** No message may wait longer than the file states, because the workbench and the clock rely on these
	 * waits. In at least the share LeastMeasured of the exchanges, both waits must be exact. */
	static void WaitsAreCovered(const std::string& Name, const FPeer& Peer, double LeastMeasured)
	{
		std::ifstream File(Folder() + Name);
		int32 Matched = 0, Longer = 0, Called = 0, Measured = 0;
		for (std::string Line; std::getline(File, Line);)
		{
			long long Sent, Received, Answered, Arrived;
			unsigned ServerWait, ClientWait;
			if (std::sscanf(Line.c_str(), "0,%*u,%*u,%lld,%lld,%lld,%lld,%*d,%u,%u", &Sent, &Received,
					&Answered, &Arrived, &ServerWait, &ClientWait) != 6)
			{
				continue;
			}
			const auto Up = Peer.WaitedUp.find(Received), Down = Peer.WaitedDown.find(Arrived);
			if (Up == Peer.WaitedUp.end() || Down == Peer.WaitedDown.end()) { continue; }
			++Matched;
			Called += Peer.CalledUp.count(Sent) > 0 && Peer.CalledDown.count(Answered) > 0 ? 1 : 0;
			// A wait of zero stands for an unknown wait. Timestamps are rounded to ticks.
			Longer += ServerWait != 0 && Up->second.Seconds * 1e7 > ServerWait + 2.0 ? 1 : 0;
			Longer += ClientWait != 0 && Down->second.Seconds * 1e7 > ClientWait + 2.0 ? 1 : 0;
			Measured += IsMeasured(ServerWait, Up->second) && IsMeasured(ClientWait, Down->second) ? 1 : 0;
		}
		Expect(Matched > 60, Name + ": exchanges with a true wait", Matched);
		// Datagrams get their timestamp when they are sent at the end of a frame. The second datagram of a
		// frame is held back.
		Expect(Matched - Called <= Matched / 10, Name + ": stamps at other times", Matched - Called, Matched);
		ExpectNone(Longer, "messages waited longer than " + Name + " states");
		Expect(Measured >= LeastMeasured * Matched, Name + ": measured waits", Measured, Matched);
	}

	static std::string Say(const FMachine& Machine, const std::string& Line)
	{
		const std::string Said = Console(Machine, Line);
		Expect(Said.find('\n') + 1 == Said.size() && !Said.empty(), Line + " prints one line");
		return Said;
	}

	/** Prints the file's name and its number of exchanges for the workbench. */
	static void Tell(const std::string& Name)
	{
		std::printf("recording %d %s%s\n", Exchanges(Name).first, Folder().c_str(), Name.c_str());
	}

	static void ThroughALife(uint64 Seed)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed);
		FPeer& Peer = Session.Add(At(), Link(25, 4, 0.02, 0.05));
		// The recording starts in the menu, when there is no connection yet.
		Expect(Has(Say(Peer.Machine, "NetClock.Record life.csv"), "Recording into " + Folder() + "life.csv"),
			"the command prints the file");
		Expect(Has(Say(Peer.Machine, "NetClock.Record other"), "already"), "a second recording is rejected");
		Session.Connect(Peer);
		Session.Run(20);
		Expect(Lines("life.csv") > 65, "all but the last ten seconds are on the disk");
		// If calls are executed late, their waits are unknown.
		Peer.Machine.Deferred = Session.Server->Deferred = 0.2;
		Session.Run(10);
		Peer.Machine.Deferred = Session.Server->Deferred = 0;
		// Requests wait for the server's first frame after the world has loaded.
		Session.Server->Suspend(0.3, true);
		Session.Run(0.29);
		Session.SeamlessTravel();
		Session.Run(10);
		// No request belongs to these replies.
		FNetClockReply Reply;
		Reply.Epoch = 1;
		Reply.SentTicks = 3;
		for (Reply.Id = 1; Reply.Id <= 5; ++Reply.Id)
		{
			Peer.Machine.Enter();
			Expect(!UNetClockBlueprintLibrary::HandleClockReply(Peer.Machine.World, Reply), "refused");
		}
		Session.Run(5);
		Session.Disconnect(Peer);
		Session.Run(2);
		Session.RestartServer(At(60, -5, 10));
		Session.Run(1);
		// The game's own lost calls hold up later reliable calls.
		Peer.Link = Link(25, 4, 0.5, 0.05);
		Session.Connect(Peer);
		FDoubleRpc OfGame;
		OfGame.bReliable = true;
		for (int32 Call = 0; Call < 200; ++Call)
		{
			Session.Forge(Peer, nullptr, OfGame);
			Session.Run(0.01);
		}
		Peer.Link = Link(25, 4, 0.02, 0.05);
		Session.Run(10);
		Promises(Peer);
		const std::string Said = Say(Peer.Machine, "NetClock.StopRecording");
		// The waits of deferred calls and of reliable calls are unknown.
		WaitsAreCovered("life.csv", Peer, 0.8);
		WaitsAreCovered("life-2.csv", Peer, 0.8);
		const int32 Before = Lines("life-2.csv"), Second = Exchanges("life-2.csv").first;
		Expect(Has(Said, std::to_string(Second) + " exchanges in " + Folder() + "life-2.csv"), Said);
		Expect(Lines("life.csv") > 35 * 6 && Before > 70, "each connection has a file");
		Expect(Has(Say(Peer.Machine, "NetClock.StopRecording"), "Nothing is being recorded"), "it has ended");
		Session.Run(15);
		Expect(Lines("life-2.csv") == Before, "nothing is written after the end");
		Tell("life.csv");
		Tell("life-2.csv");
	}

#if WITH_NETCLOCK_PEERS
	/** The server's announcements of authorities, world segments and starts are in the file too. */
	static void Announced(uint64 Seed)
	{
		FSession Session(At(60, 20, 5000), NM_ListenServer, Seed + 3);
		FPeer& Next = Session.Add(At(), Link(20));
		FPeer& Peer = Session.Add(At(60, 30, 90000), Link());
		Say(Peer.Machine, "NetClock.Record announced");
		Session.ConnectAll();
		Session.Run(0.1);
		UNetClockStart* Start = StartOf(*Session.Server);
		Start->PrepareStart();
		Session.Run(5);
		Expect(Start->ScheduleStart(2000), "a start is scheduled");
		Session.Run(1);
		Expect(Start->CancelStart(), "the start is cancelled");
		Session.Run(1);
		Expect(Start->ScheduleStart(), "a second start is scheduled");
		Session.Run(3);
		Session.Server->World->bPaused = true;
		Session.Run(1);
		Session.Server->World->bPaused = false;
		Session.Run(1);
		for (FPeer* Each : {&Next, &Peer})
		{
			Each->Machine.Enter();
			Expect(Each->Machine.Get<UNetClockHandover>()->ContinueTimeOfPreviousServer() ==
					ENetClockContinuation::Kept,
				"the client keeps the time");
		}
		Session.LoseServer();
		Session.Run(2);
		Session.Promote(Next, NM_ListenServer);
		Session.Run(0.7);
		Session.Connect(Peer);
		Session.Run(15);
		Expect(Peer.Clock()->GetStatus().bIsSynced, "the next server's time is shown");
		Say(Peer.Machine, "NetClock.StopRecording");
		ExpectIn(Lines("announced.csv", "authority,"), 2, 3, "authorities");
		ExpectIn(Lines("announced.csv", "segment,"), 3, 20, "segments");
		Expect(Lines("announced.csv", "start,") == 3, "starts", Lines("announced.csv", "start,"));
		Tell("announced.csv");
	}
#else
	static void Announced(uint64) {}
#endif

	/** Frames hitch at both ends, or the engine limits the client's frame rate in the background. */
	static void LongFrames(uint64 Seed)
	{
		for (const bool bHitches : {true, false})
		{
			FDuo Session(Seed + 4, Link(25, 4, 0, 0));
			FPeer& Peer = Session.Peer;
			const std::string Name = bHitches ? "hitches" : "background";
			Say(Peer.Machine, "NetClock.Record " + Name);
			for (int32 Turn = 0; Turn < 100; ++Turn)
			{
				if (!bHitches) { Peer.Machine.Settings.Fps = Turn % 20 < 5 ? 60 : 4; }
				Peer.Machine.Hitch = bHitches ? 0.3 : 0;
				Session.Server->Hitch = bHitches ? 0.2 : 0;
				Session.Run(0.7);
			}
			Promises(Peer);
			Say(Peer.Machine, "NetClock.StopRecording");
			WaitsAreCovered(Name + ".csv", Peer, 0.95);
		}
	}

	/** The recording begins later than the clock, and the game ends while it is still recording. */
	static void Ends(uint64 Seed)
	{
		{
			FDuo Session(Seed + 1, Link(25, 4, 0, 0));
			Session.Run(5);
			Say(Session.Peer.Machine, "NetClock.Record");
			Expect(Has(Say(*Session.Server, "NetClock.Record server"), "This is the server"), "no server");
			Session.Run(5);
		}
		const std::string Dated = "2026.11.21-10.20.30.csv";
		Expect(Exchanges(Dated).first == Exchanges(Dated).second, "each column has the right value");
		Expect(Lines(Dated) > 25 && Lines("server.csv") == 0, "named by date and closed at the end");
		Tell(Dated);
	}

	static void Refused(uint64 Seed)
	{
		FDuo Session(Seed + 2, Link(25, 4, 0, 0));
		const FMachine& Machine = Session.Peer.Machine;
		Session.Run(2);
		for (const std::string Name : {"../x", "a/b", "C:x", "a\\b", ".hidden", "%s"})
		{
			Expect(Has(Say(Machine, "NetClock.Record " + Name), "not a valid name"), "rejects file " + Name);
		}
		// The folder cannot be created because a file has its name.
		const std::string Saved = std::exchange(FDouble::State.SavedDir, Folder() + "life.csv");
		Expect(Has(Say(Machine, "NetClock.Record x"), "x.csv cannot be written"), "the failure is reported");
		FDouble::State.SavedDir = Saved;

		const int32 Before = Lines("life.csv"), Errors = FDouble::State.Errors;
		Expect(Has(Say(Machine, "NetClock.Record life"), "life-3.csv"), "never overwrites");
		FDouble::State.DiskBytes = 5000;
		Session.Run(30);
		Expect(FDouble::State.Errors == Errors + 1, "a full disk is logged once");
		FDouble::State.DiskBytes = SIZE_MAX;
		Say(Machine, "NetClock.StopRecording");
		Expect(Lines("life.csv") == Before, "the old file is unchanged");
		Promises(Session.Peer);

		FString Message;
		const auto Recorder = FNetClockRecorder::Open(TEXT("endless"), Message, 1000);
		const int32 Warnings = FDouble::State.Warnings;
		for (int32 Index = 0; Index < 1010; ++Index) { Recorder->Add(TEXT("line\n"), 0); }
		Expect(!Recorder->IsOpen() && Lines("endless.csv", "line") == 1000, "it ends after its maximum");
		Expect(FDouble::State.Warnings == Warnings + 1, "the end of the recording is logged");
		std::filesystem::remove(Folder() + "endless.csv");
	}

	SCENARIO(Recording, Tools)
	{
		std::filesystem::remove_all(Folder());
		for (const auto Part : {ThroughALife, Announced, LongFrames, Ends, Refused})
		{
			FDouble::CollectAll();
			Part(Seed + 40);
		}
	}

	SCENARIO(Status, Always)
	{
		FDouble::CollectAll();
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 45);
		Session.ControllerClass = AClockController::StaticClass();
		FPeer& Peer = Session.Join(At(), Link(25, 4, 0.01, 0.05));
		Session.Join(At(60, 20, 800), Link());
		FPeer& Alone = Session.Add(At(60, 0, 100), Link(25, 4, 0, 0));
		Session.Run(1);
		APlayerState* Named = Session.Server->World->SpawnDouble<APlayerState>();
		Named->Name = FString(TEXT("Ada"));
		Peer.ServerController->PlayerState = Named;
		Say(Peer.Machine, "NetClock.Record status");
		Session.Run(9);
		const std::string Text = Console(Peer.Machine, "NetClock.Status");
		Expect(FDouble::Narrow(*NetClock::MsText(NetClock::UnknownMs)) == "unknown", "prints no number");
		const auto Number = [](const char* Format, double Value)
		{ return FDouble::Narrow(*FString::Printf(UTF8_TO_TCHAR(Format), Value)); };
		const FNetClockStatus Now = Peer.Clock()->GetStatus();
		const FNetClockWorldReading World = Peer.Clock()->GetWorldReading(ENetClockWorldClock::World);
		for (const std::string& Wanted :
			{std::string("dedicated server\n"), std::string("client\n"), std::string("standalone\n"),
				"synced\n  server time  " + Number("%.6f s", static_cast<double>(Now.ServerTicks) / 1e7) +
					Number(", within %.3f ms", Now.ErrorBoundMs) +
					Number(", expected error %.3f ms", Now.ExpectedErrorMs),
				Number("round trip   %.3f ms", Now.RoundTripMs) +
					Number("; the server's clock runs %.1f ppm ", FMath::Abs(Now.FrequencyPpm)) +
					(Now.FrequencyPpm < 0 ? "slower" : "faster"),
				Number("at a rate of 1.00, within %.3f ms", Peer.Clock()->GetWorldTimeErrorBoundMs()) +
					Number("; within %.3f ms if", World.ErrorBoundIfUnchangedMs),
				std::to_string(Peer.CallsUp) + " sent, " +
					std::to_string(Peer.Component()->GetCounts().Refused) + " refused",
				"player Ada: " + std::to_string(Peer.CallsDown) + " datagrams sent, 0 dropped",
				std::string("player ClockController: "), "exchanges in " + Folder() + "status.csv"})
		{
			Expect(Has(Text, Wanted), "\"" + Wanted + "\" is not in\n" + Text);
		}
		Say(Peer.Machine, "NetClock.StopRecording");
		Expect(!StatusHas(Peer.Machine, "status.csv"), "the status shows no recording");

		Session.Server->World->bPaused = true;
		Session.Run(1);
		Expect(StatusHas(Peer.Machine, " s at a rate of 0.00, within"), "the status shows a paused world");
		Session.SeamlessTravel();
		Alone.Machine.World->bReplay = true;
		Peer.Link.Up.Loss = 1;
		Session.Run(20);
		Expect(StatusHas(Peer.Machine, "standalone, playing a replay"), "the status shows a replay");
		Expect(StatusHas(Peer.Machine, "holdover: no replies"), "holdover");
		std::printf("NetClock.Status\n%s", Text.c_str());
	}
}
