// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Exchange/NetClockExchange.h"

class FNetClockRateWatch;

/** Server: watches the clock of one player from its first probe on. */
class FNetClockPlayerWatch : public FNetClockSubject
{
public:
	static constexpr ENetClockSubject Subject = ENetClockSubject::Watch;
	using FNetClockSubject::FNetClockSubject;

	void OnProbe(const FNetClockProbe& Probe) override;

	/** Ignores what arrives in the next seconds, an hour at most, as evidence, and drops the findings of the
	 * last minute. */
	void Excuse(double Seconds);

	FNetClockVerdict GetVerdict() const;

	/** True once for each new finding. */
	bool TakeFinding(FNetClockVerdict& Verdict);

private:
	TSharedPtr<FNetClockRateWatch> Watch;
	int32 TakenFindings = 0;
};
