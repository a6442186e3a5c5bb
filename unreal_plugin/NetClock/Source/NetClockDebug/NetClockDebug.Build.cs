// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary> The debugging tools, which are a graph and console commands. They only use NetClock's public
/// headers and, for recordings, the library. Shipping builds do not contain the graph. </summary>
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
	}
}
