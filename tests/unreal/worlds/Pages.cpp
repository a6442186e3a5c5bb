// Compiles the pages' code blocks (pages.rs) inside the parts of a game that they need.
#include "Engine/TimecodeProvider.h"
#include "Session.h"
#if WITH_NETCLOCK_PEERS
#include "NetClock/Peers/NetClockHandover.h"
#include "NetClock/Peers/NetClockPeer.h"
#endif
#include "pages/read-1.inl"
#include "pages/show-1.inl"

class AMyHud : public AActor
{
	DOUBLE_CLASS(AMyHud, AActor)
	void Read();
	void Show(double, double) {}
};

void AMyHud::Read()
{
	#include "pages/read-2.inl"
}

class AMyGameMode : public AGameModeBase
{
	DOUBLE_CLASS(AMyGameMode, AGameModeBase)
	AMyGameMode();
};

#include "pages/game-state.inl"

class AMyGate : public AActor
{
	DOUBLE_CLASS(AMyGate, AActor)
	FNetClockWaitHandle Wait(int64 StartTicks);
	void OnStart(const FNetClockWaited&) {}
};

FNetClockWaitHandle AMyGate::Wait(int64 StartTicks)
{
	#include "pages/wait.inl"
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
	#include "pages/start.inl"
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
	#include "pages/rewind.inl"
	return WorldSeconds;
}

void AMyGameState::PlanReset(FDateTime Utc)
{
	#include "pages/reset.inl"
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
	#include "pages/handover.inl"
}

void UMyLobby::Join(int64 LobbyNumber, const TArray<uint8>& Bytes)
{
	#include "pages/peer.inl"
}
#endif

class AMyShow : public AActor
{
	DOUBLE_CLASS(AMyShow, AActor)
	void Tick(float DeltaSeconds) override;
	UMaterialParameterCollection* Collection = nullptr;
};

#include "pages/show-2.inl"

class UServerTimecode : public UTimecodeProvider
{
	DOUBLE_CLASS(UServerTimecode, UTimecodeProvider)
	FQualifiedFrameTime GetQualifiedFrameTime() const override;
	const UNetClockSubsystem* FindClock() const { return UNetClockSubsystem::Of(this); }
};

#include "pages/timecode.inl"

#include "pages/input-1.inl"
class UMyComponent : public UActorComponent
{
	DOUBLE_CLASS(UMyComponent, UActorComponent)
	void ProduceInput(const int32 DeltaMs, FMyInput* Input);
	double Lead(double StepMs) const;
	bool bWantsToFire = false;
};

#include "pages/input-2.inl"

double UMyComponent::Lead(double StepMs) const
{
	#include "pages/lead.inl"
	return WantedSteps;
}

struct FPlatformClock
{
	double PairWorldSeconds = 0;
	double PairSimMs = 0;
	double AtStep(double BaseSimTimeMs) const;
};

#include "pages/platform.inl"

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
		#include "pages/physics-1.inl"
	}
	#include "pages/physics-2.inl"
};
