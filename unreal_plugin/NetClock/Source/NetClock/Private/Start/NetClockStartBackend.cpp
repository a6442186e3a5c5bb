// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_start.h: starts and beats.

#include "Start/NetClockStartBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "Misc/Guid.h"
#include "NetClockCLibrary.h"

namespace
{
	/** Most beats that are reported in one frame: 240 a second at 10 frames a second, with room to catch
	 * up. */
	constexpr int32 MaxBeatsInFrame = 32;

	/** The longest frame for which messages wait, in ticks: a server at 20 frames a second. */
	constexpr int64_t SlowestFrame = NETCLOCK_TICKS_PER_SECOND / 20;

	/** Most players in a start: the library's limit. */
	constexpr uint32_t Capacity = 1024;

	ENetClockHoldUp HoldUpOf(int32_t HoldUp)
	{
		switch (HoldUp)
		{
		case NETCLOCK_HOLD_UP_NONE: return ENetClockHoldUp::None;
		case NETCLOCK_HOLD_UP_UNSYNCED: return ENetClockHoldUp::Unsynced;
		case NETCLOCK_HOLD_UP_INACCURATE: return ENetClockHoldUp::Inaccurate;
		case NETCLOCK_HOLD_UP_TOO_SLOW: return ENetClockHoldUp::TooSlow;
		default: return ENetClockHoldUp::Silent;
		}
	}

	ENetClockStartStage StartStageOf(int32_t Stage)
	{
		switch (Stage)
		{
		case NETCLOCK_STAGE_ANNOUNCED: return ENetClockStartStage::Scheduled;
		case NETCLOCK_STAGE_STARTED: return ENetClockStartStage::Started;
		case NETCLOCK_STAGE_JOINED: return ENetClockStartStage::JoinedLate;
		default: return ENetClockStartStage::None;
		}
	}

	using NetClock::FBytes;
	static_assert(NETCLOCK_DATAGRAM_SIZE == FBytes::Size, "four numbers of eight bytes");
}

