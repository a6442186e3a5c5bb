// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

/// <summary> Peers without a server, their relay, and host migration. NetClock itself does not use this
/// module. If your game does not need it, delete this folder, the module's entry in NetClock.uplugin, and the
/// tests that use the module. </summary>
public class NetClockPeers : ModuleRules
{
	public NetClockPeers(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "NetClock" });

		// Defines WITH_NETCLOCK_LIBRARY and provides the C headers.
		PrivateDependencyModuleNames.Add("NetClockLibrary");
	}
}
