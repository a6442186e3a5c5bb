#include "Machine.h"

#include "Double/Counters.h"
#include "GameFramework/GameStateBase.h"
#include "NetClock.h"

FMachine::FMachine(FMachineSettings InSettings, ENetMode InMode, FDice InDice)
	: Settings(InSettings), Clock{InSettings.Origin, InSettings.Ppm}, Dice(InDice)
{
	NextFrame = FDouble::State.Now + Dice.Fraction() / Settings.Fps;
	FrameStart = FDouble::State.Now;
	LastLocal = Clock.At(FrameStart);
	Game = NewObject<UGameInstance>(nullptr);
	UNetClockSession* Session = NewObject<UNetClockSession>(Game);
	Game->Subsystems.push_back(Session);
	FSubsystemCollectionBase Collection;
	Session->Initialize(Collection);
	OpenWorld(InMode);
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
	World->AddSubsystem(UNetClockSubsystem::StaticClass());
	return World;
}

void FMachine::Quit()
{
	World->TearDown(EEndPlayReason::Quit);
	for (UObject* Subsystem : Game->Subsystems) { static_cast<USubsystem*>(Subsystem)->Deinitialize(); }
}

void FMachine::Enter(double True) const
{
	FDouble::State.Now = True;
	FDouble::State.Clock = Clock;
}

void FMachine::Deliver(double Arrival, std::function<void()> Action)
{
	Inbox.push({Arrival, ++Packets, std::move(Action)});
}

double FMachine::WorldTimeAt(double True) const
{
	return static_cast<double>(World->TimeSeconds) + (True - FrameStart) * LineRate;
}

void FMachine::Frame()
{
	const double Begin = NextFrame;
	const double Length = (1.0 + Settings.FrameJitter * (2 * Dice.Fraction() - 1)) / Settings.Fps;
	Enter(Begin);
	FDouble::BeginCounting();
	const double Local = Clock.At(Begin);
	const double Elapsed = Local - LastLocal;
	LastLocal = Local;

	// The engine reads the time of the frame, and comes to the world a little later.
	TickStart = Begin + 0.0001 * Dice.Fraction();
	Enter(TickStart);
	FWorldDelegates::OnWorldTickStart.Broadcast(World, LEVELTICK_All, static_cast<float>(Elapsed));

	while (!Inbox.empty() && Inbox.top().Arrival <= TickStart)
	{
		const std::function<void()> Action = Inbox.top().Action;
		Inbox.pop();
		Action();
	}
	if (OnDispatched) { OnDispatched(); }

	const AWorldSettings* Rules = World->GetWorldSettings();
	const double Kept = FMath::Min(Elapsed, static_cast<double>(Rules->MaxUndilatedFrameTime));
	World->RealTimeSeconds += static_cast<FDoubleSeconds>(Elapsed);
	if (!World->bPaused)
	{
		World->TimeSeconds += static_cast<FDoubleSeconds>(Kept * static_cast<double>(Rules->GetEffectiveTimeDilation()));
	}
	FrameStart = Begin;
	LineRate = World->bPaused ? 0 : static_cast<double>(Rules->GetEffectiveTimeDilation()) * (1 + Clock.Ppm * 1e-6);

	if (OnActors) { OnActors(); }
	Enter(Begin + Length * Settings.Work * (0.5 + Dice.Fraction()));
	FWorldDelegates::OnWorldPostActorTick.Broadcast(World, LEVELTICK_All, static_cast<float>(Elapsed));
	if (OnEnd) { OnEnd(); }
	if (OnFlush) { OnFlush(); }
	NextFrame = Begin + Length + Hitch;
	Hitch = 0;
}
