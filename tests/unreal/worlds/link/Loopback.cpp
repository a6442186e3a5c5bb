// The library's own sockets and threads, on loopback and in real time: what ships. All machines share this
// one's clock, so that a client's true offset is zero.
#include <chrono>
#include <thread>

#include "HAL/IConsoleManager.h"
#include "Links.h"
#include "NetClock/Base/NetClockLibrary.h"
#include "Project.h"

namespace Scenarios
{
static FNetClockLinkStatus LinkOf(const FPeer& Peer)
{
	return FLinkProject::On(Peer.Machine).GetLinkStatus();
}

	/** Frames in real time, until a client's link has used some replies. At most 20 s. */
	static void Play(FSession& Session, const FPeer& Peer, int32& Outside)
	{
		using FClock = std::chrono::steady_clock;
		const auto Begin = FClock::now();
		double Played = 0;
		while (LinkOf(Peer).Replies < 12 && FClock::now() - Begin < std::chrono::seconds(20))
		{
			Played += 1.0 / 60;
			std::this_thread::sleep_until(
				Begin + std::chrono::duration_cast<FClock::duration>(std::chrono::duration<double>(Played)));
			Session.Run(1.0 / 60);
			const UNetClockSubsystem* Clock = Peer.Clock();
			const double OffMs =
				static_cast<double>(Clock->GetServerTimeTicks() - Clock->GetFrameTicks()) * 1e-4;
			Outside += Clock->IsSynced() && FMath::Abs(OffMs) > Clock->GetErrorBoundMs() ? 1 : 0;
		}
	}

	void LinkOverLoopback(uint64 Seed)
	{
		const char* Name = "link over loopback";
		const FLinkProject Project("LinkPort=21788\nLinkPortCount=1000");
		FLinkNetwork::Get().BeReal(true);
		{
			FSession Session(At(60, 0, 0), NM_DedicatedServer, Seed + 37);
			Session.Server->Address = "127.0.0.1";
			FPeer& Peer = Session.Join(At(60, 0, 0), Link(25, 4, 0, 0));
			FPeer& Other = Session.Join(At(30, 0, 0), Link(25, 4, 0, 0));
			for (FPeer* Each : {&Peer, &Other})
			{
				// Its truth is that of simulated time.
				Each->Machine.OnEnd = nullptr;
				Each->Machine.OnActors = Each->Machine.OnDispatched = nullptr;
			}
			static_cast<void>(FDouble::Console(Peer.Machine.World, "NetClock.Record loopback"));
			int32 Outside = 0;
			Play(Session, Peer, Outside);
			Play(Session, Other, Outside);
			for (const FPeer* Each : {&Peer, &Other})
			{
				const FNetClockLinkStatus Found = LinkOf(*Each);
				Report::Expect(
					Found.State == ENetClockLinkState::Linked && Found.Replies >= 12, Name, "linked");
				Report::Expect(Found.Stamps != ENetClockStamps::Frames, Name, "stamped outside the frames");
				Report::Expect(Each->Clock()->IsSynced(), Name, "synced");
			}
			Report::Expect(Outside == 0, Name, std::to_string(Outside) + " frames outside the bound");
			const FNetClockLinkStatus Server = FLinkProject::On(*Session.Server).GetLinkStatus();
			Report::Expect(
				Server.State == ENetClockLinkState::Serving && Server.Requests >= 24 && Server.Port >= 21788,
				Name, "the server answers");
			std::printf("    within %.3f ms over loopback, %d and %d replies by the link\n",
				Peer.Clock()->GetErrorBoundMs(), LinkOf(Peer).Replies, LinkOf(Other).Replies);
#if !UE_BUILD_SHIPPING
			Session.Run(1.0 / 60);
			FString File;
			int64 Exchanges = 0;
			const UNetClockSession* Recording = Peer.Machine.Game->GetSubsystem<UNetClockSession>();
			Report::Expect(Recording->GetRecording(File, Exchanges) && Exchanges >= LinkOf(Peer).Replies,
				Name, "exchanges by the link's thread are recorded");
			static_cast<void>(FDouble::Console(Peer.Machine.World, "NetClock.StopRecording"));
#endif
		}
		FLinkNetwork::Get().BeReal(false);
	}
}
