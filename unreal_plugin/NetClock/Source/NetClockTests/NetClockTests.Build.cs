// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>Automation specs for the editor. The module is built and loaded there only, so that no game ships
/// it.</summary>
public class NetClockTests : ModuleRules
{
	public NetClockTests(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// UnrealEd is for play in the editor.
		PrivateDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "NetClock", "UnrealEd" });
	}
}
