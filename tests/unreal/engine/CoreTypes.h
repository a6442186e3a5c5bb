// Basic types, assertions and logging, as far as the plugins use them. They were written from public API
// pages. `int64` is `long long` on every platform, as in the engine.
#pragma once

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <string>

#include "Runtime/Launch/Resources/Version.h"

using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long long;

// Characters have 16 bits on every platform, unlike wchar_t on Linux.
#ifdef _WIN32
using TCHAR = wchar_t;
#define TEXT(Literal) L##Literal
#else
using TCHAR = char16_t;
#define TEXT(Literal) u##Literal
#endif
static_assert(sizeof(TCHAR) == 2, "as in the engine");

#define WITH_EDITOR 0
// Exports a symbol to other modules, because -fvisibility=hidden hides all others.
#ifdef _WIN32
#define NETCLOCK_API
#else
#define NETCLOCK_API __attribute__((visibility("default")))
#endif
#define NETCLOCKGAS_API NETCLOCK_API
#define NETCLOCKGAME_API NETCLOCK_API
#define NETCLOCKLINK_API NETCLOCK_API
#define NETCLOCKPEERS_API NETCLOCK_API
#define NETCLOCKSAMPLE_API NETCLOCK_API

// Shipping builds omit checks and logs, and don't evaluate their arguments.
#ifndef DO_CHECK
#define DO_CHECK 1
#endif
#ifndef NO_LOGGING
#define NO_LOGGING 0
#endif

namespace FDouble
{
	/** A failed check() prints its condition and ends the program. */
	[[noreturn]] void Failed(const char* What, const char* File, int Line);

	void Log(const char* Category, int Verbosity, const TCHAR* Format, ...);

	/** As in the engine's Printf, %s is a string of TCHAR. */
	std::basic_string<TCHAR> Format(const TCHAR* Format, std::va_list Arguments);

	std::string Narrow(const TCHAR* Text);
}

#if DO_CHECK
#define check(Condition) ((Condition) ? void() : FDouble::Failed(#Condition, __FILE__, __LINE__))
#else
#define check(Condition) (void)sizeof(!(Condition))
#endif

namespace ELogVerbosity
{
	enum Type { NoLogging, Fatal, Error, Warning, Display, Log, Verbose, VeryVerbose };
}

#define DECLARE_LOG_CATEGORY_EXTERN(Name, Default, Compile) extern const char* const Name
#define DEFINE_LOG_CATEGORY(Name) const char* const Name = #Name
#if NO_LOGGING
#define UE_LOG(Category, Verbosity, ...) ((void)0)
#else
#define UE_LOG(Category, Verbosity, ...) FDouble::Log(Category, ELogVerbosity::Verbosity, __VA_ARGS__)
#endif

struct FMath
{
	template <class T> static constexpr T Max(T A, T B) { return A < B ? B : A; }
	template <class T> static constexpr T Min(T A, T B) { return B < A ? B : A; }
	template <class T> static constexpr T Clamp(T X, T Low, T High)
	{
		return X < Low ? Low : (High < X ? High : X);
	}
	template <class T> static constexpr T Abs(T X) { return X < T{} ? -X : X; }
	static double FloorToDouble(double X) { return std::floor(X); }
	static float LogX(float Base, float Value) { return std::log(Value) / std::log(Base); }
	static double Fmod(double X, double Y) { return std::fmod(X, Y); }
	static double Sin(double X) { return std::sin(X); }
	static bool IsFinite(double X) { return std::isfinite(X); }
};
