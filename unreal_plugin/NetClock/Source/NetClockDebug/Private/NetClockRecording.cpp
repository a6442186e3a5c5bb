// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockRecording.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "HAL/CriticalSection.h"
#include "Misc/ScopeLock.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"
#include "NetClockRecorder.h"

/** Queues exchanges until the game thread passes them to the recorder, because some of them come from the
 * link's thread. */
class FNetClockTap
{
public:
	void Add(const netclock_sample& Sample)
	{
		FScopeLock Lock(&Section);
		Samples.Add(Sample);
	}

	TArray<netclock_sample> Take()
	{
		FScopeLock Lock(&Section);
		TArray<netclock_sample> Taken = MoveTemp(Samples);
		Samples.Reset();
		return Taken;
	}

private:
	FCriticalSection Section;
	TArray<netclock_sample> Samples;
};

namespace
{
	/** The number of bytes that identify a segment. The remaining bytes are the segment's duration. */
	constexpr int32 SegmentPart = NETCLOCK_SEGMENT_SIZE - 8;

	/** Called by the library while it handles a datagram, possibly on the link's thread. */
	void OnTap(void* Tap, const netclock_sample* Told)
	{
		static_cast<FNetClockTap*>(Tap)->Add(*Told);
	}
}

UNetClockRecording* UNetClockRecording::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockRecording>()
											 : nullptr;
}

void UNetClockRecording::Deinitialize()
{
	static_cast<void>(Stop());
	Super::Deinitialize();
}

FString UNetClockRecording::Start(const FString& Name)
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	UNetClockSession* Session = UNetClockSession::Of(World);
	const ENetMode Mode = World ? World->GetNetMode() : NM_Standalone;
	if (!Session || !NetClock::IsLibraryUsable())
	{
		return TEXT("There is nothing to record without the NetClock library. See the log for the reason.");
	}
	if (Mode == NM_DedicatedServer || Mode == NM_ListenServer)
	{
		return TEXT("This is the server, whose clock does not follow another clock. Record on a client.");
	}
	if (Recorder.IsValid() && Recorder->IsOpen())
	{
		return FString::Printf(TEXT("There is already a recording to %s"), *Recorder->GetFile());
	}
	static_cast<void>(Stop());
	FString Message;
	Recorder = FNetClockRecorder::Open(Name, Message);
	if (!Recorder.IsValid())
	{
		return Message;
	}
	FrameEndedHandle =
		UNetClockSubsystem::OnFrameEnded.AddUObject(this, &UNetClockRecording::OnFrameEnded);
	EndingHandle = Session->OnEnding.AddUObject(this, &UNetClockRecording::OnEnding);
	Segment.Reset();
	Exchanges = StartTicks = 0;
	AuthorityEpoch = AuthorityTimescale = 0;
	Follow(*Session);
	return Message;
}

FString UNetClockRecording::Stop()
{
	if (!Recorder.IsValid())
	{
		return TEXT("Nothing is being recorded.");
	}
	UNetClockSubsystem::OnFrameEnded.Remove(FrameEndedHandle);
	UNetClockSession* Session =
		GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	if (Session)
	{
		Session->OnEnding.Remove(EndingHandle);
		Unfollow(*Session);
	}
	const bool bWhole = !Recorder->IsOpen() || Recorder->Close();
	const FString Message = FString::Printf(TEXT("%s%s"), *Describe(),
		bWhole ? TEXT("") : TEXT(", which is not complete. Is the disk full?"));
	Recorder.Reset();
	return Message;
}

FString UNetClockRecording::Describe() const
{
	return Recorder.IsValid()
		? FString::Printf(TEXT("%lld exchanges in %s"), Exchanges, *Recorder->GetFile())
		: FString();
}

void UNetClockRecording::Follow(UNetClockSession& Session)
{
	if (!Session.GetGuest())
	{
		return;
	}
	Generation = Session.GetGeneration();
	// If the file contains no exchanges, reuse it for the next clock.
	if (Exchanges > 0)
	{
		Recorder->BeginNextClock();
		Exchanges = 0;
		AuthorityEpoch = AuthorityTimescale = 0;
	}
	if (!Tap.IsValid())
	{
		Tap = MakeShared<FNetClockTap>();
	}
	netclock::guest_client Clock = Session.GetGuest()->clock();
	static_cast<void>(netclock::on_sample(Clock, &OnTap, Tap.Get()));
	RecordNews(Session);
}

