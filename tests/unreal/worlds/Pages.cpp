// The code blocks for the plugin's pages, copied by `cargo xtask tables`. They are compiled against the
// double but never called. The code around them is the part of a game that they need.
#include "Engine/TimecodeProvider.h"
#include "GameFramework/GameModeBase.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClock/Game/NetClockStart.h"
#include "NetClock/Game/NetClockUtc.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "NetClock/World/NetClockGameState.h"
#if WITH_NETCLOCK_PEERS
#include "NetClock/Peers/NetClockHandover.h"
#include "NetClock/Peers/NetClockPeer.h"
#endif
// [read]
#include "NetClock/Clock/NetClockSubsystem.h"

// [/read]
// [show]
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Kismet/KismetMaterialLibrary.h"

// [/show]

class AMyHud : public AActor
{
	DOUBLE_CLASS(AMyHud, AActor)
	void Read();
	void Show(double, double) {}
};

void AMyHud::Read()
{
	// [read]
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (Clock && Clock->IsSynced())
	{
		const double Now = Clock->GetServerTimeSeconds();        // the same for all callers within a frame
		const double BoundMs = Clock->GetStatus().ErrorBoundMs;   // the true time is within this bound
		Show(Now, BoundMs);
	}
	// [/read]
}

class AMyGameMode : public AGameModeBase
{
	DOUBLE_CLASS(AMyGameMode, AGameModeBase)
	AMyGameMode();
};

// [game state]
AMyGameMode::AMyGameMode()
{
	GameStateClass = ANetClockGameStateBase::StaticClass();   // an AGameMode needs ANetClockGameState
}
// [/game state]

class AMyGate : public AActor
{
	DOUBLE_CLASS(AMyGate, AActor)
	FNetClockWaitHandle Wait(int64 StartTicks);
	void OnStart(const FNetClockWaited&) {}
};

FNetClockWaitHandle AMyGate::Wait(int64 StartTicks)
{
	// [wait]
	UNetClockWaits* Waits = GetWorld()->GetSubsystem<UNetClockWaits>();
	// void AMyGate::OnStart(const FNetClockWaited&)
	const FNetClockWaitHandle Handle = Waits->WaitUntilServerTime(
		StartTicks, FNetClockWaitDelegate::CreateUObject(this, &AMyGate::OnStart));
	// [/wait]
	return Handle;
}

class AMyRace : public AActor
{
	DOUBLE_CLASS(AMyRace, AActor)
	void BeginPlay() override;
	void Go(double, double) {}
};

void AMyRace::BeginPlay()
{
	// [start]
	UNetClockStart* Start = GetWorld()->GetSubsystem<UNetClockStart>();
	// On every machine. Go is a UFUNCTION: void Go(double LatenessMs, double ErrorBoundMs)
	Start->OnStart.AddDynamic(this, &AMyRace::Go);
	if (HasAuthority())
	{
		Start->ScheduleStart(3000.0);   // in 3 s, plus the time to announce it
	}
	// [/start]
}

class AMyGameState : public ANetClockGameStateBase
{
	DOUBLE_CLASS(AMyGameState, ANetClockGameStateBase)
	double Judge(const APlayerController* Player, const FNetClockStamp& Stamp, double InterpolationMs);
	void PlanReset(FDateTime Utc);
	void OnReset(const FNetClockWaited&) {}
	FNetClockWaitHandle Handle;
};

double AMyGameState::Judge(
	const APlayerController* Player, const FNetClockStamp& Stamp, double InterpolationMs)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	double WorldSeconds = 0.0;
	// [rewind]
	FNetClockRewind Rewind;
	if (UNetClockOrder::GetRewindTime(Player, Stamp.ServerTicks, InterpolationMs, 40.0, 250.0, Rewind))
	{
		// Returns the positions of all players at that time.
		Clock->GetWorldTimeAt(ENetClockWorldClock::World, Rewind.TargetTicks, WorldSeconds);
	}
	// [/rewind]
	return WorldSeconds;
}

void AMyGameState::PlanReset(FDateTime Utc)
{
	// [reset]
	const FDateTime Reset = Utc.GetDate() + FTimespan::FromHours(Utc.GetHour() < 4 ? 4 : 28);
	int64 Ticks = 0;
	if (UNetClockUtcNodes::GetServerTimeOfUtc(this, Reset, Ticks))
	{
		UNetClockWaits* Waits = GetWorld()->GetSubsystem<UNetClockWaits>();
		Handle = Waits->WaitUntilServerTime(
			Ticks, FNetClockWaitDelegate::CreateUObject(this, &AMyGameState::OnReset));
	}
	// [/reset]
}

