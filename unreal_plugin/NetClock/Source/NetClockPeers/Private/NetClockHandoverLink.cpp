// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Peers/NetClockHandover.h"

namespace
{
	/** Answers that the server reads of one player. It asks every 250 ms at most. */
	constexpr double AnswersPerSecond = 8.0;
	constexpr double AnswersInARow = 8.0;

	/** One player's part in a handover: the server's question instead of a reply, and the answer at the end
	 * of
	 * the frame. */
	class FNetClockHandoverLink : public FNetClockSubject
	{
	public:
		static constexpr ENetClockSubject Subject = ENetClockSubject::Handover;
		using FNetClockSubject::FNetClockSubject;

		void OnProbe(const FNetClockProbe&) override { bProbed = true; }

		void Serve(FNetClockServing&) override
		{
			UNetClockHandover* Handover = UNetClockHandover::Of(&Component);
			FNetClockDatagram Due;
			if (Handover && bProbed && Handover->Ask(Component, Due))
			{
				Component.Send(Subject, 0, Due);
			}
			bProbed = false;
		}

		void Receive(int32, const FNetClockDatagram& Datagram) override
		{
			const int64 Now = NetClock::LocalTicks();
			UNetClockHandover* Handover = UNetClockHandover::Of(&Component);
			if (Handover && Handover->IsAsking())
			{
				if (Budget.Spend(Now, AnswersInARow, AnswersPerSecond))
				{
					Handover->TakeAnswer(Component, Datagram, Now);
				}
				return;
			}
			// A newer question replaces it.
			Question = Datagram;
			bIsAsked = true;
		}

		void Ask() override
		{
			const UNetClockSession* Session = UNetClockSession::Of(&Component);
			FNetClockDatagram Answer;
			if (bIsAsked && Session && Session->AnswerAdoption(Question, NetClock::LocalTicks(), Answer))
			{
				Component.Send(Subject, 0, Answer);
			}
			bIsAsked = false;
		}

	private:
		bool bProbed = false;
		FNetClockBudget Budget;
		FNetClockDatagram Question;
		bool bIsAsked = false;
	};

	const bool bRegisteredHandover = UNetClockComponent::Register<FNetClockHandoverLink>();
}
