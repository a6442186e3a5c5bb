// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The part of netclock.h that is about the world's clocks.

#include "NetClockWorldBackend.h"

#include "NetClockBackend.h"
#include "NetClockLog.h"

#if WITH_NETCLOCK_LIBRARY

#else // WITH_NETCLOCK_LIBRARY

// The null backend: no world's time is ever known.

TSharedPtr<FNetClockPublisher> FNetClockPublisher::Create(int64, int32) { return nullptr; }
FNetClockPublisher::~FNetClockPublisher() { check(Handle == nullptr); }
bool FNetClockPublisher::Observe(int64, double, double, FNetClockWorldSegment&) { return false; }
TSharedPtr<FNetClockTimeline> FNetClockTimeline::Create() { return nullptr; }
FNetClockTimeline::~FNetClockTimeline() { check(Handle == nullptr); }
bool FNetClockTimeline::Insert(const FNetClockWorldSegment&) { return false; }
void FNetClockTimeline::Confirm(int64, int32, int32, int64) {}
FNetClockWorldReading FNetClockTimeline::Show(const FNetClockStatus&) { return FNetClockWorldReading(); }
bool FNetClockTimeline::WorldAt(int64, int64, double&) const { return false; }
bool FNetClockTimeline::RealAt(double, int64&) const { return false; }

#endif // WITH_NETCLOCK_LIBRARY
