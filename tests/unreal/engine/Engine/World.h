#pragma once

#include "Engine/EngineTypes.h"
#include "Engine/NetDriver.h"

class AActor;
class AGameModeBase;
class AGameStateBase;
class APlayerController;
class UGameInstance;

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

/** Levels that tick together and share a game state. An instant replay plays in duplicates of these
 * levels. */
struct FLevelCollection
{
	AGameStateBase* GetGameState() const { return GameState; }

	// For tests only.
	AGameStateBase* GameState = nullptr;
};

class UWorld : public UObject
{
	DOUBLE_CLASS(UWorld, UObject)
	UWorld* GetWorld() const override { return const_cast<UWorld*>(this); }

	double GetTimeSeconds() const { return TimeSeconds; }
	double GetUnpausedTimeSeconds() const { return UnpausedTimeSeconds; }
	double GetAudioTimeSeconds() const { return AudioTimeSeconds; }
	ENetMode GetNetMode() const { return NetMode; }
	bool IsPlayingReplay() const { return bReplay; }
	bool IsPaused() const { return bPaused; }
	UNetDriver* GetNetDriver() const { return NetDriver; }
	UGameInstance* GetGameInstance() const { return GameInstance; }
	AGameStateBase* GetGameState() const { return Active->GameState; }
	const FLevelCollection* FindCollectionByType(const ELevelCollectionType Type) const
	{
		return Type == ELevelCollectionType::DynamicSourceLevels ? &Source
			: Type == ELevelCollectionType::DynamicDuplicatedLevels && Duplicated.GameState ? &Duplicated
																							: nullptr;
	}
	template <class T> T* GetGameState() const { return Cast<T>(GameStateObject()); }
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
	void BeginPlay();
	void Tick(ELevelTick TickType, float DeltaSeconds);
	void DestroyWorld(bool bInformEngineOfWorld);
	void SetGameState(AGameStateBase* New) { Active->GameState = New; }
	template <class T> T* SpawnActor()
	{
		T* Made = static_cast<T*>(SpawnAny(T::StaticClass()));
		Made->BeginPlay();
		return Made;
	}

	double TimeSeconds = 0;
	double UnpausedTimeSeconds = 0;
	double AudioTimeSeconds = 0;
	float DeltaTimeSeconds = 0;
	EWorldType::Type WorldType = EWorldType::Game;

	// For tests only.
	ENetMode NetMode = NM_Standalone;
	bool bPaused = false;
	bool bReplay = false;
	UNetDriver* NetDriver = nullptr;
	UGameInstance* GameInstance = nullptr;
	AGameModeBase* GameMode = nullptr;
	FLevelCollection Source, Duplicated;
	FLevelCollection* Active = &Source;
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
	void AddSubsystems();
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
