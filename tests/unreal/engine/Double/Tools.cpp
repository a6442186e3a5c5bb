// The engine double: files and the console.
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "Double/Counters.h"
#include "Double/Harness.h"
#include "Engine/Engine.h"
#include "HAL/FileManager.h"
#include "HAL/IConsoleManager.h"
#include "Misc/Paths.h"

namespace
{
	std::string Narrow(const TCHAR* Text)
	{
		std::string Result;
		for (; *Text; ++Text) { Result.push_back(static_cast<char>(*Text)); }
		return Result;
	}

	FString Wide(const std::string& Text) { return FString(std::wstring(Text.begin(), Text.end())); }

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

	/** A map that is there before the first command is. */
	std::map<std::string, FConsoleCommandWithWorldArgsAndOutputDeviceDelegate>& Commands()
	{
		static std::map<std::string, FConsoleCommandWithWorldArgsAndOutputDeviceDelegate> All;
		return All;
	}

	class FLines : public FOutputDevice
	{
	public:
		void Log(const TCHAR* Text) override { Said.push_back(Narrow(Text)); }
		std::vector<std::string> Said;
	};
}

static UEngine Engine;
UEngine* GEngine = &Engine;

const TArray<FWorldContext>& UEngine::GetWorldContexts() const
{
	static TArray<FWorldContext> Contexts;
	Contexts.Reset();
	for (const auto& Object : FDouble::State.Objects)
	{
		UWorld* World = Cast<UWorld>(Object.get());
		if (IsValid(World)) { Contexts.Add(FWorldContext{World}); }
	}
	return Contexts;
}

IFileManager& IFileManager::Get()
{
	static IFileManager Manager;
	return Manager;
}

bool IFileManager::FileExists(const TCHAR* Name) { return std::filesystem::is_regular_file(Narrow(Name)); }

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

std::vector<std::string> FDouble::Console(UWorld* World, const std::string& Line)
{
	std::istringstream Words(Line);
	std::string Name, Word;
	Words >> Name;
	TArray<FString> Arguments;
	while (Words >> Word) { Arguments.Add(Wide(Word)); }
	const auto Found = Commands().find(Name);
	FLines Lines;
	if (Found != Commands().end()) { Found->second.Execute(Arguments, World, Lines); }
	return Lines.Said;
}

std::map<std::string, double>& FDouble::Counters()
{
	static std::map<std::string, double> All;
	return All;
}

static std::set<std::string>& OfFrames()
{
	static std::set<std::string> All;
	return All;
}

FDouble::FCounter::FCounter(const char* Kind, const char* Id, const TCHAR* Description, const TCHAR* Group, bool bOfFrame)
	: Key(std::string(Kind) + " " + Id)
{
	check(*Description && *Group);
	const bool bNew = Counters().emplace(Key, 0.0).second;
	check(bNew);
	if (bOfFrame) { OfFrames().insert(Key); }
}

void FDouble::Csv(const TCHAR* Category, const char* Name, double Value, bool bAdd)
{
	if (!Category) { return; }
	const std::string Key = "csv " + Narrow(Category) + "/" + Name;
	OfFrames().insert(Key);
	Counters()[Key] = bAdd ? Counters()[Key] + Value : Value;
}

void FDouble::BeginCounting()
{
	for (const std::string& Key : OfFrames()) { Counters()[Key] = 0; }
}
