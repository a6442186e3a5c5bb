// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>Starts, beats, order, the watch over players' clocks, and latency: nodes and events for the
/// library's results.</summary>
public class NetClockGame : ModuleRules
{
	public NetClockGame(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "DeveloperSettings", "Engine", "NetClock" });
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
