// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>
/// Gameplay effects on the server's world time. A plugin of its own, because a game without Gameplay
/// Abilities must not have to build them.
/// </summary>
public class NetClockGAS : ModuleRules
{
	public NetClockGAS(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// In the public headers: tags and handles of effects, as pins of Blueprint nodes.
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine",
			"GameplayAbilities", "GameplayTags", "NetClock" });

		// The headers of Gameplay Abilities include some of this module.
		PrivateDependencyModuleNames.Add("GameplayTasks");
	}
}
