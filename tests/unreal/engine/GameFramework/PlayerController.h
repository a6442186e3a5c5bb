#pragma once

#include "GameFramework/Actor.h"
#include "GameFramework/PlayerState.h"

class UInputComponent;

class AController : public AActor
{
	DOUBLE_CLASS(AController, AActor)
	virtual bool IsLocalController() const { return false; }
	TObjectPtr<APlayerState> PlayerState;
};

struct FAsyncPhysicsTimestamp
{
	int32 ServerFrame = 0;
	int32 LocalFrame = 0;
};

class APlayerController : public AController
{
	DOUBLE_CLASS(APlayerController, AController)
	bool IsLocalController() const override { return DoubleIsA<ULocalPlayer>(Player.Get()); }
	UNetConnection* GetNetConnection() const override;
	FAsyncPhysicsTimestamp GetPhysicsTimestamp() const { return {}; }
	virtual void ReceivedPlayer() {}
	virtual void SetupInputComponent() {}

	TObjectPtr<UPlayer> Player;
	TObjectPtr<UInputComponent> InputComponent;
};