TSharedPtr<FNetClockOrganiser> FNetClockOrganiser::Create(int64 Epoch)
{
	if (!NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	auto Config = NetClock::Sized<netclock_organiser_config>();
	Config.capacity = Capacity;
	Config.patience = NetClock::SecondsToTicks(static_cast<double>(Settings.StartPatienceSeconds));
	Config.max_expected_error = NetClock::MsToTicks(static_cast<double>(Settings.StartMaxExpectedErrorMs));
	Config.frame = SlowestFrame;
	netclock_organiser* Made = nullptr;
	if (netclock_organiser_create(&Config, static_cast<uint64_t>(Epoch), &Made) != NETCLOCK_OK)
	{
		UE_LOG(
			LogNetClock, Error, TEXT("Starts are not available: %s"), UTF8_TO_TCHAR(netclock_last_error()));
		return nullptr;
	}
	return MakeShared<FNetClockOrganiser>(Made, &netclock_organiser_destroy);
}

bool FNetClockOrganiser::Admit(int64 Player)
{
	return netclock_organiser_admit(Handle, static_cast<uint64_t>(Player)) == NETCLOCK_OK;
}

void FNetClockOrganiser::Remove(int64 Player)
{
	static_cast<void>(netclock_organiser_remove(Handle, static_cast<uint64_t>(Player)));
}

FNetClockProposal FNetClockOrganiser::Propose(int64 Now, double Confidence)
{
	FNetClockProposal Result;
	auto Proposal = NetClock::Sized<netclock_start_proposal>();
	const netclock_status Status = netclock_organiser_propose(Handle, Now + Ahead, Confidence, &Proposal);
	if (Status != NETCLOCK_OK && Status != NETCLOCK_HELD_UP)
	{
		UE_LOG(LogNetClock, Error, TEXT("The start could not be scheduled: %s"),
			UTF8_TO_TCHAR(netclock_last_error()));
		return Result;
	}
	Result.Player = static_cast<int64>(Proposal.participant);
	Result.HoldUp = HoldUpOf(Proposal.hold_up);
	Result.NotReady = static_cast<int32>(Proposal.not_ready);
	Result.Result = FNetClockProposal::EResult::HeldUp;
	if (Status == NETCLOCK_OK)
	{
		Result.Result = FNetClockProposal::EResult::Scheduled;
		Result.AtTicks = Proposal.at;
		// From now on the library sees the true clock.
		Ahead = 0;
	}
	return Result;
}

bool FNetClockOrganiser::Cancel(int64 Now)
{
	return netclock_organiser_cancel(Handle, Now) == NETCLOCK_OK;
}

void FNetClockOrganiser::Receive(int64 Player, const FNetClockDatagram& Datagram, int64 Now)
{
	const FBytes Message(Datagram);
	static_cast<void>(netclock_organiser_receive(
		Handle, static_cast<uint64_t>(Player), Message.Bytes, sizeof(Message.Bytes), Now + Ahead));
}

bool FNetClockOrganiser::NextMessage(int64 Now, int64& Player, FNetClockDatagram& Datagram)
{
	FBytes Message;
	uint64_t To = 0;
	if (netclock_organiser_next_message(Handle, Now, &To, Message.Bytes, sizeof(Message.Bytes)) !=
		NETCLOCK_OK)
	{
		return false;
	}
	Player = static_cast<int64>(To);
	Datagram = Message.Datagram();
	return true;
}

FNetClockPlayerStart FNetClockOrganiser::Read(int64 Player, int64 Now) const
{
	FNetClockPlayerStart Result;
	auto Known = NetClock::Sized<netclock_start_participation>();
	if (netclock_organiser_participation(Handle, static_cast<uint64_t>(Player), Now + Ahead, &Known) !=
		NETCLOCK_OK)
	{
		return Result;
	}
	Result.HoldUp = HoldUpOf(Known.hold_up);
	Result.bIsReady = Result.HoldUp == ENetClockHoldUp::None;
	Result.ErrorBoundMs = NetClock::SpanToMs(Known.error_bound);
	Result.ExpectedErrorMs = NetClock::SpanToMs(Known.expected_error);
	Result.NoticeMs = NetClock::SpanToMs(Known.lead);
	Result.bWasReady = Known.counted != 0;
	Result.bHasHeard = Known.acknowledged != 0;
	Result.bHasStarted = Known.lateness != NETCLOCK_UNBOUNDED;
	Result.LatenessMs = Result.bHasStarted ? NetClock::SpanToMs(Known.lateness) : 0.0;
	Result.LatenessBoundMs = NetClock::SpanToMs(Known.lateness_bound);
	return Result;
}

TSharedPtr<FNetClockParticipant> FNetClockParticipant::Create(const FGuid& Key)
{
	return Own<FNetClockParticipant>(&netclock_participant_destroy, [&Key](netclock_participant** Made)
		{ return netclock_participant_create(NetClock::HighOf(Key), Made); });
}

void FNetClockParticipant::Receive(const FNetClockDatagram& Datagram)
{
	const FBytes Message(Datagram);
	static_cast<void>(netclock_participant_receive(Handle, Message.Bytes, sizeof(Message.Bytes)));
}

FNetClockProgress FNetClockParticipant::Tick(const FNetClockClient& Client, int64 Now)
{
	FNetClockProgress Result;
	auto Progress = NetClock::Sized<netclock_start_progress>();
	if (netclock_participant_tick(Handle, Client.Handle, Now, &Progress) != NETCLOCK_OK)
	{
		return Result;
	}
	Result.Stage = StartStageOf(Progress.stage);
	Result.bFires = Progress.fires != 0;
	Result.AtTicks = Progress.at;
	Result.Version = Progress.version;
	Result.LatenessMs = NetClock::SpanToMs(Progress.lateness);
	Result.ErrorBoundMs = NetClock::SpanToMs(Progress.error_bound);
	return Result;
}

bool FNetClockParticipant::NextMessage(FNetClockDatagram& Datagram)
{
	FBytes Message;
	if (netclock_participant_next_message(Handle, Message.Bytes, sizeof(Message.Bytes)) != NETCLOCK_OK)
	{
		return false;
	}
	Datagram = Message.Datagram();
	return true;
}

namespace
{
	netclock_beat BeatOf(const FNetClockBeats& Beats)
	{
		netclock_beat Beat{};
		Beat.origin = Beats.OriginTicks;
		Beat.next = Beats.Next;
		Beat.beats = static_cast<uint32_t>(FMath::Max(0, Beats.Rate));
		Beat.seconds = 1;
		Beat.max_steps = MaxBeatsInFrame;
		// Next is where to begin: after the beat under way, for who joined late.
		Beat.begun = 1;
		return Beat;
	}
}

bool FNetClockBeats::At(int64 ServerTicks, int64& Beat, double& Alpha) const
{
	const netclock_beat Asked = BeatOf(*this);
	int64_t Number = 0;
	if (!NetClock::IsLibraryUsable() || netclock_beat_at(&Asked, ServerTicks, &Number, &Alpha) != NETCLOCK_OK)
	{
		return false;
	}
	Beat = Number;
	return true;
}

int32 FNetClockBeats::Advance(int64 ServerTicks, int64& First)
{
	netclock_beat Beat = BeatOf(*this);
	netclock_beat_steps Steps{};
	if (!NetClock::IsLibraryUsable() || netclock_beat_advance(&Beat, ServerTicks, &Steps) != NETCLOCK_OK)
	{
		return 0;
	}
	Next = Beat.next;
	First = Steps.first;
	return static_cast<int32>(Steps.count);
}