void UNetClockRecording::Unfollow(UNetClockSession& Session)
{
	if (Session.GetGuest() && Generation != 0)
	{
		netclock::guest_client Clock = Session.GetGuest()->clock();
		static_cast<void>(netclock::on_sample(Clock, nullptr, nullptr));
	}
	RecordExchanges();
	Generation = 0;
}

// The guest is about to be destroyed or replaced.
void UNetClockRecording::OnEnding(UNetClockSession& Session)
{
	Unfollow(Session);
}

void UNetClockRecording::OnFrameEnded(UWorld* World)
{
	UNetClockSession* Session = UNetClockSession::Of(World);
	if (World->GetGameInstance() != GetGameInstance() || !Session || !Session->GetGuest())
	{
		return;
	}
	if (Generation != Session->GetGeneration())
	{
		Follow(*Session);
	}
	RecordExchanges();
	RecordNews(*Session);
}

void UNetClockRecording::RecordExchanges()
{
	if (!Tap.IsValid())
	{
		return;
	}
	for (const netclock_sample& Sample : Tap->Take())
	{
		Exchanges += Recorder->IsOpen() ? 1 : 0;
		Recorder->Add(
			FString::Printf(TEXT("%d,%llu,%llu,%lld,%lld,%lld,%lld,%d,%u,%u\n"), Sample.status,
				static_cast<uint64>(Sample.id), static_cast<uint64>(Sample.epoch),
				static_cast<int64>(Sample.client_sent), static_cast<int64>(Sample.server_received),
				static_cast<int64>(Sample.server_sent), static_cast<int64>(Sample.client_received),
				Sample.path, Sample.server_wait, Sample.client_wait),
			Sample.client_received);
	}
}

void UNetClockRecording::RecordNews(UNetClockSession& Session)
{
	const netclock::guest& Guest = *Session.GetGuest();
	const int64 Now = NetClock::LocalTicks();
	const auto Known = netclock::authority_of(Guest.clock(), NetClock::LocalTime(Now));
	if (Known && (Known->epoch != AuthorityEpoch || Known->timescale != AuthorityTimescale))
	{
		AuthorityEpoch = Known->epoch;
		AuthorityTimescale = Known->timescale;
		Recorder->Add(FString::Printf(TEXT("authority,%lld,%llu,%llu,%lld\n"), Now, AuthorityEpoch,
						  AuthorityTimescale, static_cast<int64>(Known->dispersion.count())),
			Now);
	}
	if (const auto Newest = Guest.segment(0))
	{
		const TArray<uint8> Bytes(
			reinterpret_cast<const uint8*>(Newest->data()), static_cast<int32>(Newest->size()));
		bool bSame = Segment.Num() == Bytes.Num();
		for (int32 At = 0; bSame && At < SegmentPart; ++At)
		{
			bSame = Bytes[At] == Segment[At];
		}
		if (!bSame)
		{
			Segment = Bytes;
			FString Hex;
			for (const uint8 Byte : Bytes)
			{
				Hex = FString::Printf(TEXT("%s%02x"), *Hex, Byte);
			}
			Recorder->Add(FString::Printf(TEXT("segment,%lld,%s\n"), Now, *Hex), Now);
		}
	}
	const auto Told = Guest.start();
	const bool bAnnounced = Told && Told->stage == netclock::stage::announced;
	const int64 AtTicks = bAnnounced ? NetClock::TicksOf(Told->at) : 0;
	const bool bCalledOff = Told && Told->stage == netclock::stage::waiting && StartTicks != 0;
	if ((bAnnounced && AtTicks != StartTicks) || bCalledOff)
	{
		// INT64_MIN means that the start with this version was cancelled.
		Recorder->Add(FString::Printf(TEXT("start,%lld,%u,%llu,%lld\n"), Now, Told->version,
						  static_cast<uint64>(Session.ReadClient(Now).ServerEpoch),
						  bCalledOff ? INT64_MIN : AtTicks),
			Now);
	}
	StartTicks = AtTicks;
}
