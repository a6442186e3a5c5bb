// A game's controller of its own, which carries the one-shot handshake as it was published: the client sends
// its world time, the server sends it back with its own, and the client adds half the round trip. Beside
// NetClock, for comparison.
#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "OneShotController.generated.h"

UCLASS()
class AOneShotController : public APlayerController
{
	GENERATED_BODY()

public:
	void ReceivedPlayer() override;

	/** The server's world time by the handshake; the world's own until answered. */
	double GetServerTime() const;

	UFUNCTION(Server, Reliable, WithValidation)
	void ServerAskTime(double ClientSeconds);

	UFUNCTION(Client, Reliable)
	void ClientTellTime(double ClientSeconds, double ServerSeconds);

	bool bAnswered = false;

private:
	double Difference = 0.0;
};
