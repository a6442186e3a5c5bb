// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>Nodes and events for starts, beats, event order, cheat detection and latency.</summary>
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
