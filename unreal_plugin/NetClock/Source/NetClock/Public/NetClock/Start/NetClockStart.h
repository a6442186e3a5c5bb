// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockDatagram.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClock/Start/NetClockStartTypes.h"
#include "NetClockStart.generated.h"

class APlayerController;
class FNetClockOrganiser;
class UNetClockComponent;
class UNetClockSubsystem;
struct FNetClockBeats;

/** A start begins in this frame. The frame is LatenessMs after the instant of the start, within
 * ErrorBoundMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartBegins, double, LatenessMs, double, ErrorBoundMs);
/** A start is scheduled, CountdownSeconds from now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockStartAnnounced, double, CountdownSeconds);
/** The scheduled start was cancelled. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockStartTakenBack);
/** A beat begins. Each number comes once, in order. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockBeatBegins, int64, Beat);

/** How waiting for a start ended, in C++. */
enum class ENetClockStartEnd : uint8
{
	/** The start begins. */
	Started,
	/** The start was cancelled. */
	Cancelled,
	/** The world ended first. */
	WorldEnd
};
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockStartEnds, ENetClockStartEnd);

/**
 * Starts that every machine makes at the same instant of the server's time, and beats that count from there.
 * There is one for each world. Nothing is sent before the server prepares or schedules a start.
 *
 * The server checks which players' clocks are good enough. It chooses the earliest instant that all can know
 * in time, tells the players until they confirm it, and collects when each began. Every machine, the server
 * too, starts once: in the first frame that reaches the instant, before the frame's actors tick. A player who
 * joins later hears that it began, and when.
 */
UCLASS()
class NETCLOCK_API UNetClockStart : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Server: asks the players' machines to report how good their clocks are. Schedule Start does it too.
	 * Call it in a lobby to save the wait. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	void PrepareStart();

	/**
	 * Server: schedules a start when all players are ready, or when patience ends. It lies at least
	 * MinimumDelayMs ahead, from 0 to 3,600,000 (an hour); telling the players adds some tenths of a second.
	 * Each player hears of it in time with the probability Confidence, above 0.5 and at most 0.99999. False
	 * if this is not a server, if a start is scheduled already, or if a number is out of range.
	 *
	 * @param MinimumDelayMs The shortest time until the start, in ms, from 0 to 3600000. The news may need
	 * longer.
	 * @param Confidence Probability with which the news reaches every player in time, above 0.5 and at most
	 * 0.99999.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool ScheduleStart(double MinimumDelayMs = 0.0, double Confidence = 0.999);

	/** Server: cancels the start that is held up or scheduled. False if there is none, or if its time has
	 * come. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool CancelStart();

	/** True if a start is announced and lies in the future. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool IsStartScheduled() const { return Shown.Stage == ENetClockStartStage::Scheduled; }

	/** True if the newest start has begun on this machine. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool HasStarted() const
	{
		return Shown.Stage == ENetClockStartStage::Started || Shown.Stage == ENetClockStartStage::JoinedLate;
	}

	/** Time until the start, in seconds. Zero if none is scheduled. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (DisplayName = "Get Start Countdown (s)", Keywords = "countdown begin together race music sync beat"))
	double GetStartCountdownSeconds() const;

	/** Time since the newest start, in seconds, in this frame. Zero if none has begun here. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (DisplayName = "Get Time Since Start (s)", Keywords = "countdown begin together race music sync beat"))
	double GetTimeSinceStartSeconds() const;

	/** Everything that this machine knows about the newest start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	FNetClockStartStatus GetStartStatus() const;

	/** Server: the first player for whom the start has to wait, or none. The status says why. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	APlayerController* GetStartHeldUpBy() const;

	/**
	 * Server: what it knows about a player's part in starts, once a start is prepared.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	FNetClockPlayerStart GetPlayerStart(const APlayerController* Player) const;

	/** Server: who began, and how simultaneously. Complete about half a second after the start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	FNetClockStartResult GetStartResult() const;

	/**
	 * The current beat, counted from the start, and the fraction of it that has passed, from 0 to 1.
	 * BeatsPerSecond is from 1 to 240. All machines get the same at the same moment. False if no start has
	 * begun.
	 *
	 * @param BeatsPerSecond Beats in a second, from 1 to 240.
	 * @param Beat The number of the beat since the start. The first is 0.
	 * @param Alpha How much of the beat has passed, from 0 to 1.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const;

	/**
	 * Sets how often per second On Beat is called from the start on, from 1 to 240. Zero ends it. Set it
	 * before the start to get all beats from zero; if set later, On Beat continues with the next beat. False
	 * if the number is out of range.
	 *
	 * @param BeatsPerSecond Beats in a second, from 1 to 240. 0 ends them.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (Keywords = "countdown begin together race music sync beat"))
	bool SetBeatRate(int32 BeatsPerSecond);

	/** A start begins. Called once on every machine for each start. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartBegins OnStart;

	/** A start is announced. Called on the server when it is scheduled, and on a client when the announcement
	 * arrives. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartAnnounced OnStartScheduled;

	/** The announced start was cancelled. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartTakenBack OnStartCancelled;

	/** A beat begins. A slow frame can bring several. None is left out, and none comes twice. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockBeatBegins OnBeat;

	/** For C++ code that waits: a start began or was cancelled here, or the world ended. */
	FNetClockStartEnds OnStartEnded;

	/** Server: true once a start is prepared in this world. */
	bool IsPrepared() const { return bPrepared; }

	/** End of the frame: sends what is due. UNetClockExchange calls it. */
	void EndFrame();

	virtual void Deinitialize() override;

protected:
	void BeforeActors() final;

private:
	struct FPlayer
	{
		int64 Number = 0;
		TWeakObjectPtr<APlayerController> Controller;
		TWeakObjectPtr<UNetClockComponent> Component;
		bool bAdmitted = false;
		bool bSeen = false;
	};

	void AdmitPlayers();
	void Receive(UNetClockComponent& From, int32 World, const FNetClockDatagram& Datagram);
	void ScheduleWhenReady();
	void Announce();
	void Schedule(int64 AtTicks, int32 NotReady);
	void FollowServer();
	bool HasBegunByNews(UNetClockComponent& Component);
	bool SendReadiness();
	void Begin(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate);
	void NoteCancelled();
	void BroadcastBeats();
	void BeginBeats(bool bFromZero);
	/** The index of a player, or -1. */
	int32 Find(const UNetClockComponent* Component) const;
	FNetClockStartNews News() const;
	UNetClockSubsystem* GetClock() const;
	bool IsServer() const;
	/** Server: the time that it serves now, in ticks. */
	int64 ServerTicks() const;

	FNetClockStartStatus Shown;
	/** Client: number and server epoch of the newest announcement, as recordings have them. */
	uint32 AnnouncedVersion = 0;
	uint64 AnnouncedEpoch = 0;
	/** The instant of the newest start that began here, or zero. Each start begins once. */
	int64 BegunTicks = 0;
	bool bPrepared = false;
	bool bWanted = false;
	double WantedDelayMs = 0.0;
	double WantedConfidence = 0.0;
	int64 HeldUpBy = 0;
	TSharedPtr<FNetClockOrganiser> Organiser;
	TArray<FPlayer> Players;
	int64 LastNumber = 0;
	TSharedPtr<FNetClockBeats> Beats;
};
