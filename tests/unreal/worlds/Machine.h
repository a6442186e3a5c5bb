// One machine: its clock, its frames, its game instance and world, and the packets on their way to it.
#pragma once

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
	/** How much a frame may be longer or shorter, as a fraction. Zero: frames are exact. */
	double FrameJitter = 0.02;
	double Ppm = 0;
	/** What the monotonic clock shows when the scenario begins, in seconds. */
	double Origin = 1000;
	/** Fraction of a frame that is work: packets leave when it is done. */
	double Work = 0.3;
	EWorldType::Type WorldType = EWorldType::Game;
};

/** Engines flush at most this often per second, whatever the frame rate: `MaxNetTickRate` of their net
 * driver. */
constexpr double MaxNetTickRate = 120;

class FMachine
{
public:
	FMachine(FMachineSettings InSettings, ENetMode InMode, FDice InDice);

	/** A new world of this machine's game, with the subsystems of the plugin. */
	UWorld* OpenWorld(ENetMode Mode);

	/** Its world ends, another one begins, and these players go along. */
	void Travel(ENetMode Mode, const std::vector<APlayerController*>& Along = {});

	/** The game ends on this machine. */
	void Quit();

	/** The game begins again, as another process: only the disk remembers. */
	void StartAgain();

	/** One frame, in the engine's order. True time goes from its begin to its end. */
	void Frame();

	/** The machine sleeps. Its monotonic clock counts meanwhile, or does not: that depends on the
	 * platform. */
	void Suspend(double Seconds, bool bClockCounts);

	/** Has a packet leave with this machine's next flush. */
	void Leave(std::function<void()> Action) { Leaving.push_back(std::move(Action)); }

	/** Has something done when its packet has arrived: in the first frame that begins after that. */
	void Deliver(double Arrival, std::function<void()> Action) { Inbox.Add(Arrival, std::move(Action)); }

	/** Sets the clock and the true time, as they are for this machine. */
	void Enter(double True = FDouble::State.Now) const;

	/** The subsystem of its world, or of its game. */
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
	/** True time at which the newest frame began. */
	double FrameStart = 0;
	double TickStart = 0;
	/** The next frame takes this much longer, once. */
	double Hitch = 0;

	UGameInstance* Game = nullptr;
	UWorld* World = nullptr;
	UNetDriver* Driver = nullptr;

	/** Called within the frame: after packets were read, among the actors, after them, and when packets
	 * leave. */
	std::function<void()> OnDispatched, OnActors, OnEnd, OnFlush;

	/** Has this done at the end of each frame, after what is done there already. */
	void AlsoAtEnd(std::function<void()> Also)
	{
		OnEnd = [Before = OnEnd, Also = std::move(Also)]()
		{
			if (Before) { Before(); }
			Also();
		};
	}

	/** The world's clocks as lines through the newest frame: what they will say at the next one, if nothing
	 * changes. */
	double WorldTimeAt(double True) const;
	double UnpausedTimeAt(double True) const;
	double AudioTimeAt(double True) const;

private:
	void PassTime(double Elapsed);
	void Flush();
	double Since(double True) const { return (True - FrameStart) * (1 + Clock.Ppm * 1e-6); }

	/** What leaves with the next flush, and when the last one was. */
	std::vector<std::function<void()>> Leaving;
	double LastFlush = -1;
	FAgenda Inbox;
	double LastLocal = 0;
};
