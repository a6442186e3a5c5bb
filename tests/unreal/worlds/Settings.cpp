// Each project setting must have its documented effect, and values out of range must not be used.
#include "NetClock/Game/NetClockGameSettings.h"
#include "NetClock/Link/NetClockLinkSettings.h"
#include "Scenarios.h"
#if WITH_NETCLOCK_LINK
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"
#endif

namespace Scenarios
{
	struct FPlayed : FProject, FDuo
	{
		FPlayed(uint64 Seed, const std::string& Lines) :
			FProject(Lines), FDuo(Seed + 30, Link(25, 4, 0.01, 0))
		{
		}
	};

	static void ProbeRate(uint64 Seed)
	{
		for (const double Rate : {2.0, 16.0})
		{
			FPlayed Played(Seed, "ProbesPerSecond=" + std::to_string(Rate));
			Played.Run(10);
			const int32 Before = Played.Peer.CallsUp;
			Played.Run(10);
			ExpectNear((Played.Peer.CallsUp - Before) / 10.0, Rate, Rate * 0.3, "probes a second");
		}
	}

	static void Converted(uint64)
	{
#if WITH_NETCLOCK_LINK
		const FProject Project("ProbesPerSecond=16\nTargetBoundMs=5\nStepThresholdMs=50\nMaxSlewPercent=40\n"
							   "MaxDriftPpm=1000");
		const UNetClockSettings& Settings = UNetClockSettings::Get();
		const netclock::config Config = NetClock::ConfigOf(Settings);
		Expect(Config.steady_interval.count() == 625000, "sixteen exchanges a second");
		Expect(Config.target_bound.count() == 50000, "the target bound");
		Expect(Config.step_threshold.count() == 500000, "the step threshold");
		ExpectNear(Config.max_slew, 0.4, 1e-6, "the maximum slew");
		ExpectNear(Config.client_drift_ppm, 500, 1e-9, "half of the drift is for this machine");
		ExpectNear(Config.server_drift_ppm, 500, 1e-9, "half of the drift is for the server");
		Expect(NetClock::HostConfigOf(Settings).utc_drift_ppm == 501, "the drift of UTC, rounded up");
#endif
	}

	/** Clients learn after 25 ms that the world runs eight times as fast. By then, the world has gained 175
	 * ms. */
	static void FastForward(uint64 Seed)
	{
		for (const bool bTold : {true, false})
		{
			FPlayed Played(Seed + 7, bTold ? "MaxUnannouncedDilation=8" : "");
			Played.Run(3);
			for (int32 Change = 0; Change < 20; ++Change)
			{
				Played.Server->World->Settings->TimeDilation = Change % 2 == 0 ? 8.0f : 1.0f;
				Played.Run(1);
			}
			const int32 Outside = Played.Peer.Judged.OutsideBound;
			Expect(bTold ? Outside == 0 : Outside > 0, "frames outside the bound of the world time", Outside);
		}
	}

	template <class T> static void OutOfRange(const std::string& Page, int32 Wanted)
	{
		int32 Numbers = 0;
		for (const FDoubleProperty& Property : T::StaticClass()->Properties)
		{
			if (!Property.Parse || !*Property.ClampMin) { continue; }
			++Numbers;
			const std::string Name = Property.Name;
			for (const std::string Bad : {"-1e9", "1e9", "nan"})
			{
				const bool bWhole = Name == "LinkPort" || Name == "LinkPortCount";
				const FProject Project(Name + "=" + (bWhole ? (Bad == "1e9" ? "1000000" : "-5") : Bad), Page);
				const int32 Warnings = FDouble::State.Warnings;
				const T* Settings = &T::Get();
				T::Get();
				Expect(FDouble::State.Warnings == Warnings + 1, Name + "=" + Bad + " is logged once");
				std::unique_ptr<UObject> Limit(T::StaticClass()->Make());
				Property.Parse(Limit.get(), Bad == "1e9" ? Property.ClampMax : Property.ClampMin);
				Expect(Property.Equal(Settings, Limit.get()),
					Name + "=" + Bad + " is clamped to the limit of the page");
			}
		}
		const int32 Warnings = FDouble::State.Warnings;
		Expect(T::Get().GetCategoryName() == FName(TEXT("Plugins")), "the page is in the category Plugins");
		Expect(FDouble::State.Warnings == Warnings, "all numbers are in range by default");
		Expect(Numbers == Wanted, Page + ": number of settings", Numbers);
	}

	SCENARIO(Settings, Tools)
	{
		for (const auto Part : {ProbeRate, Converted, FastForward})
		{
			FDouble::CollectAll();
			Part(Seed);
		}
		OutOfRange<UNetClockSettings>("NetClock.NetClockSettings", 6);
		OutOfRange<UNetClockGameSettings>("NetClockGame.NetClockGameSettings", 4);
		OutOfRange<UNetClockLinkSettings>("NetClockLink.NetClockLinkSettings", 3);
	}
}
