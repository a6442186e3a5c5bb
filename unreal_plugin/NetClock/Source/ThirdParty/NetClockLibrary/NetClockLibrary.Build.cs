// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using System;
using System.Collections.Generic;
using System.IO;
using UnrealBuildTool;

/// <summary>
/// The prebuilt NetClock library. README.md in this folder lists its files and how to build them.
///
/// Modules that depend on this one include NetClockCLibrary.h. WITH_NETCLOCK_LIBRARY is 1 if there is a
/// library for the target's platform and processors, and 0 otherwise. WITH_NETCLOCK_LINK is 1 if the library
/// was built with the `link` feature. Any missing functions are replaced with functions that return an error.
///
/// For other platforms, derive a class from this one in the platform extension, and override the protected
/// functions. </summary>
public class NetClockLibrary : ModuleRules
{
	/// <summary>The ABI version at the end of the shared libraries' names. A test compares it with
	/// netclock.h.</summary>
	private const string AbiVersion = "1";

	/// <summary>For platforms with a shared library: the file that the game loads, and the file that the
	/// linker reads. The folder in lib is named after the platform. On macOS, one universal library covers
	/// both processors, and its install name begins with @rpath.</summary>
	private static readonly Dictionary<UnrealTargetPlatform, string[]> Shared =
		new Dictionary<UnrealTargetPlatform, string[]>
		{
			{ UnrealTargetPlatform.Win64, new[] { "netclock.dll", "netclock.dll.lib" } },
			{ UnrealTargetPlatform.Linux, new[] { "libnetclock.so." + AbiVersion, "libnetclock.so" } },
			{ UnrealTargetPlatform.LinuxArm64, new[] { "libnetclock.so." + AbiVersion, "libnetclock.so" } },
			{ UnrealTargetPlatform.Mac,
				new[] { "libnetclock." + AbiVersion + ".dylib", "libnetclock." + AbiVersion + ".dylib" } },
		};

	/// <summary>The messages that have already been printed. A project has several targets, and each message
	/// is only printed for the first target that it applies to.</summary>
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

	/// <summary> Returns the folders in lib, one for each of the target's processors. The result is empty if
	/// the library is missing for any of them, because a library for a different processor would not link.
	protected virtual List<string> FoldersFor(ReadOnlyTargetRules Target)
	{
		List<string> Folders = new List<string>();
		if (Shared.ContainsKey(Target.Platform))
		{
			if (Target.Platform != UnrealTargetPlatform.Win64 || Target.Architecture == UnrealArch.X64)
			{
				Folders.Add(Target.Platform.ToString());
			}
		}
		else if (Target.Platform == UnrealTargetPlatform.IOS)
		{
			Folders.Add(Target.Architecture == UnrealArch.IOSSimulator ? "IOSSimulator" : "IOS");
		}
		else if (Target.Platform == UnrealTargetPlatform.Android)
		{
			// A package can target several processors. Each linker uses the libraries in its processor's
			// folder.
			if (Target.Architectures.Contains(UnrealArch.Arm64))
			{
				Folders.Add(Path.Combine("Android", "arm64-v8a"));
			}
			if (Target.Architectures.Contains(UnrealArch.X64))
			{
				Folders.Add(Path.Combine("Android", "x86_64"));
			}
		}
		return Folders;
	}

	/// <summary> Returns true if a file exists. Unreal Build Tool runs again when the file changes, so it
	/// also picks up a library that is added later.</summary>
	private bool IsThere(string Name)
	{
		ExternalDependencies.Add(Name);
		return File.Exists(Name);
	}

	/// <summary>Returns the platform and the processors, for messages.</summary>
	private static string NameOf(ReadOnlyTargetRules Target)
	{
		return Target.Platform + " (" + Target.Architectures + ")";
	}

