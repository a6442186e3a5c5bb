// Creates all modules of the plugin for all targets. For each module and target, it prints a `module` line, a
// `said` line per message, and a line per field that the module sets.

using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using UnrealBuildTool;

public static class Run
{
	/// Each row lists a platform and the architectures that its targets may have. `+` joins the architectures
	/// of one target.
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

	private static readonly Type[] Modules =
	{
		typeof(NetClock), typeof(NetClockDebug), typeof(NetClockGame), typeof(NetClockGAS),
		typeof(NetClockLink), typeof(NetClockPeers), typeof(NetClockSample), typeof(NetClockTests),
		typeof(NetClockLibrary),
	};

	public static void Main(string[] Arguments)
	{
		foreach (TargetRules Target in new TargetRules[] { new NetClockSampleTarget(new TargetInfo()),
					 new NetClockSampleServerTarget(new TargetInfo()),
					 new NetClockSampleEditorTarget(new TargetInfo()) })
		{
			Console.WriteLine("module " + Target.GetType().Name);
			Print("Type", Target.Type.ToString());
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
						foreach (Type Rules in Modules) { Show(Words, Source, Rules, Target); }
					}
				}
			}
		}
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

	/// Creates a module and prints its public fields by name. For the extension's platform, it creates the
	/// library's module from the extension's class.
	private static void Show(string Words, string Source, Type Rules, ReadOnlyTargetRules Target)
	{
		bool bLibrary = Rules == typeof(NetClockLibrary);
		Type Class = bLibrary && Target.Platform == Extension.Platform ? typeof(Extension) : Rules;
		ModuleRules.NextModuleDirectory =
			Path.Combine(Source, bLibrary ? Path.Combine("ThirdParty", Rules.Name) : Rules.Name);
		StringWriter Said = new StringWriter();
		TextWriter Out = Console.Out;
		Console.SetOut(Said);
		object Module = Activator.CreateInstance(Class, Target);
		Console.SetOut(Out);

		Console.WriteLine("module " + Rules.Name + " " + Words);
		foreach (string Line in Said.ToString().Split(
					 new[] { '\n', '\r' }, StringSplitOptions.RemoveEmptyEntries))
		{
			Print("said", Line);
		}
		const BindingFlags Fields = BindingFlags.Public | BindingFlags.Instance;
		foreach (FieldInfo Field in typeof(ModuleRules).GetFields(Fields))
		{
			object Value = Field.GetValue(Module);
			IEnumerable Values = Value as IEnumerable ?? new[] { Value };
			foreach (object Each in Values) { Print(Field.Name, Each.ToString()); }
		}
	}

	/// An extension like those that studios write for their consoles, outside the plugin.
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
