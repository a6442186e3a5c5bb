#include "OneShotController.h"

#include "Engine/World.h"

void AOneShotController::ReceivedPlayer()
{
	Super::ReceivedPlayer();
	if (IsLocalController() && GetNetMode() == NM_Client)
	{
		ServerAskTime(static_cast<double>(GetWorld()->GetTimeSeconds()));
	}
}

double AOneShotController::GetServerTime() const
{
	return static_cast<double>(GetWorld()->GetTimeSeconds()) + Difference;
}

bool AOneShotController::ServerAskTime_Validate(double ClientSeconds)
{
	return FMath::IsFinite(ClientSeconds);
}

void AOneShotController::ServerAskTime_Implementation(double ClientSeconds)
{
	ClientTellTime(ClientSeconds, static_cast<double>(GetWorld()->GetTimeSeconds()));
}

void AOneShotController::ClientTellTime_Implementation(double ClientSeconds, double ServerSeconds)
{
	const double Now = static_cast<double>(GetWorld()->GetTimeSeconds());
	Difference = ServerSeconds + (Now - ClientSeconds) / 2 - Now;
	bAnswered = true;
}

AClockController::AClockController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}
