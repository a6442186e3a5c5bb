// A server and its clients, the network paths between them, and the true times.
#pragma once

#include <map>
#include <set>

#include "ClockController.h"
#include "GameFramework/GameModeBase.h"
#include "Machine.h"
#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Game/NetClockLatency.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClock/Game/NetClockOwnTransport.h"
#include "NetClock/Game/NetClockStart.h"
#include "NetClock/Game/NetClockUtc.h"
#include "NetClock/Game/NetClockWatch.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "NetClock/World/NetClockGameState.h"

struct FDirection
{
	double LagMs = 25;
	/** Mean of an exponential jitter in ms, which also reorders packets. */
	double JitterMs = 4;
	double Loss = 0;
	double Duplicates = 0;
};

struct FLink
{
	FDirection Up;
	FDirection Down;
};

struct FSeen
{
	std::vector<double> ErrorsMs;
	double Quantile(double Share) const;
};

/** The client's readings since the plugin first provided the world time. */
struct FJudged
{
	int32 Frames = 0;
	int32 Fallback = 0;
	int32 OutsideBound = 0;
	int32 OutsideRealBound = 0;
	int32 Backwards = 0;
	/** Frames in which time went backwards because the clock stepped in its first second. */
	int32 EarlySteps = 0;
	int32 LastEpoch = 0;
	int32 Unequal = 0;
	/** Frames in which the error exceeded the bound for a world unchanged since the last message. */
	int32 OutsideIfUnchanged = 0;
	double LargestBoundMs = 0;
	double WorstMs = 0;
	double SyncedAfter = -1;
	/** True time when the clock first showed the current server's time. */
	double ConfirmedAt = -1;
	double LastShown = -1e300;
	std::vector<double> ShownInFrame;
	FSeen NetClock, Engine;
	int32 Synced = 0;
	int32 UnsyncedAfterTravel = 0;
	std::vector<ENetClockCause> Causes;
};

/** A message is delivered at most once, repeated until a copy arrives, or delivered reliably and in order. */
enum class ECarried { Once, Repeated, Reliably };

inline ECarried CarriedAs(const FDoubleRpc& Rpc)
{
	return Rpc.bReliable ? ECarried::Reliably : ECarried::Once;
}

/** A connection closes after this many unconfirmed reliable messages in one direction. */
constexpr int32 ReliableBuffer = 256;

/** State of a property that the server replicates to a client. */
struct FReplicated
{
	FDoubleMembers Sent;
	/** The members whose packets were lost, so the server sends their current values again. */
	std::set<size_t> Lost;
};

struct FChannel
{
	UObject* Here = nullptr;
	double NextUpdate = 0;
	/** How many of the actor's forced updates and flushes have been processed. */
	int32 Forced = 0, Flushed = 0;
	uint64 SentPackets = 0, ReadPackets = 0;
	/** The address of the name is a unique key, because a class contains each name only once. */
	std::map<const char*, FReplicated> Properties;

	/** Returns true if the actor is considered for an update. An actor is considered after a flush and,
	 * unless it is dormant, at its update rate or on request. */
	bool TakeUpdate(const AActor& Actor, double Now, FDice& Dice);
};

class FSession;

class FPeer
{
public:
	FPeer(FSession& InSession, int32 InNumber, FMachineSettings Settings, FLink InLink);

	/** Null if the machine has become the server. */
	std::unique_ptr<FMachine> Owned;
	FMachine& Machine;
	FLink Link;
	FJudged Judged;
	double JoinedAt = 0;
	bool bConnected = false;
	bool bAlone = false;
	/** Set while the client has not followed the server to the next world. */
	bool bBehind = false;
	bool bTravelled = false;
	/** How long the machine takes to load a world in seamless travel, in seconds. */
	double LoadSeconds = 0;
	/** Errors are recorded starting this many seconds after the client joins. */
	double SettleSeconds = 10;
	/** Called with the true time and the error in ms in each frame in which the world time is known. */
	std::function<void(double, double)> OnJudged;

	/** Called for each RPC of an object on this client. If it returns false, the RPC is dropped. */
	std::function<bool(const UObject*, const FDoubleRpc&)> Passes;

	APlayerController* ServerController = nullptr;
	APlayerController* Controller = nullptr;
	UNetConnection* ServerConnection = nullptr;
	/** The server's and this client's copies of the second split-screen player. */
	APlayerController* SecondAtServer = nullptr;
	APlayerController* Second = nullptr;

	/** Set if the network drops the link's datagrams but delivers the game's packets. */
	bool bUdpBlocked = false;
	/** How long a packet waited at its receiver, and the time since the receiver's previous frame began,
	 * which is the longest possible wait. */
	struct FWaited { double Seconds, LongestSeconds; };
	/** The keys are the times at which packets were read, in ticks of the receiver's clock. */
	std::map<int64, FWaited> WaitedUp, WaitedDown;
	/** The times at which the plugin made its calls, in ticks of the caller's clock. */
	std::set<int64> CalledUp, CalledDown;
	int64 BytesUp = 0, BytesDown = 0;
	int32 CallsUp = 0, CallsDown = 0;
	/** Unreliable calls that a saturated connection dropped in either direction. */
	int32 Dropped = 0;
	/** Counts the plugin's reliable calls that were made more than two seconds after this server's first
	 * reply. */
	int32 LateReliable = 0;
	/** The frames of the latest unreliable calls, and how many calls were not the first in their frame. */
	double UnreliableUp = -1, UnreliableDown = -1;
	int32 Crowded = 0;

