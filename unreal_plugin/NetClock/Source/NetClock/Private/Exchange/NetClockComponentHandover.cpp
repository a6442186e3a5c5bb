// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// What the component carries when a time outlives its server: whose time it is, questions and answers.

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Clock/NetClockBackend.h"
#include "Exchange/NetClockComponent.h"
#include "Handover/NetClockHandover.h"
#include "Clock/NetClockSession.h"

namespace
{
	/** Answers about the time that are read of one player: a question comes every 250 ms at most. */
	constexpr double AnswersAboutTimePerSecond = 8.0;
	constexpr double AnswersAboutTimeInARow = 8.0;

	/** A dispersion that grows is told again after so many ms: every 10 s, where clocks drift by 100 ppm. */
	constexpr double DispersionStepMs = 1.0;

	UNetClockSession* SessionOf(const UWorld* World)
	{
		return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	}

	UNetClockHandover* HandoverOf(const UWorld* World)
	{
		return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockHandover>() : nullptr;
	}
}

void UNetClockComponent::StateAuthority()
{
	const UNetClockSession* Session = SessionOf(GetWorld());
	const UNetClockHandover* Handover = HandoverOf(GetWorld());
	if (!Session || (Handover && Handover->IsAsking()))
	{
		return;
	}
	Authority = Session->GetServedAuthority();
	if (Authority.Timescale != Authority.ServerEpoch)
	{
		Authority.DispersionMs = (FMath::FloorToDouble(Authority.DispersionMs / DispersionStepMs) + 1.0) * DispersionStepMs;
	}
}

void UNetClockComponent::OnRep_Authority()
{
	if (UNetClockSession* Session = SessionOf(GetWorld()))
	{
		static_cast<void>(Session->LearnAuthority(Authority));
	}
}

bool UNetClockComponent::SendQuestion()
{
	UNetClockHandover* Handover = HandoverOf(GetWorld());
	if (!Handover || !Handover->IsAsking())
	{
		return false;
	}
	FNetClockDatagram Due;
	if (!Pending.IsEmpty() && Handover->Ask(*this, Due))
	{
		ClientQuestion(Due);
	}
	Pending.Reset();
	return true;
}

void UNetClockComponent::ClientQuestion_Implementation(const FNetClockDatagram& Asked)
{
	OpenQuestion = Asked;
	bIsAsked = true;
}

void UNetClockComponent::SendAnswer(const FNetClockClient& Client)
{
	FNetClockDatagram Answered;
	if (bIsAsked && Client.Answer(OpenQuestion, NetClock::LocalTicks(), Answered))
	{
		ServerAnswer(Answered);
	}
	bIsAsked = false;
}

void UNetClockComponent::ServerAnswer_Implementation(const FNetClockDatagram& Answer)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockHandover* Handover = HandoverOf(GetWorld());
	if (Handover && AnswerBudget.Spend(Arrived, AnswersAboutTimeInARow, AnswersAboutTimePerSecond))
	{
		Handover->Hear(*this, Answer, Arrived);
	}
}
