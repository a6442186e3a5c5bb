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

/** One direction of a link. */
struct FDirection
{
	double LagMs = 25;
	/** Mean of an exponential jitter in ms. The jitter also reorders packets. */
	double JitterMs = 4;
	double Loss = 0;
	double Duplicates = 0;
};

struct FLink
{
	FDirection Up;
	FDirection Down;
};

/** Errors of a single clock at one client. */
struct FSeen
{
	std::vector<double> ErrorsMs;
	double Quantile(double Share) const;
};

/** The observations at one client, from the first frame in which the plugin provides the world time. */
struct FJudged
{
	int32 Frames = 0;
	int32 Fallback = 0;
	int32 OutsideBound = 0;
	int32 OutsideRealBound = 0;
	int32 Backwards = 0;
	/** Frames in which time went backwards because the clock began a new epoch within its first second. */
	int32 EarlySteps = 0;
	int32 LastEpoch = 0;
	int32 Unequal = 0;
	/** Frames outside the bound for a world that has not changed since the last message. */
	int32 OutsideIfUnchanged = 0;
	double LargestBoundMs = 0;
	double WorstMs = 0;
	double SyncedAfter = -1;
	/** True time at which the clock first showed the current server's time. */
	double ConfirmedAt = -1;
	double LastShown = -1e300;
	std::vector<double> ShownInFrame;
	FSeen NetClock, Engine;
	/** Number of times that the clock reported a sync. */
	int32 Synced = 0;
	int32 UnsyncedAfterTravel = 0;
	std::vector<ENetClockCause> Causes;
};

/** How a message is delivered: at most once, repeated until a copy arrives, or reliably and in order. */
enum class ECarried { Once, Repeated, Reliably };

inline ECarried CarriedAs(const FDoubleRpc& Rpc)
{
	return Rpc.bReliable ? ECarried::Reliably : ECarried::Once;
}

/** This many unconfirmed reliable messages in one direction close a connection. */
constexpr int32 ReliableBuffer = 256;

/** The server's state for a property that it replicates to one client. */
struct FReplicated
{
	FDoubleMembers Sent;
	/** Members whose packets were lost. They are sent again with their current values. */
	std::set<size_t> Lost;
};

/** A server object that replicates to one client. */
struct FChannel
{
	/** The client's counterpart, or null before it exists. */
	UObject* Here = nullptr;
	double NextUpdate = 0;
	/** How many of the actor's forced updates and flushes have been processed. */
	int32 Forced = 0, Flushed = 0;
	uint64 SentPackets = 0, ReadPackets = 0;
	/** The key is the address of the name, because a class contains each name only once. */
	std::map<const char*, FReplicated> Properties;

	/** Returns true if the actor is considered in this frame. Dormant actors are considered only after a
	 * flush. Others are considered at their update rate, or on request. */
	bool TakeUpdate(const AActor& Actor, double Now, FDice& Dice);
};

class FSession;

/** Both ends of one client's connection. */
class FPeer
{
public:
	FPeer(FSession& InSession, int32 InNumber, FMachineSettings Settings, FLink InLink);

	/** Null after this machine has become the server. */
	std::unique_ptr<FMachine> Owned;
	FMachine& Machine;
	FLink Link;
	FJudged Judged;
	double JoinedAt = 0;
	bool bConnected = false;
	/** Whether the player plays alone until it connects again. */
	bool bAlone = false;
	/** Whether the client has not yet followed the server to the next world. */
	bool bBehind = false;
	bool bTravelled = false;
	/** The time that the machine needs to load a world in seamless travel, in seconds. */
	double LoadSeconds = 0;
	/** The number of seconds after joining at which recording of errors starts. */
	double SettleSeconds = 10;
	/** Called with the true time and the error in ms, in each frame with a known world time. */
	std::function<void(double, double)> OnJudged;

	/** Called for each remote call of an object on this client. Returns false to drop the call. */
	std::function<bool(const UObject*, const FDoubleRpc&)> Passes;

	APlayerController* ServerController = nullptr;
	APlayerController* Controller = nullptr;
	UNetConnection* ServerConnection = nullptr;
	/** The second player in a split screen, on the server and on this client. */
	APlayerController* SecondAtServer = nullptr;
	APlayerController* Second = nullptr;

	/** Whether the network drops the link's datagrams but not the game's packets. */
	bool bUdpBlocked = false;
	/** How long each packet waited at its receiver, in seconds. The key is the time of the read, in ticks of
	 * the receiver's clock. */
	std::map<int64, double> WaitedUp, WaitedDown;
	/** When the plugin made its calls, in ticks of the caller's clock. */
	std::set<int64> CalledUp, CalledDown;
	int64 BytesUp = 0, BytesDown = 0;
	int32 CallsUp = 0, CallsDown = 0;
	/** Unreliable calls in both directions that a saturated connection dropped. */
	int32 Dropped = 0;
	/** The plugin's reliable calls more than two seconds after this server's first reply. */
	int32 LateReliable = 0;
	/** Starts of the frames with the plugin's latest unreliable calls, and the number of calls that were not
	 * the first of their frame. */
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

	/** Returns the client's counterpart of a server object, or null before its creation and after its
	   destruction. */
	UObject* Counterpart(UObject* Object) const
	{
		const auto Found = Channels.find(Object);
		return Found != Channels.end() && IsValid(Found->second.Here) ? Found->second.Here : nullptr;
	}
	std::map<UObject*, FChannel> Channels;
	double ReliableUp = 0, ReliableDown = 0;
	/** Unconfirmed reliable messages, and the number of times that too many of them closed the connection. */
	int32 UnconfirmedUp = 0, UnconfirmedDown = 0, Overflows = 0;
	double NextPush = 0;
	/** The last pause and dilation of the server's world that this client received. */
	std::pair<bool, float> ToldRate{false, 1.0f};
	const int32 Number;
};

