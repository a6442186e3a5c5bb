// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

/// <summary>Automation specs for the editor. The module is built and loaded only there, so games do not ship
/// it.</summary>
public class NetClockTests : ModuleRules
{
	public NetClockTests(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// UnrealEd is for play in the editor.
		PrivateDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "Engine", "NetClock", "NetClockLibrary", "UnrealEd" });

		// A game may leave these modules out.
		UseIfThere("NetClockGame", "WITH_NETCLOCK_GAME");
		UseIfThere("NetClockPeers", "WITH_NETCLOCK_PEERS");
	}

	private void UseIfThere(string Name, string Definition)
	{
		bool bThere = Directory.Exists(Path.Combine(ModuleDirectory, "..", Name));
		PrivateDefinitions.Add(Definition + "=" + (bThere ? "1" : "0"));
		if (bThere)
		{
			PrivateDependencyModuleNames.Add(Name);
		}
	}
}