	UNetClockSubsystem* Clock() const { return Machine.Get<UNetClockSubsystem>(); }
	UNetClockComponent* Component() const
	{
		return Controller ? Controller->FindComponentByClass<UNetClockComponent>() : nullptr;
	}
	UNetClockComponent* ServerComponent() const
	{
		return ServerController ? ServerController->FindComponentByClass<UNetClockComponent>() : nullptr;
	}

	/** The client's copy of a server object, or null before its creation and after its end. */
	UObject* Counterpart(UObject* Object) const
	{
		const auto Found = Channels.find(Object);
		return Found != Channels.end() && IsValid(Found->second.Here) ? Found->second.Here : nullptr;
	}
	std::map<UObject*, FChannel> Channels;
	double ReliableUp = 0, ReliableDown = 0;
	/** Unconfirmed reliable messages, and how often too many of them closed the connection. */
	int32 UnconfirmedUp = 0, UnconfirmedDown = 0, Overflows = 0;
	double NextPush = 0;
	/** The pause and dilation of the server's world that this client received last. */
	std::pair<bool, float> ToldRate{false, 1.0f};
	const int32 Number;
};

/** Records a replay. The replay spectator's connection receives nothing. */
struct FRecording
{
	struct FFrame
	{
		double WorldSeconds;
		/** Server time of this frame. */
		int64 Ticks;
		TArray<uint8> Blob;
	};
	std::vector<FFrame> Frames;
	UNetConnection* Connection = nullptr;
	APlayerController* Spectator = nullptr;
	FChannel Channel;
	/** The number of RPCs to the spectator, which would end up in the replay. */
	int32 Calls = 0;
};

class FSession
{
public:
	FSession(FMachineSettings ServerSettings, ENetMode Mode, uint64 Seed);
	~FSession();

	FPeer& Add(FMachineSettings Settings, FLink Link);
	/** Makes the server use this game mode and its classes. Must be called before clients connect. */
	AGameModeBase* Play(UClass* GameModeClass);
	void Connect(FPeer& Peer);
	void ConnectAll()
	{
		for (const auto& Peer : Peers) { Connect(*Peer); }
	}
	FPeer& Join(FMachineSettings Settings, FLink Link);
	void JoinSecond(FPeer& Peer);
	void LeaveFirst(FPeer& Peer);
	void Disconnect(FPeer& Peer);
	static void EndPlayer(APlayerController* Player);
	void RestartServer(FMachineSettings Settings);
	/** Opens another world on the server. This closes all connections. */
	void HardTravel();
	/** Ends the host's process. Each client then continues alone. */
	void LoseServer();
	void Promote(FPeer& Peer, ENetMode Mode);
	APlayerController* Host() const { return Server->Game->GetFirstLocalPlayerController(Server->World); }
	double ServerTicksAt(double True) const;
	/** Moves the server and the clients, with their controllers and connections, to another world. */
	void SeamlessTravel();
	/** Runs all machines' frames in the order of true time. Afterwards, the current machine is the server. */
	void Run(double Seconds);
	/** Runs until the condition holds. Returns false if that takes more than a minute. */
	template <class P> bool RunUntil(P Is, double Step = 0.005)
	{
		for (double Left = 60; Left > 0 && !Is(); Left -= Step) { Run(Step); }
		return Is();
	}

	/** Only a modified client can send this call to a server object of its choice. */
	void Forge(FPeer& Peer, UObject* ServerObject, FDoubleRpc Rpc);

	void Record();

	std::unique_ptr<FMachine> Server;
	std::vector<std::unique_ptr<FPeer>> Peers;
	UClass* ControllerClass = APlayerController::StaticClass();
	UClass* GameStateClass = ANetClockGameStateBase::StaticClass();
	AGameModeBase* Rules = nullptr;
	/** Set if connections are relayed, in which case their addresses are not IP addresses. */
	bool bRelayed = false;
	/** Set if calls leave after the frame's properties and sometimes a frame later, like calls that the
	 * engine attaches to an actor. */
	bool bQueueCalls = false;
	/** Iris updates an object's properties together. Without Iris, a loss can mix properties from different
	 * times. Default: random. */
	bool bIris = false;
	std::unique_ptr<FRecording> Recording;

private:
	friend class FPeer;
	void Send(FPeer& Peer, bool bUp, ECarried Carried, std::function<void()> Action,
		std::function<void()> OnLost = nullptr);
	static bool IsDropped(FPeer& Peer, UNetConnection& Connection, const FDoubleRpc& Rpc);
	void CountCall(FPeer& Peer, const UObject* Object, const FDoubleRpc& Rpc, bool bUp) const;
	void CloseOverflown();
	void SendUpdate(FPeer& Peer, UObject* Object, struct FUpdate Update);
	void ArriveAtServer(FPeer& Peer, UObject* Target, const FDoubleRpc& Rpc);
	void StartServer(ENetMode Mode);
	void OpenServer(ENetMode Mode);
	void FlushServer();
	void RecordFrame();
	void Replicate(FPeer& Peer, UObject* Object);
	void ReplicatePlayer(FPeer& Peer, APlayerController* Player);
	void OpenChannel(FPeer& Peer, UObject* Object);
	static void ForgetGone(UWorld& World);
	void Read(FPeer& Peer);
	void Judge(FPeer& Peer);
	static void CountEvents(FPeer& Peer);

	FDice Dice;
	double TrueNow = 0;
	std::vector<std::function<void()>> Queued;
};
