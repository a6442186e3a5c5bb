// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

public class NetClockSample : ModuleRules
{
	public NetClockSample(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// "NetClock" is all that a game needs for the time in C++. "NetClockGame" contains starts and order.
		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "Engine", "InputCore", "NetClock", "NetClockGame" });
	}
}
