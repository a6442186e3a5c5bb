// Implements objects, their defaults and calls, the log, and the clocks.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "HAL/PlatformProcess.h"
#include "HAL/PlatformTime.h"
#include "Misc/DateTime.h"
#include "Misc/Guid.h"
#include "Modules/ModuleManager.h"
#include "UObject/UObjectIterator.h"
#include "Double/Harness.h"

namespace FDouble
{
	FState State;

	void Failed(const char* What, const char* File, int Line)
	{
		std::fprintf(stderr, "%s:%d: failed: %s\n", File, Line, What);
		std::exit(3);
	}

	bool IsThere(const std::shared_ptr<UObject*>& Target) { return Target && *Target && !(*Target)->bGone; }

	void Log(const char* Category, int Verbosity, const TCHAR* Text, ...)
	{
		std::va_list Arguments;
		va_start(Arguments, Text);
		const std::string Line = Narrow(Format(Text, Arguments).c_str());
		va_end(Arguments);
		if (Verbosity <= ELogVerbosity::Error) { ++State.Errors; }
		if (Verbosity == ELogVerbosity::Warning) { ++State.Warnings; }
		if (Verbosity == ELogVerbosity::Display) { State.Displayed.push_back(Line); }
		if (State.bVerbose && Verbosity <= ELogVerbosity::Log)
		{
			std::printf("    %s: %s\n", Category, Line.c_str());
		}
	}

	UObject* Make(UClass* Class, UObject* Outer)
	{
		check(Class && Class->Make);
		UObject* Object = Class->Make();
		Object->ClassPrivate = Class;
		Object->OuterPrivate = Outer;
		State.Objects.emplace_back(Object);
		return Object;
	}

	void CollectAll() { State.Objects.clear(); }

	int32 CountKept(const UClass* Class) { return static_cast<int32>(ObjectsOf(Class).size()); }

	std::vector<UObject*> ObjectsOf(const UClass* Class)
	{
		std::vector<UObject*> Found;
		for (const auto& Object : State.Objects)
		{
			if (!Object->bGone && Object->IsA(Class)) { Found.push_back(Object.get()); }
		}
		return Found;
	}

	static std::map<UClass*, std::unique_ptr<UObject>> Defaults;
	static std::map<std::string, std::map<std::string, std::string>> Ini;

	UObject* DefaultOf(UClass* Class)
	{
		std::unique_ptr<UObject>& Default = Defaults[Class];
		if (!Default)
		{
			Default.reset(Class->Make());
			Default->ClassPrivate = Class;
			const auto& Written = Ini[Class->Name + 1];
			for (const FDoubleProperty& Property : Class->Properties)
			{
				const auto Found = Written.find(Property.Name);
				if (Property.Parse && Found != Written.end())
				{
					Property.Parse(Default.get(), Found->second);
				}
			}
		}
		return Default.get();
	}

	void LoadIni(const std::string& Text)
	{
		Ini.clear();
		Defaults.clear();
		std::istringstream Lines(Text);
		std::string Line, Class;
		while (std::getline(Lines, Line))
		{
			const size_t Equals = Line.find('=');
			if (Line.rfind("[/Script/", 0) == 0)
			{
				Class = Line.substr(Line.find('.') + 1, Line.find(']') - Line.find('.') - 1);
			}
			else if (Equals != std::string::npos)
			{
				Ini[Class][Line.substr(0, Equals)] = Line.substr(Equals + 1);
			}
		}
	}

	const AActor* ActorOf(const UObject* Object)
	{
		const UActorComponent* Component = Cast<UActorComponent>(Object);
		return Component ? Component->GetOwner() : Cast<AActor>(Object);
	}

	void Call(UObject* Object, FDoubleRpc Rpc)
	{
		const UWorld* World = Object->GetWorld();
		const AActor* Actor = ActorOf(Object);
		if (!World || !Actor) { return; }
		const bool bClient = World->GetNetMode() == NM_Client;
		UNetConnection* Connection = Actor->GetNetConnection();
		const bool bRemote = bClient == (Rpc.Direction == EDoubleRpc::Server);
		if (!bRemote || World->GetNetMode() == NM_Standalone || (!bClient && !Connection))
		{
			// Client RPCs on a client, server RPCs on a server, and a host's own RPCs run locally.
			Rpc.Run(Object);
			return;
		}
		if (!Connection || !World->GetNetDriver())
		{
			Log("LogNet", ELogVerbosity::Warning, TEXT("no owning connection for %s"),
				UTF8_TO_TCHAR(Rpc.Name));
			return;
		}
		World->GetNetDriver()->Send(Connection, Object, MoveTemp(Rpc));
	}
}

UObject::UObject() : SelfPrivate(std::make_shared<UObject*>(this)) {}
UObject::~UObject() { *SelfPrivate = nullptr; }

// This clock is ahead of the machine's clock and slewed, so that the tests notice if anything reads it. If
// the library is loaded, the plugin must not read this clock.
double FPlatformTime::Seconds() { return 7777.0 + 1.0005 * FDouble::State.Clock.At(FDouble::State.Now); }

// The plugin calls this function as netclock_monotonic_now.
extern "C" std::int64_t netclock_double_now()
{
	check(!FDouble::State.bLibraryFreed);
	return static_cast<std::int64_t>(std::floor(FDouble::State.Clock.At(FDouble::State.Now) * 1.0e7));
}

// The plugin calls this function as netclock_utc_now.
extern "C" std::int32_t netclock_double_utc_now(
	std::int64_t* Local, std::int64_t* Utc, std::int64_t* Uncertainty)
{
	*Local = netclock_double_now();
	*Utc = FDouble::State.UtcTicks + static_cast<std::int64_t>(std::floor(FDouble::State.Now * 1.0e7));
	*Uncertainty = 2;
	return 0;
}

FDateTime FDateTime::UtcNow()
{
	return FDateTime(621355968000000000 + FDouble::State.UtcTicks +
		static_cast<int64>(std::floor(FDouble::State.Now * 1.0e7)));
}

void FPlatformProcess::Sleep(float Seconds) { FDouble::State.Now += static_cast<double>(Seconds); }

FGuid FGuid::NewGuid()
{
	const uint64 High = FDouble::State.Dice.Next();
	const uint64 Low = FDouble::State.Dice.Next();
	return {static_cast<uint32>(High >> 32), static_cast<uint32>(High), static_cast<uint32>(Low >> 32),
		static_cast<uint32>(Low)};
}
