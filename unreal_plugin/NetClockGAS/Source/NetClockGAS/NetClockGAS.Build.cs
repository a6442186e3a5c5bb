// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary> Gameplay effects on the server's world time. This is a separate plugin, so games without
/// Gameplay Abilities do not have to build it. </summary>
public class NetClockGAS : ModuleRules
{
	public NetClockGAS(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// The public headers use these modules: tags and handles of effects are pins of Blueprint nodes.
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine",
			"GameplayAbilities", "GameplayTags", "NetClock" });

		// The headers of Gameplay Abilities include some of this module.
		PrivateDependencyModuleNames.Add("GameplayTasks");
	}
}
