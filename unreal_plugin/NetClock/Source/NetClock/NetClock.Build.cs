// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

public class NetClock : ModuleRules
{
	public NetClock(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// Headers lie in folders, and are included with them: "Clock/NetClockSubsystem.h", from Public or
		// Private.
		PrivateIncludePaths.Add(Path.Combine(ModuleDirectory, "Private"));

		PublicDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "DeveloperSettings", "Engine" });

		// Where the plugin is, to load its library from there.
		PrivateDependencyModuleNames.Add("Projects");

		// Defines WITH_NETCLOCK_LIBRARY: 0 where there is no library for the platform, so that a project
		// still builds and keeps the engine's own clock.
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
