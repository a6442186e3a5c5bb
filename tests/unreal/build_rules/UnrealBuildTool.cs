// A stub of the parts of Unreal Build Tool that the plugin's Build.cs files use. The stub stores what a
// module requests. The names are from the public page on module properties and from public plugins.

using System.Collections.Generic;

namespace UnrealBuildTool
{
	/// Compared by name.
	public abstract class Named
	{
		private readonly string Name;
		protected Named(string InName) { Name = InName; }
		public override string ToString() { return Name; }
		public override int GetHashCode() { return Name.GetHashCode(); }
		public override bool Equals(object Other) { return Other is Named && ((Named)Other).Name == Name; }
		public static bool operator ==(Named A, Named B) { return Equals(A, B); }
		public static bool operator !=(Named A, Named B) { return !Equals(A, B); }
	}

	public sealed class UnrealTargetPlatform : Named
	{
		public UnrealTargetPlatform(string InName) : base(InName) { }

		public static readonly UnrealTargetPlatform Win64 = new UnrealTargetPlatform("Win64");
		public static readonly UnrealTargetPlatform Linux = new UnrealTargetPlatform("Linux");
		public static readonly UnrealTargetPlatform LinuxArm64 = new UnrealTargetPlatform("LinuxArm64");
		public static readonly UnrealTargetPlatform Mac = new UnrealTargetPlatform("Mac");
		public static readonly UnrealTargetPlatform IOS = new UnrealTargetPlatform("IOS");
		public static readonly UnrealTargetPlatform Android = new UnrealTargetPlatform("Android");
	}

	public enum UnrealTargetConfiguration { Debug, DebugGame, Development, Test, Shipping }

	public sealed class UnrealArch : Named
	{
		public UnrealArch(string InName) : base(InName) { }

		public static readonly UnrealArch X64 = new UnrealArch("x64");
		public static readonly UnrealArch Arm64 = new UnrealArch("arm64");
		public static readonly UnrealArch IOSSimulator = new UnrealArch("iossimulator");
	}

	public class UnrealArchitectures
	{
		public readonly List<UnrealArch> All;
		public UnrealArchitectures(List<UnrealArch> InAll) { All = InAll; }
		public bool Contains(UnrealArch Architecture) { return All.Contains(Architecture); }
		public override string ToString() { return string.Join("+", All); }
	}

	public class ReadOnlyTargetRules
	{
		public UnrealTargetPlatform Platform;
		public UnrealTargetConfiguration Configuration;
		public UnrealArchitectures Architectures;

		/// Reading this property for a target with several architectures makes the build fail.
		public UnrealArch Architecture
		{
			get
			{
				if (Architectures.All.Count != 1)
				{
					throw new System.Exception("the target has several architectures");
				}
				return Architectures.All[0];
			}
		}
	}

	public enum TargetType { Game, Editor, Server }
	public enum BuildSettingsVersion { Latest }
	public enum EngineIncludeOrderVersion { Latest }

	public class TargetInfo
	{
	}

	public class TargetRules
	{
		public TargetType Type;
		public BuildSettingsVersion DefaultBuildSettings;
		public EngineIncludeOrderVersion IncludeOrderVersion;
		public List<string> ExtraModuleNames = new List<string>();
		public TargetRules(TargetInfo Target) { }
	}

	public class RuntimeDependencyList : List<string>
	{
	}

	public class BundleResource
	{
		public readonly string ResourcePath;
		public readonly string BundleContentsSubdir;
		public BundleResource(string InResourcePath, string InBundleContentsSubdir = "Resources")
		{
			ResourcePath = InResourcePath;
			BundleContentsSubdir = InBundleContentsSubdir;
		}
		public override string ToString() { return ResourcePath; }
	}

	public class ModuleRules
	{
		public enum PCHUsageMode { UseExplicitOrSharedPCHs }
		public enum ModuleType { CPlusPlus, External }

		/// Set this to the directory of the module's Build.cs before you create the module.
		public static string NextModuleDirectory;

		public ModuleType Type = ModuleType.CPlusPlus;
		public PCHUsageMode PCHUsage;
		public bool bUseUnity = true;
		public string ModuleDirectory { get; private set; }
		public string PluginDirectory { get; private set; }
		public List<string> PublicDependencyModuleNames = new List<string>();
		public List<string> PrivateDependencyModuleNames = new List<string>();
		public List<string> PublicSystemIncludePaths = new List<string>();
		public List<string> PrivateIncludePaths = new List<string>();
		public List<string> PublicDefinitions = new List<string>();
		public List<string> PrivateDefinitions = new List<string>();
		public List<string> PublicAdditionalLibraries = new List<string>();
		public List<string> PublicRuntimeLibraryPaths = new List<string>();
		public List<string> PublicDelayLoadDLLs = new List<string>();
		public List<BundleResource> AdditionalBundleResources = new List<BundleResource>();
		public List<string> ExternalDependencies = new List<string>();
		public RuntimeDependencyList RuntimeDependencies = new RuntimeDependencyList();

		public ModuleRules(ReadOnlyTargetRules Target)
		{
			ModuleDirectory = NextModuleDirectory;
			PluginDirectory = ModuleDirectory.Substring(0, ModuleDirectory.LastIndexOf("Source") - 1);
		}
	}
}
