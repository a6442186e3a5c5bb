#include "Editor.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/GameModeBase.h"
#include "GameFramework/PlayerController.h"
#include "GameFramework/WorldSettings.h"
#include "Misc/CoreDelegates.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "UObject/UObjectIterator.h"
#include "UnrealEngine.h"
#include "Double/Harness.h"

FWorldDelegates::FOnWorldTickStart FWorldDelegates::OnWorldTickStart;
FWorldDelegates::FOnWorldTickStart FWorldDelegates::OnWorldPreActorTick;
FWorldDelegates::FOnWorldPostActorTick FWorldDelegates::OnWorldPostActorTick;
TDoubleMulticast<> FCoreDelegates::ApplicationHasEnteredForegroundDelegate;

static UEngine Engine;
UEngine* GEngine = &Engine;
UEditorEngine* GEditor = nullptr;

UWorld* UWorldSubsystem::GetWorld() const { return Cast<UWorld>(GetOuter()); }

APlayerController* UGameInstance::GetFirstLocalPlayerController(const UWorld* InWorld) const
{
	const UWorld* From = InWorld ? InWorld : World;
	if (!From) { return nullptr; }
	for (const auto& Controller : From->Controllers)
	{
		if (Controller.IsValid() && Controller->IsLocalController()) { return Controller.Get(); }
	}
	return nullptr;
}

AActor* UActorComponent::GetOwner() const { return Cast<AActor>(GetOuter()); }
UWorld* UActorComponent::GetWorld() const { return GetOwner() ? GetOwner()->GetWorld() : nullptr; }
ENetMode UActorComponent::GetNetMode() const { return GetWorld() ? GetWorld()->GetNetMode() : NM_Standalone; }

void UActorComponent::RegisterComponent()
{
	check(GetOwner());
	if (bRegistered) { return; }
	std::vector<UActorComponent*>& Known = GetOwner()->Components;
	if (std::find(Known.begin(), Known.end(), this) == Known.end()) { Known.push_back(this); }
	bRegistered = true;
	BeginPlay();
}

void UActorComponent::End(EEndPlayReason::Type Reason)
{
	if (bGone) { return; }
	if (bBegun) { EndPlay(Reason); }
	bRegistered = false;
	bGone = true;
}

UNetConnection* APlayerController::GetNetConnection() const
{
	if (UNetConnection* Connection = Cast<UNetConnection>(Player.Get())) { return Connection; }
	const UNetDriver* Driver = GetWorld() ? GetWorld()->GetNetDriver() : nullptr;
	return Driver && IsLocalController() ? Driver->ServerConnection.Get() : nullptr;
}

AActor* UWorld::SpawnAny(UClass* Class)
{
	AActor* Actor = static_cast<AActor*>(FDouble::Make(Class, this));
	for (UActorComponent* Component : Actor->Components) { Component->OuterPrivate = Actor; }
	Actor->Role = NetMode == NM_Client ? ROLE_SimulatedProxy : ROLE_Authority;
	Actors.push_back(Actor);
	if (AGameStateBase* State = Cast<AGameStateBase>(Actor)) { Active->GameState = State; }
	if (APlayerController* Controller = Cast<APlayerController>(Actor))
	{
		Controllers.emplace_back(Controller);
	}
	return Actor;
}

UObject* UWorld::GameStateObject() const { return Active->GameState; }
UObject* UWorld::GameModeObject() const { return GameMode; }

void UWorld::AddSubsystems()
{
	for (const auto& Class : FDouble::Classes())
	{
		const auto& LeftOut = FDouble::State.LeftOut;
		if (!Class()->IsChildOf(UWorldSubsystem::StaticClass()) ||
			std::find(LeftOut.begin(), LeftOut.end(), Class()) != LeftOut.end())
		{
			continue;
		}
		UWorldSubsystem* Subsystem = static_cast<UWorldSubsystem*>(FDouble::Make(Class(), this));
		if (!Subsystem->DoesSupportWorldType(WorldType))
		{
			Subsystem->bGone = true;
			continue;
		}
		Subsystems.push_back(Subsystem);
		FSubsystemCollectionBase Collection;
		Subsystem->Initialize(Collection);
	}
}

