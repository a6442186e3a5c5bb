// A server and its clients, the links between them, and the truth.
#pragma once

#include <map>

#include "GameFramework/GameModeBase.h"
#include "Machine.h"
#include "NetClock.h"
#include "NetClock/Game/NetClockLatency.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClock/Game/NetClockStart.h"
#include "NetClock/Game/NetClockWatch.h"
#include "OneShotController.h"

/** One direction of a link. */
struct FDirection
{
	double LagMs = 25;
	/** Mean of an exponential jitter, which also reorders. */
	double JitterMs = 4;
	double Loss = 0;
	double Duplicates = 0;
};

struct FLink
{
	FDirection Up;
	FDirection Down;
};

/** What was seen of one clock at one client. */
struct FSeen
{
	std::vector<double> ErrorsMs;
	double Quantile(double Share) const;
};

/** What was seen at one client. Counts from the first frame in which the world time is the plugin's. */
struct FJudged
{
	int32 Frames = 0;
	int32 Fallback = 0;
	int32 OutsideBound = 0;
	int32 OutsideRealBound = 0;
	int32 Backwards = 0;
	int32 Unequal = 0;
	/** Frames outside the bound that holds if nothing was paused or dilated since the server was heard. */
	int32 OutsideIfUnchanged = 0;
	double LargestBoundMs = 0;
	double WorstMs = 0;
	double SyncedAfter = -1;
	/** When its clock first showed the time of the present server. */
	double ConfirmedAt = -1;
	double LastShown = -1e300;
	std::vector<double> ShownInFrame;
	FSeen NetClock, Engine, OneShot;
	/** Of the events. */
	int32 Synced = 0;
	int32 UnsyncedAfterTravel = 0;
	std::vector<ENetClockCause> Causes;
};

/** What is promised of a message: nothing, that its news arrives in the end, or that it arrives itself, in
 * order. */
enum class ECarried { Once, Repeated, Reliably };

inline ECarried CarriedAs(const FDoubleRpc& Rpc)
{
	return Rpc.bReliable ? ECarried::Reliably : ECarried::Once;
}

/** Reliable messages of one direction of a connection that wait for their confirmation. With so many it is
 * closed. */
constexpr int32 ReliableBuffer = 256;

class FSession;

/** One client's end of a connection, and the server's. */
class FPeer
{
public:
	FPeer(FSession& InSession, int32 InNumber, FMachineSettings Settings, FLink InLink);

	/** Until it is the server. */
	std::unique_ptr<FMachine> Owned;
	FMachine& Machine;
	FLink Link;
	FJudged Judged;
	double JoinedAt = 0;
	bool bConnected = false;
	/** In a world of its own, until it connects again. */
	bool bAlone = false;
	/** Told to travel, and not there yet: its world is one that the server has left. */
	bool bBehind = false;
	bool bTravelled = false;
	/** How long its machine loads the world that it travels to seamlessly, in seconds. */
	double LoadSeconds = 0;
	/** From when on errors count, in seconds after joining. */
	double SettleSeconds = 10;
	/** Told of the world time in each frame in which it is known: the true time, and the error in ms. */
	std::function<void(double, double)> OnJudged;

	/** Sees each call of an object here before it leaves. False: it never does. */
	std::function<bool(const UObject*, const FDoubleRpc&)> Passes;

	APlayerController* ServerController = nullptr;
	APlayerController* Controller = nullptr;
	UNetConnection* ServerConnection = nullptr;
	/** The second player of a split screen, at the server and here. */
	APlayerController* SecondAtServer = nullptr;
	APlayerController* Second = nullptr;

	/** No datagram of the link passes; the game's own do. */
	bool bUdpBlocked = false;
	int64 BytesUp = 0, BytesDown = 0;
	int32 CallsUp = 0, CallsDown = 0, Kicks = 0;
	/** Reliable calls of the plugin more than two seconds after the first reply of this server. */
	int32 LateReliable = 0;

	UNetClockSubsystem* Clock() const { return Machine.Get<UNetClockSubsystem>(); }
	UNetClockComponent* Component() const
	{
		return Controller ? Controller->FindComponentByClass<UNetClockComponent>() : nullptr;
	}
	UNetClockComponent* ServerComponent() const
	{
		return ServerController ? ServerController->FindComponentByClass<UNetClockComponent>() : nullptr;
	}

