// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System;
using System.Collections.Generic;
using System.IO;
using UnrealBuildTool;

/// <summary>
/// The prebuilt NetClock library. README.md in this folder lists its files and how to build them.
///
/// A module that depends on this one includes NetClockCLibrary.h. WITH_NETCLOCK_LIBRARY is 1 if there is a
/// library for the target's platform and processors, otherwise 0. WITH_NETCLOCK_LINK is 1 if it has its
/// feature `link`. Missing functions are replaced with functions that return an error.
///
/// For other platforms, derive a class from this one in the platform's extension, and override the protected
/// functions.
/// </summary>
public class NetClockLibrary : ModuleRules
{
	/// <summary>The ABI version at the end of the shared libraries' names. A test compares it with
	/// netclock.h.</summary>
	private const string AbiVersion = "1";

	/// <summary>For platforms with a shared library: the file that the game loads, and the file for the
	/// linker. The folder below lib has the platform's name. On macOS one file is for both processors, and
	/// its install name begins with @rpath.</summary>
	private static readonly Dictionary<UnrealTargetPlatform, string[]> Shared =
		new Dictionary<UnrealTargetPlatform, string[]>
		{
			{ UnrealTargetPlatform.Win64, new[] { "netclock.dll", "netclock.dll.lib" } },
			{ UnrealTargetPlatform.Linux, new[] { "libnetclock.so." + AbiVersion, "libnetclock.so" } },
			{ UnrealTargetPlatform.LinuxArm64, new[] { "libnetclock.so." + AbiVersion, "libnetclock.so" } },
			{ UnrealTargetPlatform.Mac,
				new[] { "libnetclock." + AbiVersion + ".dylib", "libnetclock." + AbiVersion + ".dylib" } },
		};

	/// <summary>The targets whose message was printed. A project has several targets, and only the first of
	/// each kind prints it.</summary>
	private static readonly HashSet<string> Said = new HashSet<string>();

	public NetClockLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;

