// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock.h: a client's clock. Only files named ...Backend.cpp include the C headers.

#include "Clock/NetClockBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockMemory.h"
#include "Clock/NetClockRecorder.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "Clock/NetClockTap.h"
#include "Misc/Guid.h"
#include "NetClockCLibrary.h"

static_assert(NETCLOCK_OK == 0, "as TNetClockOwner has it");
static_assert(NETCLOCK_TICKS_PER_SECOND == NetClock::TicksPerSecond, "the unit of netclock.h");
static_assert(NETCLOCK_UNBOUNDED == NetClock::Unbounded, "the largest span of netclock.h");

namespace
{
	/** A state of another length is none. */
	void CopyState(const TArray<uint8>& From, uint8_t (&To)[NETCLOCK_SAVED_SIZE])
	{
		for (int32 At = 0; From.Num() == NETCLOCK_SAVED_SIZE && At < NETCLOCK_SAVED_SIZE; ++At)
		{
			To[At] = From[At];
		}
	}

	/** The project's settings for a client's clock. Everything else is the library's default. */
	netclock_config ConfigOf(const UNetClockSettings& Settings)
	{
		auto Config = NetClock::Sized<netclock_config>();
		// Stamps are taken at frame boundaries, yet client_frame and server_frame stay zero. They are for
		// loops with a known fixed rate, and correct for half a frame. The length of a game's frames varies.
		// More exchanges help instead: some of them arrive just before a frame begins, and the smallest wait
		// counts. So it is with packets that wait for a flush, as they do in every other frame above 120
		// frames a second.
		Config.steady_interval =
			NetClock::SecondsToTicks(1.0 / static_cast<double>(Settings.ProbesPerSecond));
		Config.target_bound = NetClock::MsToTicks(static_cast<double>(Settings.TargetBoundMs));
		Config.step_threshold = NetClock::MsToTicks(static_cast<double>(Settings.StepThresholdMs));
		Config.max_slew = static_cast<double>(Settings.MaxSlewPercent) / 100.0;
		// The largest difference between two machines, half of it for each.
		Config.client_drift_ppm = static_cast<double>(Settings.MaxDriftPpm) / 2.0;
		Config.server_drift_ppm = Config.client_drift_ppm;
		return Config;
	}

	ENetClockCause CauseOf(int32_t Cause)
	{
		switch (Cause)
		{
		case NETCLOCK_CAUSE_SERVER_RESTART: return ENetClockCause::ServerRestart;
		case NETCLOCK_CAUSE_PROVEN_STEP: return ENetClockCause::ProvenStep;
		case NETCLOCK_CAUSE_LOCAL_GAP: return ENetClockCause::LocalGap;
		case NETCLOCK_CAUSE_LOCAL_STEP: return ENetClockCause::LocalStep;
		case NETCLOCK_CAUSE_CORRECTION: return ENetClockCause::Correction;
		case NETCLOCK_CAUSE_REQUESTED: return ENetClockCause::Requested;
		default: return ENetClockCause::None;
		}
	}

	ENetClockDegradation DegradationOf(int32_t Cause)
	{
		switch (Cause)
		{
		case NETCLOCK_DEGRADED_NO_REPLIES: return ENetClockDegradation::NoReplies;
		case NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET: return ENetClockDegradation::BoundAboveTarget;
		case NETCLOCK_DEGRADED_CONTRADICTION: return ENetClockDegradation::Contradiction;
		case NETCLOCK_DEGRADED_SEVERAL_SERVERS: return ENetClockDegradation::SeveralServers;
		case NETCLOCK_DEGRADED_SLEWED: return ENetClockDegradation::Slewed;
		default: return ENetClockDegradation::None;
		}
	}

	/** The library calls it inside HandleReply, and on the link's thread. */
	void OnTap(void* Tap, const netclock_sample* Told)
	{
		FNetClockSample Sample;
		Sample.Status = Told->status;
		Sample.Id = Told->id;
		Sample.Epoch = Told->epoch;
		Sample.ClientSent = Told->client_sent;
		Sample.ServerReceived = Told->server_received;
		Sample.ServerSent = Told->server_sent;
		Sample.ClientReceived = Told->client_received;
		Sample.Path = Told->path;
		Sample.ServerWait = Told->server_wait;
		Sample.ClientWait = Told->client_wait;
		static_cast<FNetClockTap*>(Tap)->Add(Sample);
	}

	bool TakeRequest(netclock_status Status, const netclock_request& From, FNetClockRequest& To)
	{
		if (Status != NETCLOCK_OK)
		{
			return false;
		}
		To.Id = static_cast<int64>(From.id);
		To.ClientTicks = From.client_time;
		return true;
	}
}

