// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System.IO;
using UnrealBuildTool;

/// <summary>Automation specs for the editor. This module is only built and loaded in the editor, so games do
/// not ship it.</summary>
public class NetClockTests : ModuleRules
{
	public NetClockTests(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		bUseUnity = false;

		// UnrealEd is needed for Play In Editor.
		PrivateDependencyModuleNames.AddRange(
			new string[] { "Core", "CoreUObject", "Engine", "NetClock", "UnrealEd" });

		// A game may leave out these modules.
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
