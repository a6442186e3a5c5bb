// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Start/NetClockStartTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockStart.generated.h"

class APlayerController;
class FNetClockOrganiser;
class UNetClockComponent;
class UNetClockSubsystem;
struct FNetClockBeats;

/** A start begins in this frame, which is LatenessMs past it by a clock that may be off by ErrorBoundMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartBegins, double, LatenessMs, double, ErrorBoundMs);
/** A start is to come, in CountdownSeconds. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockStartAnnounced, double, CountdownSeconds);
/** The start that was to come is taken back. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockStartTakenBack);
/** A beat is there: each number once, in order. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockBeatBegins, int64, Beat);

/** How waiting for a start ended, in C++. */
enum class ENetClockStartEnd : uint8
{
	/** It begins. */
	Started,
	/** It was taken back. */
	Cancelled,
	/** The world ended first. */
	WorldEnd
};
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockStartEnds, ENetClockStartEnd);

/**
 * Starts that everybody makes at one instant of the server's time, and beats that are counted from there; one for each
 * world. Nothing is sent before the server prepares or schedules a start.
 *
 * The server finds out which players' clocks are good enough, chooses the instant as early as all can know of it, tells
 * them until they say that they know, and hears when each began. Every machine, the server too, starts once, in the first
 * frame whose time has reached the instant, before the frame's actors tick. Who joins later is told that it began, and when.
 * A world that is travelled to has starts of its own.
 */
UCLASS()
class NETCLOCK_API UNetClockStart : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Server: players' machines begin to say how good their clocks are. Schedule Start does that too; in a lobby it saves the wait. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start")
	void PrepareStart();

	/**
	 * Server: schedules a start at least so many ms ahead (a countdown; telling everybody takes some tenths of a second more),
	 * as soon as all players are ready or patience ends. Each player hears of it in time with the probability Confidence,
	 * above 0.5 and at most 0.99999. False if this is no server, one is scheduled already, or a number is out of its range.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start")
	bool ScheduleStart(double MinimumDelayMs = 0.0, double Confidence = 0.999);

	/** Server: takes the start back that is held up or scheduled. False if there is none, or its time has come. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start")
	bool CancelStart();

	/** True if a start is announced and to come. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	bool IsStartScheduled() const { return Shown.Stage == ENetClockStartStage::Scheduled; }

	/** True if the newest start has begun on this machine. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	bool HasStarted() const { return Shown.Stage == ENetClockStartStage::Started || Shown.Stage == ENetClockStartStage::JoinedLate; }

	/** How long it is until the start, in seconds. Zero if none is scheduled. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (DisplayName = "Get Start Countdown (s)"))
	double GetStartCountdownSeconds() const;

	/** How long the newest start is past, in seconds, by this frame's time. Zero if none has begun here. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (DisplayName = "Get Time Since Start (s)"))
	double GetTimeSinceStartSeconds() const;

	/** All that this machine knows of the newest start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	FNetClockStartStatus GetStartStatus() const;

	/** Server: the first player who holds the start up, or none; the status says why. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	APlayerController* GetStartHeldUpBy() const;

	/** Server: what is known of a player's part in starts, once one is prepared. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	FNetClockPlayerStart GetPlayerStart(const APlayerController* Player) const;

	/** Server: who began, and how far apart. Complete half a second or so after the start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	FNetClockStartOutcome GetStartOutcome() const;

	/**
	 * The beat under way in this frame, counted from the start at a number of beats a second from 1 to 240, and the fraction
	 * of it that has passed. The same on every machine at the same moment. False if nothing has begun.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start")
	bool GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const;

	/**
	 * On Beat is called so many times a second from the start on, from 1 to 240; zero ends it. Set it before the start to get
	 * all beats from zero; later it goes on with the next one. False if it is out of range.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start")
	bool SetBeatRate(int32 BeatsPerSecond);

	/** The start is now: once on every machine, for each start. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartBegins OnStart;

	/** A start is announced: on the server when it is scheduled, elsewhere when it is heard of. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartAnnounced OnStartScheduled;

	/** The start that was announced is taken back. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartTakenBack OnStartCancelled;

	/** A beat is there. After a slow frame there are several in one; none is left out and none comes twice. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockBeatBegins OnBeat;

	/** For waiting in C++: a start began or was taken back here, or the world ended. */
	FNetClockStartEnds OnStartEnded;

	/** Server: true once a start is prepared in this world. */
	bool IsPrepared() const { return bPrepared; }

	/** The end of a frame: sends what is due. For UNetClockSubsystem. */
	void EndFrame();

	/** Server: a message of a player's. For the component. */
	void Receive(UNetClockComponent& From, int32 World, const FNetClockDatagram& Datagram);

	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	struct FPlayer
	{
		int64 Number = 0;
		TWeakObjectPtr<APlayerController> Controller;
		TWeakObjectPtr<UNetClockComponent> Component;
		bool bAdmitted = false;
		bool bSeen = false;
	};

	void OnPreActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void FollowFrames(bool bFollow);
	void AdmitPlayers();
	void Plan();
	void Announce();
	void Schedule(int64 AtTicks, int32 NotReady);
	void HearServer();
	bool HearNews(UNetClockComponent& Component);
	bool SendReadiness();
	void Begin(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate);
	void TakeBack();
	void TellBeats();
	void BeginBeats(bool bFromZero);
	/** Its place among the players, or -1. */
	int32 Find(const UNetClockComponent* Component) const;
	FNetClockStartNews News() const;
	UNetClockSubsystem* GetClock() const;
	bool IsServer() const;
	/** Server: the time that it serves, now. */
	int64 ServerTicks() const;

	FNetClockStartStatus Shown;
	/** When the newest start that began here was to begin, zero for none: each begins once. */
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
	FDelegateHandle PreActorTickHandle;
};
