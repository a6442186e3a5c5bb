// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

public class NetClock : ModuleRules
{
	public NetClock(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// Include headers by their path in Public or Private, as in "Clock/NetClockMemory.h".
		PrivateIncludePaths.Add(Path.Combine(ModuleDirectory, "Private"));

		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "DeveloperSettings", "Engine" });

		// Needed to find the plugin's folder, because the library is loaded from there.
		PrivateDependencyModuleNames.Add("Projects");

		// If there is no library for the platform, a project still builds and uses the engine's clock.
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