		List<string> Folders = FoldersFor(Target);
		string Missing = FirstMissing(Target, Folders);
		bool bFound = Folders.Count > 0 && Missing == null;
		PublicDefinitions.Add("WITH_NETCLOCK_LIBRARY=" + (bFound ? "1" : "0"));
		PublicDefinitions.Add("WITH_NETCLOCK_LINK=" + (bFound && HasLink(Target) ? "1" : "0"));
		PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "null"));
		if (bFound)
		{
			PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));
			foreach (string Folder in Folders)
			{
				AddLibrary(Target, Folder);
			}
			AddPrivacyManifest(Target);
		}
		else if (Said.Add(NameOf(Target)))
		{
			string Reason = Folders.Count > 0
				? Missing + " is missing. README.md in " + ModuleDirectory + " says how to build it"
				: "there is no library for it";
			Console.WriteLine("NetClock for {0}: {1}. The plugin compiles without a library and leaves the " +
							  "engine's clock as it is.",
				NameOf(Target), Reason);
		}
	}

	/// <summary>
	/// Returns the folders below lib, one for each processor of the target. Empty if there is no library for
	/// one of them, because a library for a different processor would not link.
	/// </summary>
	protected virtual List<string> FoldersFor(ReadOnlyTargetRules Target)
	{
		List<string> Folders = new List<string>();
		if (Shared.ContainsKey(Target.Platform))
		{
			if (Target.Platform != UnrealTargetPlatform.Win64 || IsX64(Target))
			{
				Folders.Add(Target.Platform.ToString());
			}
		}
		else if (Target.Platform == UnrealTargetPlatform.IOS)
		{
			Folders.Add(IsSimulator(Target) ? "IOSSimulator" : "IOS");
		}
		else if (Target.Platform == UnrealTargetPlatform.Android)
		{
			// One package can contain several processors. Each linker gets the libraries of its own folder.
			string Arm64 = Path.Combine("Android", "arm64-v8a");
			string X64 = Path.Combine("Android", "x86_64");
#if UE_5_2_OR_LATER
			if (Target.Architectures.Contains(UnrealArch.Arm64))
			{
				Folders.Add(Arm64);
			}
			if (Target.Architectures.Contains(UnrealArch.X64))
			{
				Folders.Add(X64);
			}
#else
			// The target does not state its processors. Phones have the first, emulators the second.
			Folders.Add(Arm64);
			if (IsThere(LibraryFile(X64, "libnetclock.a")))
			{
				Folders.Add(X64);
			}
#endif
		}
		return Folders;
	}

	/// <summary> Returns true if a file exists. Unreal Build Tool runs again when the file changes, so it
	/// also detects a library that is added later.</summary>
	private bool IsThere(string Name)
	{
		ExternalDependencies.Add(Name);
		return File.Exists(Name);
	}

	private static bool IsX64(ReadOnlyTargetRules Target)
	{
#if UE_5_2_OR_LATER
		return Target.Architecture == UnrealArch.X64;
#else
		return !(Target.Architecture ?? "").ToLowerInvariant().Contains("arm");
#endif
	}

	private static bool IsSimulator(ReadOnlyTargetRules Target)
	{
#if UE_5_2_OR_LATER
		return Target.Architecture == UnrealArch.IOSSimulator;
#else
		return Target.Architecture == "-simulator";
#endif
	}

	/// <summary>Returns the platform, and the processors if the target states them, for messages.</summary>
	private static string NameOf(ReadOnlyTargetRules Target)
	{
#if UE_5_2_OR_LATER
		return Target.Platform + " (" + Target.Architectures + ")";
#else
		return string.IsNullOrEmpty(Target.Architecture) ? Target.Platform.ToString()
														 : Target.Platform + " (" + Target.Architecture + ")";
#endif
	}

	/// <summary>Returns the first file that does not exist, or null.</summary>
	private string FirstMissing(ReadOnlyTargetRules Target, List<string> Folders)
	{
		List<string> Files = new List<string>();
		Files.Add(Path.Combine(ModuleDirectory, "include", "netclock", "netclock.h"));
		foreach (string Folder in Folders)
		{
			Files.Add(LibraryFile(Folder, LinkedName(Target)));
			string Loaded = LoadedName(Target);
			if (Loaded != null)
			{
				Files.Add(LibraryFile(Folder, Loaded));
			}
		}
		// All files are checked, so that the build tool watches all of them.
		List<string> Missing = Files.FindAll(Name => !IsThere(Name));
		return Missing.Count > 0 ? Missing[0] : null;
	}

	/// <summary>Returns true if the library was built with its feature `link`. Remove the header
	/// netclock_link.h if it was not.</summary>
	protected virtual bool HasLink(ReadOnlyTargetRules Target)
	{
		return IsThere(Path.Combine(ModuleDirectory, "include", "netclock", "netclock_link.h"));
	}

	/// <summary>Returns the file for the linker.</summary>
	protected virtual string LinkedName(ReadOnlyTargetRules Target)
	{
		return Shared.ContainsKey(Target.Platform) ? Shared[Target.Platform][1] : "libnetclock.a";
	}

	/// <summary>Returns the file that the game loads, which is staged into its package. Null where the
	/// library is linked into the game.</summary>
	protected virtual string LoadedName(ReadOnlyTargetRules Target)
	{
		return Shared.ContainsKey(Target.Platform) ? Shared[Target.Platform][0] : null;
	}

	protected virtual void AddLibrary(ReadOnlyTargetRules Target, string Folder)
	{
		PublicAdditionalLibraries.Add(LibraryFile(Folder, LinkedName(Target)));
		string Loaded = LoadedName(Target);
		if (Loaded == null)
		{
			return;
		}
		RuntimeDependencies.Add(LibraryFile(Folder, Loaded));
		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			// The module loads the DLL from the plugin's directory, so that a missing DLL results in a log
			// message. Otherwise Windows would fail to load the module without a reason.
			PublicDelayLoadDLLs.Add(Loaded);
		}
		else
		{
			// The path, relative to the binary, in which the loader searches.
			PublicRuntimeLibraryPaths.Add(LibraryDirectory(Folder));
		}
	}

	/// <summary>
	/// Adds the library's privacy manifest to the app, because Apple requires a reason why an app reads the
	/// time since the device started. It is a separate bundle, since a static library cannot contain it.
	/// README.md explains what to do if it is missing.</summary>
	private void AddPrivacyManifest(ReadOnlyTargetRules Target)
	{
		string Bundle = LibraryFile("IOS", "NetClockPrivacy.bundle");
		if (Target.Platform == UnrealTargetPlatform.IOS &&
			IsThere(Path.Combine(Bundle, "PrivacyInfo.xcprivacy")))
		{
			AdditionalBundleResources.Add(new BundleResource(Bundle, ""));
		}
	}

	protected string LibraryDirectory(string Folder)
	{
		return Path.Combine(ModuleDirectory, "lib", Folder);
	}

	protected string LibraryFile(string Folder, string Name)
	{
		return Path.Combine(LibraryDirectory(Folder), Name);
	}
}