#if WITH_NETCLOCK_PEERS
class UMyLobby : public UObject
{
	DOUBLE_CLASS(UMyLobby, UObject)
	void Migrate();
	void Join(int64 LobbyNumber, const TArray<uint8>& Bytes);
	void SendToRelay(const TArray<uint8>&) {}
	TObjectPtr<UNetClockPeer> Peer;
};

void UMyLobby::Migrate()
{
	// [handover]
	UNetClockHandover::Of(this)->ContinueTimeOfPreviousServer();
	// [/handover]
}

void UMyLobby::Join(int64 LobbyNumber, const TArray<uint8>& Bytes)
{
	// [peer]
	// Peer is a UPROPERTY, because it is destroyed when nothing references it.
	Peer = UNetClockPeer::JoinGame(this, LobbyNumber);
	// void SendToRelay(const TArray<uint8>& Bytes)
	Peer->OnSend.AddDynamic(this, &UMyLobby::SendToRelay);
	// In your connection's receive handler, immediately:
	Peer->ReceiveBytes(Bytes);
	// [/peer]
}
#endif

class AMyShow : public AActor
{
	DOUBLE_CLASS(AMyShow, AActor)
	void Tick(float DeltaSeconds) override;
	UMaterialParameterCollection* Collection = nullptr;
};

// [show]
void AMyShow::Tick(float DeltaSeconds)
{
	Super::Tick(DeltaSeconds);
	if (const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this))
	{
		// A parameter is a float, which only resolves 8 ms after a day, so pass the phase of a period.
		const double Period = 60.0;
		const double Phase = FMath::Fmod(Clock->GetServerTimeSeconds(), Period);
		UKismetMaterialLibrary::SetScalarParameterValue(
			this, Collection, TEXT("ServerSeconds"), static_cast<float>(Phase));
	}
}
// [/show]

class UServerTimecode : public UTimecodeProvider
{
	DOUBLE_CLASS(UServerTimecode, UTimecodeProvider)
	FQualifiedFrameTime GetQualifiedFrameTime() const override;
	const UNetClockSubsystem* FindClock() const { return UNetClockSubsystem::Of(this); }
};

// [timecode]
// FindClock returns the subsystem of your game's world. Initialize and Shutdown do nothing.
FQualifiedFrameTime UServerTimecode::GetQualifiedFrameTime() const
{
	const FFrameRate Rate(30, 1);
	const UNetClockSubsystem* Clock = FindClock();
	return FQualifiedFrameTime(Rate.AsFrameTime(Clock ? Clock->GetServerTimeSeconds() : 0.0), Rate);
}
// [/timecode]

// [input]
struct FMyInput
{
	bool bFire = false;
	int64 FiredTicks = 0;                                    // the server time that the player was seeing
};

// [/input]
class UMyComponent : public UActorComponent
{
	DOUBLE_CLASS(UMyComponent, UActorComponent)
	void ProduceInput(const int32 DeltaMs, FMyInput* Input);
	double Lead(double StepMs) const;
	bool bWantsToFire = false;
};

// [input]
void UMyComponent::ProduceInput(const int32, FMyInput* Input)
{
	Input->bFire = bWantsToFire;
	Input->FiredTicks = bWantsToFire ? UNetClockOrder::GetEventStamp(this).ServerTicks : 0;
}
// [/input]

double UMyComponent::Lead(double StepMs) const
{
	// [lead]
	const double WantedSteps = UNetClockOrder::GetPredictionLeadMs(this) / StepMs;
	// [/lead]
	return WantedSteps;
}

struct FPlatformClock
{
	double PairWorldSeconds = 0;
	double PairSimMs = 0;
	double AtStep(double BaseSimTimeMs) const;
};

// [platform]
double FPlatformClock::AtStep(double BaseSimTimeMs) const
{
	return PairWorldSeconds + (BaseSimTimeMs - PairSimMs) * 1.0e-3;
}
// [/platform]

class AMyPhysics : public AActor
{
	DOUBLE_CLASS(AMyPhysics, AActor)
	struct
	{
		int32 Step = 0;
		int64 ServerTicks = 0;
	} Pair;
	int64 StepTicks = 166'667;
	void Note(const APlayerController* Controller)
	{
		// [physics]
		// Server, from time to time, in an actor's tick.
		Pair.Step = Controller->GetPhysicsTimestamp().ServerFrame;
		Pair.ServerTicks = UNetClockSubsystem::Of(this)->GetServerTimeTicks();
		// [/physics]
	}
	// [physics]
	// Client: the server time of any step.
	int64 TicksOfStep(int32 Step) const
	{
		return Pair.ServerTicks + static_cast<int64>(Step - Pair.Step) * StepTicks;
	}
	// [/physics]
};
