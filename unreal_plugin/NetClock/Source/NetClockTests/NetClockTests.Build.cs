// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

/// <summary>Automation specs for the editor. The module is built and loaded there only, so that no game ships
/// it.</summary>
public class NetClockTests : ModuleRules
{
	public NetClockTests(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// UnrealEd is for play in the editor.
		PrivateDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "Engine", "NetClock", "UnrealEd" });

		// A game may leave that module out.
		bool bPeers = Directory.Exists(Path.Combine(ModuleDirectory, "..", "NetClockPeers"));
		PrivateDefinitions.Add("WITH_NETCLOCK_PEERS=" + (bPeers ? "1" : "0"));
		if (bPeers)
		{
			PrivateDependencyModuleNames.Add("NetClockPeers");
		}
	}
}