	/// <summary>Returns the first file that does not exist, or null.</summary>
	private string FirstMissing(ReadOnlyTargetRules Target, List<string> Folders)
	{
		List<string> Files = new List<string>();
		Files.Add(Path.Combine(ModuleDirectory, "include", "netclock", "netclock.h"));
		foreach (string Folder in Folders)
		{
			Files.Add(LinkedFile(Target, Folder));
			if (LoadedName(Target) != null)
			{
				Files.Add(Path.Combine(LoadedDirectory(Folder), LoadedName(Target)));
			}
		}
		// Check every file, so that the build tool watches all of them.
		List<string> Missing = Files.FindAll(Name => !IsThere(Name));
		return Missing.Count > 0 ? Missing[0] : null;
	}

	/// <summary>Returns true if the library was built with the `link` feature. For a library without it,
	/// remove the header netclock_link.h.</summary>
	protected virtual bool HasLink(ReadOnlyTargetRules Target)
	{
		return IsThere(Path.Combine(ModuleDirectory, "include", "netclock", "netclock_link.h"));
	}

	/// <summary>Returns the file that the linker reads.</summary>
	protected virtual string LinkedName(ReadOnlyTargetRules Target)
	{
		return Shared.ContainsKey(Target.Platform) ? Shared[Target.Platform][1] : "libnetclock.a";
	}

	/// <summary>Returns the file that the game loads and that is staged into its package. Returns null if the
	/// library is linked into the game.</summary>
	protected virtual string LoadedName(ReadOnlyTargetRules Target)
	{
		return Shared.ContainsKey(Target.Platform) ? Shared[Target.Platform][0] : null;
	}

	protected virtual void AddLibrary(ReadOnlyTargetRules Target, string Folder)
	{
		PublicAdditionalLibraries.Add(LinkedFile(Target, Folder));
		string Loaded = LoadedName(Target);
		if (Loaded == null)
		{
			return;
		}
		RuntimeDependencies.Add(Path.Combine(LoadedDirectory(Folder), Loaded));
		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			// The module loads the DLL from the plugin's directory, so that a missing DLL leads to a log
			// message. Otherwise, Windows would fail to load the module without giving a reason.
			PublicDelayLoadDLLs.Add(Loaded);
		}
		else
		{
			// The path that the loader searches, relative to the binary.
			PublicRuntimeLibraryPaths.Add(LoadedDirectory(Folder));
		}
	}

	/// <summary> Adds the library's privacy manifest to the app, because Apple requires apps to state why
	/// they read the time since the device started. A static library cannot contain the manifest, so it is a
	/// separate bundle. README.md explains what to do if it is missing.</summary>
	private void AddPrivacyManifest(ReadOnlyTargetRules Target)
	{
		string Bundle = Path.Combine(LibraryDirectory("IOS"), "NetClockPrivacy.bundle");
		if (Target.Platform == UnrealTargetPlatform.IOS &&
			IsThere(Path.Combine(Bundle, "PrivacyInfo.xcprivacy")))
		{
			AdditionalBundleResources.Add(new BundleResource(Bundle, ""));
		}
	}

	/// <summary>Returns the folder of the files that the linker reads.</summary>
	protected string LibraryDirectory(string Folder)
	{
		return Path.Combine(ModuleDirectory, "lib", Folder);
	}

	/// <summary>Returns the folder of the files that the game loads, where Unreal expects third-party
	/// libraries.</summary>
	protected string LoadedDirectory(string Folder)
	{
		return Path.Combine(PluginDirectory, "Binaries", "ThirdParty", "NetClockLibrary", Folder);
	}

	/// <summary>On macOS, the linker reads the file that the game loads.</summary>
	private string LinkedFile(ReadOnlyTargetRules Target, string Folder)
	{
		bool bIsLoaded = LinkedName(Target) == LoadedName(Target);
		string Directory = bIsLoaded ? LoadedDirectory(Folder) : LibraryDirectory(Folder);
		return Path.Combine(Directory, LinkedName(Target));
	}
}