/** Records a replay. To the server, it is a connection whose controller belongs to a spectator and sends
   nothing. */
struct FRecording
{
	/** The replay's content for one server frame. */
	struct FFrame
	{
		double WorldSeconds;
		/** The server time of this frame. */
		int64 Ticks;
		TArray<uint8> Blob;
	};
	std::vector<FFrame> Frames;
	UNetConnection* Connection = nullptr;
	APlayerController* Spectator = nullptr;
	/** Channel that carries the game state. */
	FChannel Channel;
	/** Number of calls to the spectator. They would be part of the replay. */
	int32 Calls = 0;
};

class FSession
{
public:
	FSession(FMachineSettings ServerSettings, ENetMode Mode, uint64 Seed);
	~FSession();

	FPeer& Add(FMachineSettings Settings, FLink Link);
	/** Makes the server use a game mode and its classes. Must be called before any client connects. */
	AGameModeBase* Play(UClass* GameModeClass);
	void Connect(FPeer& Peer);
	void ConnectAll()
	{
		for (const auto& Peer : Peers) { Connect(*Peer); }
	}
	/** Adds a peer that connects immediately. */
	FPeer& Join(FMachineSettings Settings, FLink Link);
	/** Adds a second player on the same machine and connection, in a split screen. */
	void JoinSecond(FPeer& Peer);
	/** Makes the first player in a split screen leave. The second player stays. */
	void LeaveFirst(FPeer& Peer);
	/** Closes the connection on both sides. */
	void Disconnect(FPeer& Peer);
	/** Ends the server's process and starts a new one on the same machine. */
	void RestartServer(FMachineSettings Settings);
	/** Opens another world on the server and closes all connections. */
	void HardTravel();
	/** Ends the host's process. Each client continues alone. */
	void LoseServer();
	/** Makes a machine that plays alone the server, in a new world. */
	void Promote(FPeer& Peer, ENetMode Mode);
	/** Returns the local player of a listen server, or null. */
	APlayerController* Host() const { return Server->Game->GetFirstLocalPlayerController(Server->World); }
	/** Returns the server time at a true time, in ticks. */
	double ServerTicksAt(double True) const;
	/** Moves the server and the clients to another world. Controllers and connections stay. */
	void SeamlessTravel();
	/** Runs the frames of all machines in the order of true time. Afterwards, the server is the double's
	   current machine. */
	void Run(double Seconds);
	/** Runs until a condition holds, for at most a minute. Returns false if it never did. */
	template <class P> bool RunUntil(P Is, double Step = 0.005)
	{
		for (double Left = 60; Left > 0 && !Is(); Left -= Step) { Run(Step); }
		return Is();
	}

	/** Sends a call to a given server object, as only a modified client can. */
	void Forge(FPeer& Peer, UObject* ServerObject, FDoubleRpc Rpc);

	/** Starts to record a replay on the server. */
	void Record();

	std::unique_ptr<FMachine> Server;
	std::vector<std::unique_ptr<FPeer>> Peers;
	UClass* ControllerClass = APlayerController::StaticClass();
	UClass* GameStateClass = ANetClockGameStateBase::StaticClass();
	AGameModeBase* Rules = nullptr;
	/** Whether connections are relayed, so that their addresses are not IP addresses. */
	bool bRelayed = false;
	/** Whether calls to clients are sent after the frame's properties, and sometimes a frame later, like
	   calls that are attached to their objects. */
	bool bQueueCalls = false;
	/** Whether replication uses Iris, which updates all properties of an object together. Without Iris, a
	   loss can leave a client with members from different times. Drawn at random by default. */
	bool bIris = false;
	/** The replay that the server records, or null. */
	std::unique_ptr<FRecording> Recording;

private:
	friend class FPeer;
	void Send(FPeer& Peer, bool bUp, ECarried Carried, std::function<void()> Action,
		std::function<void()> OnLost = nullptr);
	static bool IsDropped(FPeer& Peer, UNetConnection& Connection, const FDoubleRpc& Rpc);
	void CountCall(FPeer& Peer, const UObject* Object, const FDoubleRpc& Rpc, bool bUp) const;
	static bool MayBeSent(const FPeer& Peer, const FChannel& Channel, UObject* Object,
		const FDoubleProperty& Property, ELifetimeCondition Condition);
	void CloseOverflown();
	void SendUpdate(FPeer& Peer, UObject* Object, struct FUpdate Update);
	void ArriveAtServer(FPeer& Peer, UObject* Target, const FDoubleRpc& Rpc);
	void StartServer(ENetMode Mode);
	/** Opens another world. */
	void OpenServer(ENetMode Mode);
	void FlushServer();
	void RecordFrame();
	void Replicate(FPeer& Peer, UObject* Object);
	void ReplicatePlayer(FPeer& Peer, APlayerController* Player);
	void OpenChannel(FPeer& Peer, UObject* Object);
	static void EndPlayer(APlayerController* Player);
	static void ForgetGone(UWorld& World);
	void Read(FPeer& Peer);
	void Judge(FPeer& Peer);
	static void CountEvents(FPeer& Peer);

	FDice Dice;
	double TrueNow = 0;
	std::vector<std::function<void()>> Queued;
};
