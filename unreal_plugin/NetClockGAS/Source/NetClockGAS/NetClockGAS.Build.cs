// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary> Keeps gameplay effects on the server's world time. This is a separate plugin so that games
/// without Gameplay Abilities do not have to build it. </summary>
public class NetClockGAS : ModuleRules
{
	public NetClockGAS(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// The public headers use these modules, because Blueprint nodes have pins for tags and effect
		// handles.
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine",
			"GameplayAbilities", "GameplayTags", "NetClock" });

		// The headers of Gameplay Abilities include this module's headers.
		PrivateDependencyModuleNames.Add("GameplayTasks");
	}
}
