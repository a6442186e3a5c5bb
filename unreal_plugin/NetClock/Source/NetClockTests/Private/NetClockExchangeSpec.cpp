// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Tests the library and a clock whose messages stay in memory.

#include "Misc/AutomationTest.h"

#if WITH_DEV_AUTOMATION_TESTS

#include "NetClock/Base/NetClockBase.h"
#include "NetClockCLibrary.h"

BEGIN_DEFINE_SPEC(FNetClockExchangeSpec, "NetClock.Exchange",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
void DefineLibrary();
void DefineExchange();
END_DEFINE_SPEC(FNetClockExchangeSpec)

void FNetClockExchangeSpec::Define()
{
	Describe(TEXT("The library"), [this]() { DefineLibrary(); });
	Describe(TEXT("An exchange in memory"), [this]() { DefineExchange(); });
}

void FNetClockExchangeSpec::DefineLibrary()
{
	It(TEXT("is loaded, with the binary interface that the plugin was built for"), [this]()
	{
		TestTrue(TEXT("usable; if not, the log explains why"), NetClock::IsLibraryUsable());
	});
}

void FNetClockExchangeSpec::DefineExchange()
{
	It(TEXT("keeps the true time within the bound and never goes backwards"), [this]()
	{
		// How far the server's clock is ahead, and the delays in the two directions, in ticks of 100 ns.
		constexpr int64 Offset = 123456789012;
		constexpr int64 Up = 300000;
		constexpr int64 Down = 100000;
		constexpr int64 Frame = NetClock::TicksPerSecond / 60;
		auto Host = netclock::host::create(77, {1, 2});
		auto Guest = netclock::guest::create({3, 4});
		if (!Host || !Guest || Host->admit(1) != netclock::status::ok)
		{
			AddError(TEXT("The library is missing."));
			return;
		}
		int64 Now = 50000000;
		int64 Last = 0;
		int32 Outside = 0;
		int32 Backwards = 0;
		int32 Refused = 0;
		for (int32 Index = 0; Index < 600; ++Index)
		{
			while (const auto Sent = Guest->next(NetClock::LocalTime(Now)))
			{
				Now += Up;
				const netclock::server_time There = NetClock::ServerTime(Now + Offset);
				const bool bTaken =
					Host->receive(1, Sent->bytes.data(), Sent->size, There) == netclock::status::ok;
				Refused += bTaken ? 0 : 1;
				const auto Answer = Host->next(There);
				Now += Down;
				if (Answer)
				{
					const netclock::status Result = Guest->receive(
						Answer->bytes.data(), Answer->size, NetClock::LocalTime(Now));
					Refused += Result == netclock::status::ok ? 0 : 1;
				}
			}
			const auto Shown = Guest->view(NetClock::LocalTime(Now));
			const int64 ServerTicks = NetClock::TicksOf(Shown->time);
			const double OffMs = NetClock::TicksToMs(ServerTicks - Now - Offset);
			Outside += Shown->error_bound && FMath::Abs(OffMs) > NetClock::MsOf(*Shown->error_bound) ? 1 : 0;
			Backwards += ServerTicks < Last ? 1 : 0;
			Last = ServerTicks;
			Now += Frame;
		}
		const auto Shown = Guest->view(NetClock::LocalTime(Now));
		const double BoundMs = NetClock::MsOf(Shown->error_bound, NetClock::UnknownMs);
		TestTrue(TEXT("synced"), Shown->state == netclock::clock_state::synced && Shown->server_epoch == 77);
		TestTrue(
			TEXT("the bound covers half the difference of the delays, 10 ms, and is not much larger"),
			BoundMs >= 10.0 && BoundMs < 25.0);
		TestEqual(TEXT("rejected datagrams"), Refused, 0);
		TestEqual(TEXT("frames with the time outside the bound"), Outside, 0);
		TestEqual(TEXT("frames in which the time went backwards"), Backwards, 0);
	});
}

#endif // WITH_DEV_AUTOMATION_TESTS