ENetClockState NetClock::StateOf(int32 State)
{
	switch (State)
	{
	case NETCLOCK_STATE_SYNCED: return ENetClockState::Synced;
	case NETCLOCK_STATE_HOLDOVER: return ENetClockState::Holdover;
	case NETCLOCK_STATE_DOUBTFUL: return ENetClockState::Doubtful;
	default: return ENetClockState::Unsynced;
	}
}

TSharedPtr<FNetClockClient> FNetClockClient::Create(const FGuid& Seed, const FNetClockKnown& Known)
{
	if (!NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	netclock_config Config = ConfigOf(UNetClockSettings::Get());
	Config.saved_seconds = NetClock::CalendarSeconds();
	Config.boot = static_cast<uint64_t>(NetClock::BootId());
	CopyState(Known.Machine, Config.saved_machine);
	CopyState(Known.Server, Config.saved_server);
	netclock_client* Made = nullptr;
	if (netclock_client_create(&Config, NetClock::HighOf(Seed), NetClock::LowOf(Seed), &Made) !=
		NETCLOCK_OK)
	{
		UE_LOG(LogNetClock, Error, TEXT("The clock could not be created: %s"),
			UTF8_TO_TCHAR(netclock_last_error()));
		return nullptr;
	}
	TSharedPtr<FNetClockClient> Client = MakeShared<FNetClockClient>(Made, &netclock_client_destroy);
	int32_t Used = 0;
	static_cast<void>(netclock_client_used_saved(Made, &Used));
	Client->bKnewMachine = (Used & NETCLOCK_USED_MACHINE) != 0;
	Client->bKnewServer = (Used & NETCLOCK_USED_SERVER) != 0;
	return Client;
}

bool FNetClockClient::Tick(int64 Now, FNetClockRequest& Request, bool& bReliable)
{
	auto Due = NetClock::Sized<netclock_request>();
	const netclock_status Status = netclock_client_tick(Handle, Now, &Due);
	bReliable = Due.reliable != 0;
	Record();
	return TakeRequest(Status, Due, Request);
}

bool FNetClockClient::MakeRequest(int64 Now, FNetClockRequest& Request)
{
	auto Made = NetClock::Sized<netclock_request>();
	const netclock_status Status = netclock_client_make_request(Handle, Now, &Made);
	return TakeRequest(Status, Made, Request);
}

void FNetClockClient::NotePoll(int64 At)
{
	static_cast<void>(netclock_client_polled(Handle, At));
}

bool FNetClockClient::HandleReply(const FNetClockReply& Reply, int64 Arrived)
{
	auto Learned = NetClock::Sized<netclock_reply>();
	Learned.id = static_cast<uint64_t>(Reply.Id);
	Learned.epoch = static_cast<uint64_t>(Reply.Epoch);
	Learned.received = Reply.ReceivedTicks;
	Learned.sent = Reply.SentTicks;
	Learned.wait = static_cast<uint32_t>(FMath::Max(Reply.WaitTicks, 0));
	const bool bAccepted = netclock_client_handle_reply(Handle, &Learned, Arrived) == NETCLOCK_OK;
	Record();
	return bAccepted;
}

void FNetClockClient::BeginBurst()
{
	static_cast<void>(netclock_client_begin_burst(Handle));
}

void FNetClockClient::MayHaveMissedTime(int64 Now)
{
	static_cast<void>(netclock_client_may_have_missed_time(Handle, Now, NETCLOCK_UNBOUNDED));
}

double FNetClockClient::MakeStepMs(int64 Now, double LeastMs)
{
	int64_t Step = 0;
	const int64 Least = NetClock::SecondsToTicks(FMath::Max(LeastMs, 0.0) * 1.0e-3);
	static_cast<void>(netclock_client_make_step(Handle, Now, Least, &Step));
	Record();
	return NetClock::TicksToMs(Step);
}

void FNetClockClient::SetServerBoot(int64 Boot)
{
	static_cast<void>(netclock_client_set_server_boot(Handle, static_cast<uint64_t>(Boot)));
}

bool FNetClockClient::Save(FNetClockKnown& Known) const
{
	uint8_t Machine[NETCLOCK_SAVED_SIZE];
	uint8_t Server[NETCLOCK_SAVED_SIZE];
	if (netclock_client_save(Handle, NetClock::CalendarSeconds(), Machine, Server, NETCLOCK_SAVED_SIZE) !=
		NETCLOCK_OK)
	{
		return false;
	}
	Known.Machine = TArray<uint8>(Machine, NETCLOCK_SAVED_SIZE);
	Known.Server = TArray<uint8>(Server, NETCLOCK_SAVED_SIZE);
	return true;
}

int64 FNetClockClient::CurrentServerTicks(int64 Now) const
{
	int64_t Current = 0;
	return netclock_client_current_server_time(Handle, Now, &Current) == NETCLOCK_OK ? Current : 0;
}

FNetClockStatus FNetClockClient::Read(int64 Now) const
{
	FNetClockStatus Result;
	auto Reading = NetClock::Sized<netclock_reading>();
	if (netclock_client_read(Handle, Now, &Reading) != NETCLOCK_OK)
	{
		return Result;
	}
	Result.State = NetClock::StateOf(Reading.state);
	Result.bIsSynced = Reading.state != NETCLOCK_STATE_UNSYNCED;
	Result.ServerTicks = Reading.server_time;
	Result.ErrorBoundMs = NetClock::SpanToMs(Reading.error_bound);
	Result.ExpectedErrorMs = NetClock::SpanToMs(Reading.expected_error);
	Result.RoundTripMs = NetClock::SpanToMs(Reading.round_trip);
	Result.FrequencyPpm = Reading.frequency_ppm;
	Result.Epoch = static_cast<int32>(Reading.epoch);
	Result.ServerEpoch = static_cast<int64>(Reading.server_epoch);
	return Result;
}

bool FNetClockClient::NextIncident(FNetClockIncident& Incident)
{
	auto Next = NetClock::Sized<netclock_event>();
	do
	{
		if (netclock_client_next_event(Handle, &Next) != NETCLOCK_OK)
		{
			return false;
		}
		// The link says these in its status.
	} while (Next.kind >= NETCLOCK_EVENT_LINKED && Next.kind <= NETCLOCK_EVENT_LINK_NOT_POSSIBLE);
	Incident = FNetClockIncident();
	switch (Next.kind)
	{
	case NETCLOCK_EVENT_SYNCED:
		break;
	case NETCLOCK_EVENT_DISCONTINUITY:
		Incident.Kind = FNetClockIncident::EKind::Discontinuity;
		Incident.Cause = CauseOf(Next.cause);
		Incident.AfterMs = NetClock::TicksToMs(Next.jump);
		break;
	case NETCLOCK_EVENT_HANDED_OVER:
		Incident.Kind = FNetClockIncident::EKind::HandedOver;
		break;
	case NETCLOCK_EVENT_DEGRADED:
		Incident.Degradation = DegradationOf(Next.cause);
		[[fallthrough]];
	// Recovered: degraded by nothing any more.
	default:
		Incident.Kind = FNetClockIncident::EKind::Degraded;
		break;
	}
	return true;
}

void FNetClockClient::SetRecorder(const TSharedPtr<FNetClockRecorder>& NewRecorder)
{
	Record();
	Recorder = NewRecorder;
	if (Recorder.IsValid() && !Tap.IsValid())
	{
		Tap = MakeShared<FNetClockTap>();
	}
	static_cast<void>(netclock_client_set_tap(Handle, Recorder.IsValid() ? &OnTap : nullptr, Tap.Get()));
	FNetClockAuthority Known;
	if (Recorder.IsValid() && GetAuthority(NetClock::LocalTicks(), Known))
	{
		Recorder->AddAuthority(NetClock::LocalTicks(), static_cast<uint64>(Known.ServerEpoch),
			static_cast<uint64>(Known.Timescale), NetClock::BoundToTicks(Known.DispersionMs));
	}
}

FNetClockRecorder* FNetClockClient::GetRecorder()
{
	Record();
	return Recorder.Get();
}

void FNetClockClient::Record()
{
	if (!Tap.IsValid())
	{
		return;
	}
	for (const FNetClockSample& Sample : Tap->Take())
	{
		if (Recorder.IsValid())
		{
			Recorder->Add(Sample);
		}
	}
}

bool FNetClockClient::SetAuthority(const FNetClockAuthority& Authority, int64 Now)
{
	auto Next = NetClock::Sized<netclock_authority>();
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
	auto Known = NetClock::Sized<netclock_authority>();
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
	const NetClock::FBytes Asked(Question);
	NetClock::FBytes Message;
	if (netclock_client_respond_to_adoption(Handle, Asked.Bytes, NetClock::FBytes::Size, Now, Message.Bytes,
			NetClock::FBytes::Size) != NETCLOCK_OK)
	{
		return false;
	}
	Answered = Message.Datagram();
	return true;
}
