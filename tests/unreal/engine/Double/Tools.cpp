#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "Debug/DebugDrawService.h"
#include "Double/Harness.h"
#include "Engine/Canvas.h"
#include "Engine/Engine.h"
#include "HAL/FileManager.h"
#include "HAL/IConsoleManager.h"
#include "HAL/PlatformProcess.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"
#include "SceneInterface.h"

namespace
{
	using FDouble::Narrow;

	FString Wide(const std::string& Text) { return FString(FDoubleText(Text.begin(), Text.end())); }

	class FFileWriter : public FArchive
	{
	public:
		explicit FFileWriter(std::FILE* InFile) : File(InFile) {}
		~FFileWriter() override { Close(); }
		void Serialize(void* Bytes, int64 Count) override
		{
			Written += static_cast<size_t>(Count);
			const size_t Room = Written <= FDouble::State.DiskBytes ? static_cast<size_t>(Count) : 0;
			bError = bError || std::fwrite(Bytes, 1, Room, File) != static_cast<size_t>(Count);
		}
		void Flush() override { std::fflush(File); }
		bool Close() override
		{
			if (File) { bError = std::fclose(File) != 0 || bError; }
			File = nullptr;
			return !bError;
		}

	private:
		std::FILE* File;
		size_t Written = 0;
	};

	using FCommand = FConsoleCommandWithWorldArgsAndOutputDeviceDelegate;
	auto& Commands() { return FDouble::Only<std::map<std::string, FCommand>>(); }
	auto& Variables() { return FDouble::Only<std::map<std::string, int32*>>(); }
	std::vector<std::pair<uint64, FDebugDrawDelegate>> Drawers;

	class FLines : public FOutputDevice
	{
	public:
		void Log(const TCHAR* Text) override { Said.push_back(Narrow(Text)); }
		std::vector<std::string> Said;
	};
}

#ifdef _WIN32
// The Windows header also defines TEXT, so this file declares the functions itself.
extern "C" __declspec(dllimport) void* __stdcall LoadLibraryW(const wchar_t* File);
extern "C" __declspec(dllimport) int __stdcall FreeLibrary(void* Library);
void* FPlatformProcess::GetDllHandle(const TCHAR* File) { return LoadLibraryW(File); }
void FPlatformProcess::FreeDllHandle(void* Handle)
{
	FreeLibrary(Handle);
	FDouble::State.bLibraryFreed = true;
}
#else
void* FPlatformProcess::GetDllHandle(const TCHAR*)
{
	return FDouble::State.bLibraryThere ? &FDouble::State : nullptr;
}
void FPlatformProcess::FreeDllHandle(void*) { FDouble::State.bLibraryFreed = true; }
#endif

bool IFileManager::FileExists(const TCHAR* Name)
{
	const std::shared_ptr<FDouble::FDisk>& Disk = FDouble::State.Disk;
	return (Disk && Disk->Files.count(Narrow(Name))) || std::filesystem::is_regular_file(Narrow(Name));
}

bool FFileHelper::LoadFileToArray(TArray<uint8>& Result, const TCHAR* Name)
{
	check(FDouble::State.Disk);
	const auto Found = FDouble::State.Disk->Files.find(Narrow(Name));
	if (Found == FDouble::State.Disk->Files.end()) { return false; }
	Result = TArray<uint8>(Found->second.data(), static_cast<int32>(Found->second.size()));
	return true;
}

bool FFileHelper::SaveArrayToFile(const TArray<uint8>& Bytes, const TCHAR* Name)
{
	FDouble::FDisk* Disk = FDouble::State.Disk.get();
	check(Disk);
	if (Disk->bFull) { return false; }
	++Disk->Writes;
	Disk->Files[Narrow(Name)] = std::vector<uint8>(Bytes.begin(), Bytes.end());
	return true;
}

bool IFileManager::MakeDirectory(const TCHAR* Name, bool)
{
	std::error_code Error;
	std::filesystem::create_directories(Narrow(Name), Error);
	return !Error;
}

FArchive* IFileManager::CreateFileWriter(const TCHAR* Name)
{
	std::FILE* File = std::fopen(Narrow(Name).c_str(), "wb");
	return File ? new FFileWriter(File) : nullptr;
}

FString FPaths::ProjectSavedDir() { return Wide(FDouble::State.SavedDir); }

FAutoConsoleCommandWithWorldArgsAndOutputDevice::FAutoConsoleCommandWithWorldArgsAndOutputDevice(
	const TCHAR* Name, const TCHAR* Help, const FConsoleCommandWithWorldArgsAndOutputDeviceDelegate& Command)
{
	check(*Help);
	const bool bNew = Commands().emplace(Narrow(Name), Command).second;
	check(bNew);
}

template <>
TAutoConsoleVariable<int32>::TAutoConsoleVariable(
	const TCHAR* Name, const int32& Default, const TCHAR* Help) : Value(Default)
{
	check(*Help);
	const bool bNew = Variables().emplace(Narrow(Name), &Value).second;
	check(bNew);
}

FDelegateHandle UDebugDrawService::Register(const TCHAR* Flag, const FDebugDrawDelegate& Delegate)
{
	check(Narrow(Flag) == "Game");
	static uint64 Last = 0;
	FDelegateHandle Handle;
	Handle.Number = ++Last;
	Drawers.emplace_back(Handle.Number, Delegate);
	return Handle;
}

void UDebugDrawService::Unregister(FDelegateHandle Handle)
{
	std::erase_if(Drawers, [Handle](const auto& Each) { return Each.first == Handle.Number; });
}

void UDebugDrawService::Draw(UCanvas& Canvas, UWorld* World, APlayerController* Player)
{
	FSceneInterface Scene(World);
	const FSceneViewFamily Family{World ? &Scene : nullptr};
	FSceneView View{&Family};
	Canvas.SceneView = &View;
	for (const auto& Drawer : Drawers) { Drawer.second.Execute(&Canvas, Player); }
	Canvas.SceneView = nullptr;
}

size_t UDebugDrawService::Count() { return Drawers.size(); }

std::vector<std::string> FDouble::Console(UWorld* World, const std::string& Line)
{
	std::istringstream Words(Line);
	std::string Name, Word;
	Words >> Name;
	TArray<FString> Arguments;
	while (Words >> Word) { Arguments.Add(Wide(Word)); }
	const auto Variable = Variables().find(Name);
	if (Variable != Variables().end() && !Word.empty())
	{
		*Variable->second = static_cast<int32>(std::strtol(Word.c_str(), nullptr, 10));
	}
	const auto Found = Commands().find(Name);
	FLines Lines;
	if (Found != Commands().end()) { Found->second.Execute(Arguments, World, Lines); }
	return Lines.Said;
}