	/** The client's counterpart of an object of the server. Null until it is opened there, and when it has
	 * gone. */
	UObject* Counterpart(UObject* Object) const
	{
		const auto Found = Channels.find(Object);
		return Found != Channels.end() && IsValid(Found->second) ? Found->second : nullptr;
	}
	std::map<UObject*, UObject*> Channels;
	struct FSent { std::any Value; uint64 Number; };
	/** By object and property: a class holds one text for its name. */
	std::map<std::pair<UObject*, const char*>, FSent> SentProperties;
	std::map<std::pair<UObject*, const char*>, uint64> AppliedProperties;
	double ReliableUp = 0, ReliableDown = 0;
	/** Reliable messages that the other end has not confirmed, and how often they were too many. */
	int32 UnconfirmedUp = 0, UnconfirmedDown = 0, Overflows = 0;
	double NextPush = 0;
	/** What this client was told of the server's world: paused, and its dilation. */
	std::pair<bool, float> ToldRate{false, 1.0f};
	const int32 Number;
};

class FSession
{
public:
	FSession(FMachineSettings ServerSettings, ENetMode Mode, uint64 Seed);
	~FSession();

	FPeer& Add(FMachineSettings Settings, FLink Link);
	/** The server plays by these rules from now on, with their classes. Before anybody connects. */
	AGameModeBase* Play(UClass* GameModeClass);
	void Connect(FPeer& Peer);
	void ConnectAll()
	{
		for (const auto& Peer : Peers) { Connect(*Peer); }
	}
	/** Adds a peer that connects at once. */
	FPeer& Join(FMachineSettings Settings, FLink Link);
	/** A second player joins at the same machine, by the same connection: a split screen. */
	void JoinSecond(FPeer& Peer);
	/** The first player of a split screen leaves. The second one stays. */
	void LeaveFirst(FPeer& Peer);
	/** The client's side ends, as on a lost connection; the server notices too. */
	void Disconnect(FPeer& Peer);
	/** The server's process ends, and another begins on the same machine. */
	void RestartServer(FMachineSettings Settings);
	/** The server opens another world and drops everybody, who have to connect again. */
	void HardTravel();
	/** The host's process ends, and everybody is in a world of his own. */
	void LoseServer();
	/** A machine that is alone is the server from now on, in a world that it opens. */
	void Promote(FPeer& Peer, ENetMode Mode);
	/** The player at a listen server. Null if there is none. */
	APlayerController* Host() const { return Server->Game->GetFirstLocalPlayerController(Server->World); }
	/** The server's real time at a true time, in ticks. */
	double ServerTicksAt(double True) const;
	/** Everybody goes to another world; controllers and connections stay. */
	void SeamlessTravel();
	/** Runs all machines, frame by frame, in the order of true time. What is called then is called on the
	 * server. */
	void Run(double Seconds);

	/** Carries a call from a client's object as if the object were the server's given one: what only a cheat
	 * does. */
	void Forge(FPeer& Peer, UObject* ServerObject, FDoubleRpc Rpc);

	std::unique_ptr<FMachine> Server;
	std::vector<std::unique_ptr<FPeer>> Peers;
	UClass* ControllerClass = AOneShotController::StaticClass();
	UClass* GameStateClass = ANetClockGameStateBase::StaticClass();
	AGameModeBase* Rules = nullptr;
	int32 OwnershipWarnings = 0;
	/** Connections are relayed: what they call an address is none. */
	bool bRelayed = false;
	/** Calls to clients leave behind the properties, and now and then a frame later: as if attached to their
	 * objects. */
	bool bQueueCalls = false;

private:
	friend class FPeer;
	void Send(FPeer& Peer, bool bUp, ECarried Carried, std::function<void()> Action, double HeldSeconds = 0);
	static void CountCall(FPeer& Peer, const UObject* Object, const FDoubleRpc& Rpc, bool bUp);
	static bool IsDue(const FPeer& Peer, UObject* Object, const FDoubleProperty& Property,
		ELifetimeCondition Condition);
	void CloseOverflown();
	void SendProperty(FPeer& Peer, UObject* Object, const FDoubleProperty& Property);
	void ArriveAtServer(FPeer& Peer, UObject* Target, const FDoubleRpc& Rpc);
	void StartServer(ENetMode Mode);
	/** In another world. */
	void OpenServer(ENetMode Mode);
	void FlushServer();
	void Replicate(FPeer& Peer, UObject* Object);
	void ReplicatePlayer(FPeer& Peer, APlayerController* Player);
	void OpenChannel(FPeer& Peer, UObject* Object);
	static void EndPlayer(APlayerController* Player);
	static void ForgetGone(UWorld& World);
	void Read(FPeer& Peer);
	void Judge(FPeer& Peer);
	static void HearEvents(FPeer& Peer);

	FDice Dice;
	double TrueNow = 0;
	std::vector<std::function<void()>> Queued;
};
