// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary> The debugging tools, which are a graph, statistics, console commands and a gameplay debugger
/// category. They only use NetClock's public headers and, for recordings, the library. Shipping builds only
/// contain the console commands. </summary>
public class NetClockDebug : ModuleRules
{
	public NetClockDebug(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		PrivateDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "NetClock" });
		PrivateDependencyModuleNames.Add("NetClockLibrary");
		// SceneView.h includes headers of these modules.
		PrivateDependencyModuleNames.AddRange(new string[] { "RenderCore", "RHI" });
		// The gameplay debugger's headers use keys.
		PrivateDependencyModuleNames.Add("InputCore");

		// Defines WITH_GAMEPLAY_DEBUGGER. It is 0 in Shipping and Test builds, which do not have the
		// debugger.
		SetupGameplayDebuggerSupport(Target);
	}
}
