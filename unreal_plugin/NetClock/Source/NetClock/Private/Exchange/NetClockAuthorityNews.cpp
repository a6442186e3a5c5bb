// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Clock/NetClockBackend.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Exchange/NetClockComponent.h"

namespace
{
	/** A growing dispersion is replicated in steps of this size, in ms: every 10 s where clocks drift by 100
	 * ppm. */
	constexpr double DispersionStepMs = 1.0;

	/** Whose time the server serves, as it tells a player once that is decided. */
	class FNetClockAuthorityNews : public FNetClockSubject
	{
	public:
		static constexpr ENetClockSubject Subject = ENetClockSubject::Authority;
		using FNetClockSubject::FNetClockSubject;

		void Serve(FNetClockServing&) override
		{
			Component.bServerHasNoClock = Component.bServerHasNoClock || !NetClock::IsLibraryUsable();
			Component.ServerBoot = NetClock::BootId();
			const UNetClockSession* Session = UNetClockSession::Of(&Component);
			if (!Session || Session->IsAsking())
			{
				return;
			}
			FNetClockAuthority& Authority = Component.Authority;
			Authority = Session->GetServedAuthority();
			if (Authority.Timescale != Authority.ServerEpoch)
			{
				Authority.DispersionMs =
					(FMath::FloorToDouble(Authority.DispersionMs / DispersionStepMs) + 1.0) *
					DispersionStepMs;
			}
		}

		void Learn() override
		{
			// Without a library of its own this machine has said so already.
			if (Component.bServerHasNoClock && !bSaid && NetClock::IsLibraryUsable())
			{
				bSaid = true;
				UE_LOG(LogNetClock, Warning,
					TEXT("The server has no NetClock library, so there is no clock to follow. This client "
						 "uses the engine's clock and does not ask."));
			}
			if (UNetClockSession* Session = UNetClockSession::Of(&Component))
			{
				Session->LearnServerBoot(Component.ServerBoot);
				static_cast<void>(Session->LearnAuthority(Component.Authority));
			}
		}

	private:
		bool bSaid = false;
	};

	const bool bRegisteredAuthority = UNetClockComponent::Register<FNetClockAuthorityNews>();
}
