// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

public class NetClockSample : ModuleRules
{
	public NetClockSample(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// A game that only reads the time in C++ just needs "NetClock". "NetClockGame" adds starts and event
		// order.
		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "Engine", "InputCore", "NetClock", "NetClockGame" });
	}
}
