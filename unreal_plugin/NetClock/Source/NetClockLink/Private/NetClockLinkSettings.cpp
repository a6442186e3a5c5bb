// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Link/NetClockLinkSettings.h"

#include "NetClock/Clock/NetClockSettings.h"

const UNetClockLinkSettings& UNetClockLinkSettings::Get()
{
	UNetClockLinkSettings& Settings = *GetMutableDefault<UNetClockLinkSettings>();
	NetClock::Limit(Settings.LinkPort, 0, 65535, TEXT("LinkPort"));
	NetClock::Limit(Settings.LinkPortCount, 1, 1000, TEXT("LinkPortCount"));
	NetClock::Limit(
		Settings.ProbeIntervalBesideLinkSeconds, 0.05f, 60.0f, TEXT("ProbeIntervalBesideLinkSeconds"));
	return Settings;
}
