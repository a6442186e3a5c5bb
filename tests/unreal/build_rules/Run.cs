// Creates every module of the plugin for every target. For each, prints a `module` line with the target, a
// `said` line for each message that the module prints, and a line for each request.

using System;
using System.Collections.Generic;
using System.IO;
using UnrealBuildTool;

public static class Run
{
	/// Platforms, with the architectures that their targets may have. `+` joins the architectures of a single
	/// target.
	private static readonly string[][] Platforms =
	{
		new[] { "Win64", "x64", "arm64", "arm64ec" },
		new[] { "Linux", "x64" },
		new[] { "LinuxArm64", "arm64" },
		new[] { "Mac", "x64", "arm64", "x64+arm64" },
		new[] { "IOS", "arm64", "iossimulator" },
		new[] { "TVOS", "arm64" },
		new[] { "Android", "arm64", "x64", "x64+arm64", "arm32" },
		new[] { "AConsole", "x64" },
	};

	public static void Main(string[] Arguments)
	{
		foreach (TargetRules Target in new TargetRules[] { new NetClockSampleTarget(new TargetInfo()),
					 new NetClockSampleServerTarget(new TargetInfo()),
					 new NetClockSampleEditorTarget(new TargetInfo()) })
		{
			Console.WriteLine("module " + Target.GetType().Name);
			Print("type", Target.Type.ToString());
			foreach (string Name in Target.ExtraModuleNames) { Print("builds", Name); }
		}
		string Source = Path.Combine(Arguments[0], "Source");
		foreach (string[] Platform in Platforms)
		{
			for (int Index = 1; Index < Platform.Length; ++Index)
			{
				foreach (UnrealTargetConfiguration Configuration in Enum.GetValues(
							 typeof(UnrealTargetConfiguration)))
				{
					foreach (bool bEditor in new[] { false, true })
					{
						ReadOnlyTargetRules Target =
							Make(Platform[0], Platform[Index], Configuration, bEditor);
						string Words = Platform[0] + " " + Platform[Index] + " " + Configuration + " " +
							(bEditor ? "Editor" : "Game");
						Show(Words, Path.Combine(Source, "NetClock"), () => new NetClock(Target));
						Show(Words, Path.Combine(Source, "NetClockDebug"), () => new NetClockDebug(Target));
						Show(Words, Path.Combine(Source, "NetClockGame"), () => new NetClockGame(Target));
						Show(Words, Path.Combine(Source, "NetClockGAS"), () => new NetClockGAS(Target));
						Show(Words, Path.Combine(Source, "NetClockLink"), () => new NetClockLink(Target));
						Show(Words, Path.Combine(Source, "NetClockPeers"), () => new NetClockPeers(Target));
						Show(Words, Path.Combine(Source, "NetClockSample"), () => new NetClockSample(Target));
						Show(Words, Path.Combine(Source, "NetClockTests"), () => new NetClockTests(Target));
						Show(Words, Path.Combine(Source, "ThirdParty", "NetClockLibrary"),
							() => Library(Target));
					}
				}
			}
		}
	}

	/// A platform with an extension uses the extension's class.
	private static ModuleRules Library(ReadOnlyTargetRules Target)
	{
		return Target.Platform == Extension.Platform ? new Extension(Target) : new NetClockLibrary(Target);
	}

	private static ReadOnlyTargetRules Make(
		string Platform, string Architecture, UnrealTargetConfiguration Configuration, bool bEditor)
	{
		ReadOnlyTargetRules Target = new ReadOnlyTargetRules();
		Target.Platform = new UnrealTargetPlatform(Platform);
		Target.Configuration = Configuration;
		List<UnrealArch> All = new List<UnrealArch>();
		foreach (string Name in Architecture.Split('+')) { All.Add(new UnrealArch(Name)); }
		Target.Architectures = new UnrealArchitectures(All);
		return Target;
	}

	private static void Show(string Words, string Directory, Func<ModuleRules> MakeModule)
	{
		ModuleRules.NextModuleDirectory = Directory;
		StringWriter Said = new StringWriter();
		TextWriter Out = Console.Out;
		Console.SetOut(Said);
		ModuleRules Module = MakeModule();
		Console.SetOut(Out);

		Console.WriteLine("module " +
			(Module is NetClockLibrary ? typeof(NetClockLibrary) : Module.GetType()).Name + " " + Words);
		foreach (string Line in Said.ToString().Split(
					 new[] { '\n', '\r' }, StringSplitOptions.RemoveEmptyEntries))
		{
			Print("said", Line);
		}
		Print("type", Module.Type.ToString());
		Print("unity", Module.bUseUnity.ToString());
		foreach (string Name in Module.PublicDependencyModuleNames) { Print("depends", Name); }
		foreach (string Name in Module.PrivateDependencyModuleNames) { Print("depends", Name); }
		foreach (string Name in Module.PublicSystemIncludePaths) { Print("system-include", Name); }
		foreach (string Name in Module.PrivateIncludePaths) { Print("private-include", Name); }
		foreach (string Name in Module.PublicDefinitions) { Print("defines", Name); }
		foreach (string Name in Module.PrivateDefinitions) { Print("defines-privately", Name); }
		foreach (string Name in Module.PublicAdditionalLibraries) { Print("links", Name); }
		foreach (string Name in Module.PublicRuntimeLibraryPaths) { Print("searches", Name); }
		foreach (string Name in Module.PublicDelayLoadDLLs) { Print("delays", Name); }
		foreach (BundleResource Resource in Module.AdditionalBundleResources)
		{
			Print("bundles", Resource.ResourcePath);
		}
		foreach (string Name in Module.ExternalDependencies) { Print("asks", Name); }
		foreach (string Name in Module.RuntimeDependencies.All) { Print("stages", Name); }
	}

	/// An extension outside the plugin, like one that a studio writes for its console.
	private class Extension : NetClockLibrary
	{
		public static readonly UnrealTargetPlatform Platform = new UnrealTargetPlatform("AConsole");

		public Extension(ReadOnlyTargetRules Target) : base(Target) { }

		protected override List<string> FoldersFor(ReadOnlyTargetRules Target)
		{
			return new List<string> { "AConsole" };
		}
	}

	private static void Print(string Key, string Value) { Console.WriteLine(Key + " " + Value); }
}
