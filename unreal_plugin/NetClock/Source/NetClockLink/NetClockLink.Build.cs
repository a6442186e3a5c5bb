// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>The link, which sends NetClock's own datagrams alongside the game's connection.</summary>
public class NetClockLink : ModuleRules
{
	public NetClockLink(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "DeveloperSettings", "Engine", "NetClock" });
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
