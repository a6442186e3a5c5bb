// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary>
/// The tools that show the clock: graph, statistics, console commands, gameplay debugger. They use the public
/// headers of NetClock only, and the library for recordings. In Shipping builds only the console commands are
/// left.
/// </summary>
public class NetClockDebug : ModuleRules
{
	public NetClockDebug(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		PrivateDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "NetClock" });
		PrivateDependencyModuleNames.Add("NetClockLibrary");
		// For the headers that SceneView.h includes.
		PrivateDependencyModuleNames.AddRange(new string[] { "RenderCore", "RHI" });
		// For the keys in the headers of the gameplay debugger.
		PrivateDependencyModuleNames.Add("InputCore");

		// Defines WITH_GAMEPLAY_DEBUGGER, which is 0 in Shipping and Test, where there is no debugger.
		SetupGameplayDebuggerSupport(Target);
	}
}
