// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_handover.h: handing a timescale over.

#include "Handover/NetClockHandoverBackend.h"

#include "Base/NetClockBytes.h"
#include "Base/NetClockSpans.h"
#include "Clock/NetClockBackend.h"
#include "Clock/NetClockRecorder.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "Misc/Guid.h"

#if WITH_NETCLOCK_LIBRARY

#include "netclock/netclock_handover.h"

namespace
{
	using NetClock::FBytes;
	static_assert(NETCLOCK_DATAGRAM_SIZE == FBytes::Size, "four numbers of eight bytes");

}

TSharedPtr<FNetClockAdoption> FNetClockAdoption::Create(int64 Timescale, int32 Liars, const FGuid& Seed)
{
	if (!NetClock::IsLibraryUsable() || Liars < 0)
	{
		return nullptr;
	}
	netclock_adoption_config Config{};
	Config.struct_size = sizeof(Config);
	Config.liars = Liars == 0 ? static_cast<uint32_t>(NETCLOCK_NO_LIARS) : static_cast<uint32_t>(Liars);
	Config.timescale = static_cast<uint64_t>(Timescale);
	Config.max_drift_ppm = static_cast<double>(UNetClockSettings::Get().MaxDriftPpm);
	netclock_adoption* Handle = nullptr;
	if (netclock_adoption_create(&Config, NetClock::HighOf(Seed), NetClock::LowOf(Seed), &Handle) !=
		NETCLOCK_OK)
	{
		return nullptr;
	}
	return MakeShared<FNetClockAdoption>(Handle);
}

FNetClockAdoption::~FNetClockAdoption()
{
	static_cast<void>(netclock_adoption_destroy(Handle));
}

bool FNetClockAdoption::AddOwnReading(const FNetClockClient& Client, int64 Now)
{
	FNetClockAuthority Authority;
	const FNetClockStatus Status = Client.Read(Now);
	return Status.bIsSynced && Client.GetAuthority(Now, Authority) &&
		AddOwnReading(Status.ServerTicks, Status.ErrorBoundMs + Authority.DispersionMs, Now);
}

bool FNetClockAdoption::AddOwnReading(int64 OutsideTicks, double ErrorBoundMs, int64 Now)
{
	return netclock_adoption_add_own_reading(
			   Handle, OutsideTicks, NetClock::BoundToTicks(ErrorBoundMs), Now) == NETCLOCK_OK;
}

bool FNetClockAdoption::MakeRequest(int32 Player, int64 Now, FNetClockDatagram& Question)
{
	FBytes Message;
	if (netclock_adoption_request(Handle, static_cast<uint64_t>(Player), Now, Message.Bytes, FBytes::Size) !=
		NETCLOCK_OK)
	{
		return false;
	}
	Question = Message.Datagram();
	return true;
}

void FNetClockAdoption::HandleReply(int32 Player, const FNetClockDatagram& Answer, int64 Arrived)
{
	const FBytes Message(Answer);
	static_cast<void>(netclock_adoption_handle_reply(
		Handle, static_cast<uint64_t>(Player), Message.Bytes, FBytes::Size, Arrived));
}

ENetClockContinuation FNetClockAdoption::Settle(int64 Now, FNetClockAdopted& Adopted) const
{
	netclock_adoption_result Made{};
	Made.struct_size = sizeof(Made);
	switch (netclock_adoption_settle(Handle, Now, &Made))
	{
	case NETCLOCK_OK: break;
	case NETCLOCK_TOO_FEW: return ENetClockContinuation::TooFew;
	case NETCLOCK_NO_AGREEMENT: return ENetClockContinuation::NoAgreement;
	default: return ENetClockContinuation::OutOfRange;
	}
	Adopted.Timescale = static_cast<int64>(Made.timescale);
	Adopted.OffsetTicks = Made.offset;
	Adopted.DispersionMs = NetClock::TicksToMs(Made.dispersion);
	Adopted.Answers = static_cast<int32>(Made.answers);
	return ENetClockContinuation::Continued;
}

bool FNetClockClient::SetAuthority(const FNetClockAuthority& Authority, int64 Now)
{
	netclock_authority Next{};
	Next.struct_size = sizeof(Next);
	Next.epoch = static_cast<uint64_t>(Authority.ServerEpoch);
	Next.timescale = static_cast<uint64_t>(Authority.Timescale);
	Next.dispersion = NetClock::BoundToTicks(Authority.DispersionMs);
	if (netclock_client_set_authority(Handle, &Next, Now) != NETCLOCK_OK)
	{
		return false;
	}
	if (FNetClockRecorder* Recording = GetRecorder())
	{
		Recording->AddAuthority(Now, Next.epoch, Next.timescale, Next.dispersion);
	}
	return true;
}

bool FNetClockClient::GetAuthority(int64 Now, FNetClockAuthority& Authority) const
{
	netclock_authority Known{};
	Known.struct_size = sizeof(Known);
	if (netclock_client_authority(Handle, Now, &Known) != NETCLOCK_OK)
	{
		return false;
	}
	Authority.ServerEpoch = static_cast<int64>(Known.epoch);
	Authority.Timescale = static_cast<int64>(Known.timescale);
	Authority.DispersionMs = NetClock::TicksToMs(Known.dispersion);
	return true;
}

bool FNetClockClient::AnswerAdoption(
	const FNetClockDatagram& Question, int64 Now, FNetClockDatagram& Answered) const
{
	const FBytes Asked(Question);
	FBytes Message;
	if (netclock_client_respond_to_adoption(
			Handle, Asked.Bytes, FBytes::Size, Now, Message.Bytes, FBytes::Size) != NETCLOCK_OK)
	{
		return false;
	}
	Answered = Message.Datagram();
	return true;
}

#else // WITH_NETCLOCK_LIBRARY

// The null backend: there is no time to continue.

TSharedPtr<FNetClockAdoption> FNetClockAdoption::Create(int64, int32, const FGuid&) { return nullptr; }
FNetClockAdoption::~FNetClockAdoption() { check(Handle == nullptr); }
bool FNetClockAdoption::AddOwnReading(const FNetClockClient&, int64) { return false; }
bool FNetClockAdoption::AddOwnReading(int64, double, int64) { return false; }
bool FNetClockAdoption::MakeRequest(int32, int64, FNetClockDatagram&) { return false; }
void FNetClockAdoption::HandleReply(int32, const FNetClockDatagram&, int64) {}
ENetClockContinuation FNetClockAdoption::Settle(int64, FNetClockAdopted&) const
{
	return ENetClockContinuation::NoLibrary;
}
bool FNetClockClient::SetAuthority(const FNetClockAuthority&, int64) { return false; }
bool FNetClockClient::GetAuthority(int64, FNetClockAuthority&) const { return false; }
bool FNetClockClient::AnswerAdoption(const FNetClockDatagram&, int64, FNetClockDatagram&) const
{
	return false;
}

#endif // WITH_NETCLOCK_LIBRARY
