// A machine with its clock, frames, game instance, world, and the packets in transit to it.
#pragma once

#include <optional>
#include <string>

#include "Agenda.h"
#include "Double/Harness.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/WorldSettings.h"
#include "Subsystems/WorldSubsystem.h"

struct FMachineSettings
{
	double Fps = 60;
	/** Deviation of the frame rate from Fps, in ppm. If unset, it is a random value from 5 to 3,000 with
	   either sign, because two loops with the same nominal rate differ by that much. */
	std::optional<double> LoopPpm;
	/** Largest delay of a frame's start, in ms. If unset, it is 0, 0.3, 1 or 3 at random. */
	std::optional<double> LateMs;
	double Ppm = 0;
	/** Monotonic clock at the start of the scenario, in seconds. */
	double Origin = 1000;
	/** Share of a frame that is spent on work. Packets leave when the work ends. */
	double Work = 0.3;
	EWorldType::Type WorldType = EWorldType::Game;
};

/** Maximum number of flushes per second at any frame rate, like the net driver's `MaxNetTickRate`. */
constexpr double MaxNetTickRate = 120;

class FMachine
{
public:
	FMachine(FMachineSettings InSettings, ENetMode InMode, FDice InDice);

	/** Creates a world for this machine's game, with the plugin's subsystems. */
	UWorld* OpenWorld(ENetMode Mode);

	/** Ends the world and opens a new one, to which these players travel. */
	void Travel(ENetMode Mode, const std::vector<APlayerController*>& Along = {});

	/** Ends the game on this machine. */
	void Quit();

	/** Restarts the game as a new process. Only the disk's contents persist. */
	void StartAgain();

	/** Runs one frame in the engine's order. The true time advances during the frame. */
	void Frame();

	/** Suspends the machine. Whether its monotonic clock runs meanwhile depends on the platform. */
	void Suspend(double Seconds, bool bClockCounts);

	/** Runs the action at the next flush of this machine. */
	void Leave(std::function<void()> Action) { Leaving.push_back(std::move(Action)); }

	/** Runs the action in the first dispatch after the packet's arrival, or later if packets are deferred. */
	void Deliver(double Arrival, std::function<void()> Action);

	/** Sets the double's clock, address and disk to this machine's, and sets the true time. */
	void Enter(double True = FDouble::State.Now) const;

	/** Returns a subsystem of the world or of the game. */
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
	/** True time at the start of the latest frame. */
	double FrameStart = 0;
	double TickStart = 0;
	/** Additional length of the next frame, in seconds. The frame resets it. */
	double Hitch = 0;
	/** Share of packets whose calls are executed up to 0.2 s late and while actors tick, outside of the
	   dispatch. */
	double Deferred = 0;

	UGameInstance* Game = nullptr;
	UWorld* World = nullptr;
	UNetDriver* Driver = nullptr;

	/** Called in each frame after packets were read, while actors tick, after OnWorldPostActorTick, and when
	   packets leave. */
	std::function<void()> OnDispatched, OnActors, OnEnd, OnFlush;

	/** Appends a function to OnEnd. */
	void AlsoAtEnd(std::function<void()> Also)
	{
		OnEnd = [Before = OnEnd, Also = std::move(Also)]()
		{
			if (Before) { Before(); }
			Also();
		};
	}

	/** Extrapolate the world's clocks from the latest frame to a true time. */
	double WorldTimeAt(double True) const;
	double UnpausedTimeAt(double True) const;
	double AudioTimeAt(double True) const;

private:
	void PassTime(double Elapsed);
	void Dispatch();
	void Flush();
	double PeriodSeconds() const { return 1 / (Settings.Fps * (1 + *Settings.LoopPpm * 1e-6)); }
	double Since(double True) const { return (True - FrameStart) * (1 + Clock.Ppm * 1e-6); }

	/** Packets that leave at the next flush, and the true time of the previous flush. */
	std::vector<std::function<void()>> Leaving;
	double LastFlush = -1;
	/** How late the next frame starts, in seconds. */
	double LateSeconds = 0;
	FAgenda Inbox, DeferredInbox;
	double LastLocal = 0;
};