void UWorld::BeginPlay()
{
	for (UObject* Subsystem : Subsystems)
	{
		static_cast<UWorldSubsystem*>(Subsystem)->OnWorldBeginPlay(*this);
	}
}

void UWorld::Tick(ELevelTick TickType, float DeltaSeconds)
{
	FWorldDelegates::OnWorldTickStart.Broadcast(this, TickType, DeltaSeconds);
	TimeSeconds += static_cast<double>(DeltaSeconds);
	FWorldDelegates::OnWorldPreActorTick.Broadcast(this, TickType, DeltaSeconds);
	FWorldDelegates::OnWorldPostActorTick.Broadcast(this, TickType, DeltaSeconds);
}

const TArray<FWorldContext>& UEngine::GetWorldContexts() const
{
	static TArray<FWorldContext> Contexts;
	Contexts.Reset();
	for (const auto& Object : FDouble::State.Objects)
	{
		UWorld* World = Cast<UWorld>(Object.get());
		if (IsValid(World)) { Contexts.Add(FWorldContext{World->WorldType, World}); }
	}
	return Contexts;
}

// Clients are numbered from 1, in the order in which their games started.
FString GetDebugStringForWorld(const UWorld* World)
{
	if (World->GetNetMode() != NM_Client)
	{
		return FString(World->GetNetMode() == NM_Standalone ? TEXT("Standalone") : TEXT("Server"));
	}
	int32 Number = 0;
	for (const UObject* Game : FDouble::ObjectsOf(UGameInstance::StaticClass()))
	{
		if (Game == World->GetGameInstance()) { break; }
		++Number;
	}
	return FString::Printf(TEXT("Client %d"), Number);
}

void UWorld::DestroyWorld(bool) { TearDown(EEndPlayReason::Quit); }

void UGameInstance::UnregisterReferencedObject(UObject* Object)
{
	std::erase(Referenced, Object);
}

void UGameInstance::InitializeStandalone()
{
	World = NewObject<UWorld>(nullptr);
	World->GameInstance = this;
	World->Settings = World->SpawnDouble<AWorldSettings>();
	Init();
	World->AddSubsystems();
}

void UGameInstance::Shutdown()
{
	for (UObject* Subsystem : Subsystems) { static_cast<USubsystem*>(Subsystem)->Deinitialize(); }
	Subsystems.clear();
}

void UGameInstance::Init()
{
	for (const auto& Class : FDouble::Classes())
	{
		if (!Class()->IsChildOf(UGameInstanceSubsystem::StaticClass())) { continue; }
		UGameInstanceSubsystem* Subsystem =
			static_cast<UGameInstanceSubsystem*>(FDouble::Make(Class(), this));
		Subsystems.push_back(Subsystem);
		FSubsystemCollectionBase Collection;
		Subsystem->Initialize(Collection);
	}
}

void UWorld::TearDown(EEndPlayReason::Type Reason)
{
	// If the net driver already belongs to the next world, this world becomes standalone.
	NetMode = FDouble::State.bKeepsNetMode ? NetMode : NM_Standalone;
	for (AActor* Actor : Actors)
	{
		for (UActorComponent* Component : Actor->Components) { Component->End(Reason); }
		if (!Actor->bGone) { Actor->EndPlay(Reason); }
		Actor->bGone = true;
	}
	for (UObject* Subsystem : Subsystems)
	{
		static_cast<USubsystem*>(Subsystem)->Deinitialize();
		Subsystem->bGone = true;
	}
	Subsystems.clear();
	Actors.clear();
	Controllers.clear();
	Source.GameState = Duplicated.GameState = nullptr;
	GameMode = nullptr;
	bGone = true;
}
