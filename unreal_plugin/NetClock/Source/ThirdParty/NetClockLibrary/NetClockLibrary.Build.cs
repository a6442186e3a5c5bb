// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System;
using System.IO;
using UnrealBuildTool;

/// <summary>
/// The NetClock library, built beforehand. README.md beside this file lists its files and how to make them.
///
/// A module that depends on this one gets the definition WITH_NETCLOCK_LIBRARY. It is 1, with a netclock.h to include, if
/// there is a library for the target's platform, otherwise 0.
/// </summary>
public class NetClockLibrary : ModuleRules
{
	/// <summary>The ABI version at the end of the shared libraries' names. A test compares it with netclock.h.</summary>
	private const string AbiVersion = "1";

	/// <summary>A project has several targets, and only the first prints the message.</summary>
	private static bool bSaidWhatIsMissing = false;

	public NetClockLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;

		bool bFound = AddLibrary(Target);
		PublicDefinitions.Add("WITH_NETCLOCK_LIBRARY=" + (bFound ? "1" : "0"));
		if (bFound)
		{
			PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));
		}
		else if (!bSaidWhatIsMissing)
		{
			bSaidWhatIsMissing = true;
			Console.WriteLine(
				"NetClock: no library for {0} in {1}. The plugin compiles without it and leaves the engine's clock as "
				+ "it is. To use NetClock's, run `cargo xtask plugin --project <this project> --release` on {0}, and "
				+ "build again.",
				Target.Platform, LibraryDirectory(Target.Platform.ToString()));
		}
	}

	/// <summary>True if all files for the platform exist. They are then part of the build.</summary>
	private bool AddLibrary(ReadOnlyTargetRules Target)
	{
		if (!File.Exists(Path.Combine(ModuleDirectory, "include", "netclock", "netclock.h")))
		{
			return false;
		}
		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			return AddWindows("Win64");
		}
		if (Target.Platform == UnrealTargetPlatform.Linux)
		{
			return AddLinux("Linux");
		}
		if (Target.Platform == UnrealTargetPlatform.LinuxArm64)
		{
			return AddLinux("LinuxArm64");
		}
		if (Target.Platform == UnrealTargetPlatform.Mac)
		{
			return AddMac("Mac");
		}
		if (Target.Platform == UnrealTargetPlatform.IOS)
		{
			return AddArchive("IOS");
		}
		if (Target.Platform == UnrealTargetPlatform.Android)
		{
			// One package can contain several architectures. Each linker gets the libraries below its own directory.
			bool bArm64 = AddArchive(Path.Combine("Android", "arm64-v8a"));
			bool bX64 = AddArchive(Path.Combine("Android", "x86_64"));
			return bArm64 || bX64;
		}
		return false;
	}

	/// <summary>
	/// The module loads the DLL itself, from the plugin's directory. So a missing DLL gives a message in the log. Otherwise
	/// Windows would refuse to load the module without a reason.
	/// </summary>
	private bool AddWindows(string Platform)
	{
		string Import = LibraryFile(Platform, "netclock.dll.lib");
		string Shared = LibraryFile(Platform, "netclock.dll");
		if (!File.Exists(Import) || !File.Exists(Shared))
		{
			return false;
		}
		PublicAdditionalLibraries.Add(Import);
		PublicDelayLoadDLLs.Add("netclock.dll");
		RuntimeDependencies.Add(Shared);
		return true;
	}

	/// <summary>The linker uses the name without the version, the loader the name with it.</summary>
	private bool AddLinux(string Platform)
	{
		string Linked = LibraryFile(Platform, "libnetclock.so");
		string Loaded = LibraryFile(Platform, "libnetclock.so." + AbiVersion);
		if (!File.Exists(Linked) || !File.Exists(Loaded))
		{
			return false;
		}
		PublicAdditionalLibraries.Add(Linked);
		// The path, relative to the binary, where the loader looks for it.
		PublicRuntimeLibraryPaths.Add(LibraryDirectory(Platform));
		RuntimeDependencies.Add(Loaded);
		return true;
	}

	/// <summary>Its install name begins with @rpath.</summary>
	private bool AddMac(string Platform)
	{
		string Shared = LibraryFile(Platform, "libnetclock." + AbiVersion + ".dylib");
		if (!File.Exists(Shared))
		{
			return false;
		}
		PublicAdditionalLibraries.Add(Shared);
		PublicRuntimeLibraryPaths.Add(LibraryDirectory(Platform));
		RuntimeDependencies.Add(Shared);
		return true;
	}

	private bool AddArchive(string Platform)
	{
		string Archive = LibraryFile(Platform, "libnetclock.a");
		if (!File.Exists(Archive))
		{
			return false;
		}
		PublicAdditionalLibraries.Add(Archive);
		return true;
	}

	private string LibraryDirectory(string Platform)
	{
		return Path.Combine(ModuleDirectory, "lib", Platform);
	}

	private string LibraryFile(string Platform, string Name)
	{
		return Path.Combine(LibraryDirectory(Platform), Name);
	}
}
