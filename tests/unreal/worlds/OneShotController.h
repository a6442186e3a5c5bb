// Controllers of games: one with the one-shot handshake in its published form, one with a clock component.
// In the handshake, the client sends its world time, the server returns it with its own world time, and the
// client adds half of the round trip. It runs beside NetClock for comparison.
#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "OneShotController.generated.h"

UCLASS()
class AOneShotController : public APlayerController
{
	GENERATED_BODY()

public:
	void ReceivedPlayer() override;

	/** The server's world time according to the handshake. Until there is an answer, it is the client's own
	 * world time. */
	double GetServerTime() const;

	UFUNCTION(Server, Reliable, WithValidation)
	void ServerAskTime(double ClientSeconds);

	UFUNCTION(Client, Reliable)
	void ClientTellTime(double ClientSeconds, double ServerSeconds);

	bool bAnswered = false;

private:
	double Difference = 0.0;
};

UCLASS()
class AClockController : public APlayerController
{
	GENERATED_BODY()

public:
	AClockController();

private:
	UPROPERTY()
	TObjectPtr<UNetClockComponent> NetClock;
};
