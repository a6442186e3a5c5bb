#include "Machine.h"

#include <cmath>

#include "GameFramework/GameStateBase.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSubsystem.h"

FMachine::FMachine(FMachineSettings InSettings, ENetMode InMode, FDice InDice)
	: Settings(InSettings), Clock{InSettings.Origin, InSettings.Ppm}, Dice(InDice)
{
	// All orders of magnitude are equally likely.
	const double Ppm = 5 * std::pow(600, Dice.Fraction());
	const double Lateness[] = {0, 0.3, 1, 3};
	const double LateMs = Lateness[Dice.Next() % 4];
	const bool bFaster = Dice.Next() % 2 == 0;
	Settings.LoopPpm = Settings.LoopPpm.value_or(bFaster ? Ppm : -Ppm);
	Settings.LateMs = Settings.LateMs.value_or(LateMs);
	NextFrame = FDouble::State.Now + Dice.Fraction() / Settings.Fps;
	FrameStart = FDouble::State.Now;
	LastLocal = Clock.At(FrameStart);
	OpenGame(InMode);
}

void FMachine::OpenGame(ENetMode Mode)
{
	Game = NewObject<UGameInstance>(nullptr);
	Game->Init();
	OpenWorld(Mode);
	World->BeginPlay();
}

UWorld* FMachine::OpenWorld(ENetMode Mode)
{
	World = NewObject<UWorld>(nullptr);
	World->NetMode = Mode;
	World->WorldType = Settings.WorldType;
	World->GameInstance = Game;
	World->NetDriver = Driver;
	World->Settings = World->SpawnDouble<AWorldSettings>();
	Game->World = World;
	LastLocal = Clock.At(FDouble::State.Now);
	World->AddSubsystems();
	return World;
}

void FMachine::Travel(ENetMode Mode, const std::vector<APlayerController*>& Along)
{
	for (AActor* Actor : Along) { std::erase(World->Actors, Actor); }
	World->TearDown(EEndPlayReason::LevelTransition);
	OpenWorld(Mode);
	World->BeginPlay();
	for (APlayerController* Player : Along)
	{
		Player->OuterPrivate = World;
		World->Actors.push_back(Player);
		World->Controllers.emplace_back(Player);
	}
}

void FMachine::Quit()
{
	Enter();
	World->TearDown(EEndPlayReason::Quit);
	for (UObject* Subsystem : Game->Subsystems) { static_cast<USubsystem*>(Subsystem)->Deinitialize(); }
}

void FMachine::StartAgain()
{
	Quit();
	Driver = nullptr;
	OpenGame(NM_Standalone);
}

void FMachine::Enter(double True) const
{
	FDouble::State.Now = True;
	FDouble::State.Clock = Clock;
	FDouble::State.Address = Address;
	FDouble::State.Disk = Disk;
}

void FMachine::Suspend(double Seconds, bool bClockCounts)
{
	NextFrame += Seconds;
	if (!bClockCounts) { Clock.Origin -= Seconds; }
}

double FMachine::WorldTimeAt(double True) const
{
	return World->TimeSeconds + (World->bPaused ? 0 : Since(True) * Dilation());
}

double FMachine::UnpausedTimeAt(double True) const
{
	return World->UnpausedTimeSeconds + Since(True) * Dilation();
}

double FMachine::AudioTimeAt(double True) const
{
	return World->AudioTimeSeconds + (World->bPaused ? 0 : Since(True));
}

void FMachine::PassTime(double Elapsed)
{
	const double Longest = static_cast<double>(World->GetWorldSettings()->MaxUndilatedFrameTime);
	const double Dilated = FMath::Min(Elapsed, Longest) * Dilation();
	World->UnpausedTimeSeconds += Dilated;
	World->DeltaTimeSeconds = static_cast<float>(Dilated);
	if (!World->bPaused)
	{
		World->TimeSeconds += Dilated;
		World->AudioTimeSeconds += Elapsed;
	}
}

void FMachine::Flush()
{
	if (FDouble::State.Now - LastFlush < 1 / MaxNetTickRate) { return; }
	LastFlush = FDouble::State.Now;
	std::vector<std::function<void()>> Now;
	Now.swap(Leaving);
	for (const auto& Packet : Now) { Packet(); }
	if (OnFlush) { OnFlush(); }
}

void FMachine::Deliver(double Arrival, std::function<void()> Action)
{
	const bool bDeferred = Deferred > 0 && Dice.Fraction() < Deferred;
	if (bDeferred) { DeferredInbox.emplace(Arrival + 0.2 * Dice.Fraction(), std::move(Action)); }
	else { Inbox.emplace(Arrival, std::move(Action)); }
}

bool FMachine::RunNext(FPackets& Inbox, double True)
{
	if (Inbox.empty() || Inbox.begin()->first > True) { return false; }
	Inbox.extract(Inbox.begin()).mapped()();
	return true;
}

// Also reads packets that arrive while others are being read.
void FMachine::Dispatch()
{
	Enter(FDouble::State.Now + 0.0002 * Dice.Fraction());
	while (RunNext(Inbox, FDouble::State.Now)) { Enter(FDouble::State.Now + 0.0001 * Dice.Fraction()); }
	Enter(FDouble::State.Now + 0.0002 * Dice.Fraction());
}

void FMachine::Frame()
{
	const double Begin = NextFrame;
	const double Due = Begin - LateSeconds;
	Enter(Begin);
	const double Local = Clock.At(Begin);
	const double Elapsed = Local - LastLocal;
	LastLocal = Local;

	// The engine reads the time of the frame shortly before it ticks the world.
	PreviousTickStart = TickStart;
	TickStart = Begin + 0.0001 * Dice.Fraction();
	Enter(TickStart);
	FWorldDelegates::OnWorldTickStart.Broadcast(World, LEVELTICK_All, static_cast<float>(Elapsed));

	Dispatch();
	if (OnDispatched) { OnDispatched(); }

	PassTime(Elapsed);
	FrameStart = Begin;

	FWorldDelegates::OnWorldPreActorTick.Broadcast(World, LEVELTICK_All, static_cast<float>(Elapsed));
	for (size_t Index = 0; Index < World->Actors.size() && !World->bPaused; ++Index)
	{
		AActor* Actor = World->Actors[Index];
		if (Actor->PrimaryActorTick.bCanEverTick && !Actor->bGone) { Actor->Tick(World->DeltaTimeSeconds); }
	}
	if (OnActors) { OnActors(); }
	while (RunNext(DeferredInbox, FDouble::State.Now)) {}
	Enter(FMath::Max(
		FDouble::State.Now, Begin + PeriodSeconds() * Settings.Work * (0.5 + Dice.Fraction())));
	FWorldDelegates::OnWorldPostActorTick.Broadcast(World, LEVELTICK_All, static_cast<float>(Elapsed));
	if (OnEnd) { OnEnd(); }
	Enter(FDouble::State.Now + 0.0003 * Dice.Fraction());
	Flush();
	LateSeconds = *Settings.LateMs * 0.001 * Dice.Fraction();
	NextFrame = FMath::Max(Due + PeriodSeconds() + LateSeconds + Hitch, FDouble::State.Now);
	Hitch = 0;
}
