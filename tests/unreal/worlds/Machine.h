// A machine with its clock, frames, game instance and world, and the packets in transit to it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "Double/Harness.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/WorldSettings.h"
#include "Subsystems/WorldSubsystem.h"

struct FMachineSettings
{
	double Fps = 60;
	/** Frame rate deviation in ppm. If unset, a random value from 5 to 3,000 with either sign. */
	std::optional<double> LoopPpm;
	/** Maximum delay of a frame's start in ms. If unset, it is randomly 0, 0.3, 1 or 3. */
	std::optional<double> LateMs;
	double Ppm = 0;
	/** The monotonic clock's time at the start of the scenario, in seconds. */
	double Origin = 1000;
	/** The game's work takes this share of a frame on average. Packets are sent when the work ends. */
	double Work = 0.3;
	EWorldType::Type WorldType = EWorldType::Game;
};

/** The net driver's `MaxNetTickRate` limits flushes per second at any frame rate. */
constexpr double MaxNetTickRate = 120;

class FMachine
{
public:
	FMachine(FMachineSettings InSettings, ENetMode InMode, FDice InDice);

	UWorld* OpenWorld(ENetMode Mode);

	void Travel(ENetMode Mode, const std::vector<APlayerController*>& Along = {});

	void Quit();

	/** The game restarts as a new process, so only the files on disk remain. */
	void StartAgain();

	void Frame();

	/** Depending on the platform, the monotonic clock may run while the machine is suspended. */
	void Suspend(double Seconds, bool bClockCounts);

	/** Runs the action at this machine's next flush. */
	void Leave(std::function<void()> Action) { Leaving.push_back(std::move(Action)); }

	/** Runs the action in the first dispatch after the arrival, or later if packets are deferred. */
	void Deliver(double Arrival, std::function<void()> Action);

	/** Sets the true time, and makes the double use this machine's clock, address and disk. */
	void Enter(double True = FDouble::State.Now) const;

	template <class T> T* Get() const
	{
		if constexpr (std::is_base_of_v<UWorldSubsystem, T>) { return World->GetSubsystem<T>(); }
		else { return Game->GetSubsystem<T>(); }
	}

	FMachineSettings Settings;
	std::string Address = "192.0.2.1";
	std::shared_ptr<FDouble::FDisk> Disk = std::make_shared<FDouble::FDisk>();
	FMachineClock Clock;
	FDice Dice;
	double NextFrame = 0;
	double FrameStart = 0;
	double TickStart = 0, PreviousTickStart = 0;
	/** The next frame is longer by this many seconds, and resets this value to zero. */
	double Hitch = 0;
	/** The calls in this share of the packets run up to 0.2 s late, outside the dispatch. */
	double Deferred = 0;

	UGameInstance* Game = nullptr;
	UWorld* World = nullptr;
	UNetDriver* Driver = nullptr;

	/** Called in each frame after packets are read, while actors tick, after OnWorldPostActorTick, and when
	 * packets are sent. */
	std::function<void()> OnDispatched, OnActors, OnEnd, OnFlush;

	void AlsoAtEnd(std::function<void()> Also)
	{
		OnEnd = [Before = OnEnd, Also = std::move(Also)]()
		{
			if (Before) { Before(); }
			Also();
		};
	}

	double WorldTimeAt(double True) const;
	double UnpausedTimeAt(double True) const;
	double AudioTimeAt(double True) const;

private:
	void OpenGame(ENetMode Mode);
	void PassTime(double Elapsed);
	void Dispatch();
	void Flush();
	double PeriodSeconds() const { return 1 / (Settings.Fps * (1 + *Settings.LoopPpm * 1e-6)); }
	double Dilation() const { return static_cast<double>(World->Settings->GetEffectiveTimeDilation()); }
	double Since(double True) const { return (True - FrameStart) * (1 + Clock.Ppm * 1e-6); }

	std::vector<std::function<void()>> Leaving;
	double LastFlush = -1;
	double LateSeconds = 0;
	/** Packets sorted by due time, and by insertion if they are due at the same time. */
	using FPackets = std::multimap<double, std::function<void()>>;
	static bool RunNext(FPackets& Inbox, double True);
	FPackets Inbox, DeferredInbox;
	double LastLocal = 0;
};
