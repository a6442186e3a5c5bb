// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

public class NetClock : ModuleRules
{
	public NetClock(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// Allows headers to be included by their path in Public or Private, such as "Clock/NetClockMemory.h".
		PrivateIncludePaths.Add(Path.Combine(ModuleDirectory, "Private"));

		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "DeveloperSettings", "Engine" });

		// Needed to find the plugin's folder, from which the library is loaded.
		PrivateDependencyModuleNames.Add("Projects");

		// Without a library for the platform, a project still builds and uses the engine's clock.
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
