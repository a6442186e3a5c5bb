// A game's own controller with the one-shot handshake in its published form: the client sends its world time,
// the server returns it with its own world time, and the client adds half of the round trip. It runs beside
// NetClock for comparison.
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
