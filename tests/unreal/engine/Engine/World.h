// The engine double: a world, its times, its players and the delegates of its frame.
#pragma once

#include "Engine/EngineTypes.h"
#include "Engine/NetDriver.h"

class AActor;
class AGameModeBase;
class AGameStateBase;
class APlayerController;
class UGameInstance;

/** Ends when it converts to false, as the engine's. */
class FConstPlayerControllerIterator
{
public:
	explicit FConstPlayerControllerIterator(const std::vector<TWeakObjectPtr<APlayerController>>& InList) :
		List(&InList)
	{
	}
	explicit operator bool() const { return Index < List->size(); }
	FConstPlayerControllerIterator& operator++() { ++Index; return *this; }
	const TWeakObjectPtr<APlayerController>& operator*() const { return (*List)[Index]; }
	const TWeakObjectPtr<APlayerController>* operator->() const { return &(*List)[Index]; }

private:
	const std::vector<TWeakObjectPtr<APlayerController>>* List;
	size_t Index = 0;
};

class UWorld : public UObject
{
	DOUBLE_CLASS(UWorld, UObject)
	UWorld* GetWorld() const override { return const_cast<UWorld*>(this); }

	FDoubleSeconds GetTimeSeconds() const { return TimeSeconds; }
	FDoubleSeconds GetUnpausedTimeSeconds() const { return UnpausedTimeSeconds; }
	FDoubleSeconds GetAudioTimeSeconds() const { return AudioTimeSeconds; }
	float GetDeltaSeconds() const { return DeltaTimeSeconds; }
	ENetMode GetNetMode() const { return NetMode; }
	bool IsPlayingReplay() const { return bReplay; }
	bool IsPaused() const { return bPaused; }
	UNetDriver* GetNetDriver() const { return NetDriver; }
	UGameInstance* GetGameInstance() const { return GameInstance; }
	AGameStateBase* GetGameState() const { return GameState; }
	template <class T> T* GetGameState() const { return Cast<T>(GameStateObject()); }
	/** On the server alone. */
	template <class T> T* GetAuthGameMode() const { return Cast<T>(GameModeObject()); }
	class AWorldSettings* GetWorldSettings() const { return Settings; }
	template <class T> T* GetSubsystem() const
	{
		for (UObject* Subsystem : Subsystems) { if (T* Found = Cast<T>(Subsystem)) { return Found; } }
		return nullptr;
	}
	FConstPlayerControllerIterator GetPlayerControllerIterator() const
	{
		return FConstPlayerControllerIterator(Controllers);
	}

	void InitializeActorsForPlay(const struct FURL&) {}
	/** What begins when the world is ready to be played. */
	void BeginPlay();
	/** A frame by hand, without a network. */
	void Tick(ELevelTick TickType, float DeltaSeconds);
	void DestroyWorld(bool bInformEngineOfWorld);
	void SetGameState(AGameStateBase* New) { GameState = New; }
	template <class T> T* SpawnActor()
	{
		T* Made = static_cast<T*>(SpawnAny(T::StaticClass()));
		Made->BeginPlay();
		return Made;
	}

	FDoubleSeconds TimeSeconds = 0;
	FDoubleSeconds UnpausedTimeSeconds = 0;
	FDoubleSeconds AudioTimeSeconds = 0;
	float DeltaTimeSeconds = 0;
	EWorldType::Type WorldType = EWorldType::Game;

	// Of the double itself.
	ENetMode NetMode = NM_Standalone;
	bool bPaused = false;
	bool bReplay = false;
	UNetDriver* NetDriver = nullptr;
	UGameInstance* GameInstance = nullptr;
	AGameModeBase* GameMode = nullptr;
	AGameStateBase* GameState = nullptr;
	class AWorldSettings* Settings = nullptr;
	std::vector<AActor*> Actors;
	std::vector<TWeakObjectPtr<APlayerController>> Controllers;
	std::vector<UObject*> Subsystems;
	UObject* GameStateObject() const;
	UObject* GameModeObject() const;
	template <class T> T* SpawnDouble(UClass* Class = T::StaticClass())
	{
		return static_cast<T*>(SpawnAny(Class));
	}
	AActor* SpawnAny(UClass* Class);
	/** Makes all subsystems for worlds; later frames call them by their delegates. */
	void AddSubsystems();
	/** The end: subsystems, actors, all of it. */
	void TearDown(EEndPlayReason::Type Reason);
};

struct FWorldDelegates
{
	using FOnWorldTickStart = TDoubleMulticast<UWorld*, ELevelTick, float>;
	using FOnWorldPostActorTick = TDoubleMulticast<UWorld*, ELevelTick, float>;
	static FOnWorldTickStart OnWorldTickStart;
	static FOnWorldTickStart OnWorldPreActorTick;
	static FOnWorldPostActorTick OnWorldPostActorTick;
};
