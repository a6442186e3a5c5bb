// Remote calls and replicated properties. Generated thunks call FDouble::CallRemotely.
#pragma once

#include <cstring>

#include "Double/Objects.h"

enum class EDoubleRpc { Server, Client };

template <class T> int32 DoubleSizeOf(const T&) { return static_cast<int32>(sizeof(T)); }
template <class T> int32 DoubleSizeOf(const TArray<T>& Array)
{
	return 2 + Array.Num() * static_cast<int32>(sizeof(T));
}

struct FDoubleRpc
{
	const char* Name = "";
	EDoubleRpc Direction = EDoubleRpc::Server;
	bool bReliable = false;
	int32 Bytes = 0;
	std::function<void(UObject*)> Run;
};

namespace FDouble
{
	/** Returns the actor itself, or a component's owner. */
	const class AActor* ActorOf(const UObject* Object);

	/** Runs the call here, sends it, or drops it with a warning, according to the engine's rules. */
	void Call(UObject* Object, FDoubleRpc Rpc);

	template <class C, class... P, class... A>
	void CallRemotely(C* Object, const char* Name, EDoubleRpc Direction, bool bReliable,
		void (C::*Function)(P...), const A&... Given)
	{
		const auto Run = [Function, Given...](UObject* Target)
		{ (static_cast<C*>(Target)->*Function)(Given...); };
		Call(Object, {Name, Direction, bReliable, (0 + ... + DoubleSizeOf(Given)), Run});
	}
}

/** Reads or writes the members of a property. */
class FDoubleSplitter
{
public:
	FDoubleSplitter() = default;
	explicit FDoubleSplitter(const FDoubleMembers& InValues) : Values(InValues), bWrites(true) {}
	void Member(void* Value, size_t Size)
	{
		if (!bWrites) { Values.emplace_back(static_cast<const char*>(Value), Size); return; }
		const size_t Index = Next++;
		if (Index < Values.size() && Values[Index].size() == Size)
		{
			std::memcpy(Value, Values[Index].data(), Size);
		}
	}
	FDoubleMembers Values;

private:
	bool bWrites = false;
	size_t Next = 0;
};

template <class T> auto DoubleSplit(T& Value, FDoubleSplitter& Splitter)
	-> decltype(T::DoubleSplitProperties(Value, Splitter))
{
	T::DoubleSplitProperties(Value, Splitter);
}
template <class T> void DoubleSplit(TObjectPtr<T>& Value, FDoubleSplitter& Splitter)
{
	Splitter.Member(&Value, sizeof(Value));
}
/** Replicates no text, because none of the replicated structures contains any. */
inline void DoubleSplit(FString&, FDoubleSplitter& Splitter) { Splitter.Member(nullptr, 0); }
template <class T, std::enable_if_t<!std::is_class_v<T>, int> = 0>
void DoubleSplit(T& Value, FDoubleSplitter& Splitter)
{
	Splitter.Member(&Value, sizeof(T));
}
template <class T> void DoubleSplit(TArray<T>& Array, FDoubleSplitter& Splitter)
{
	int32 Count = Array.Num();
	Splitter.Member(&Count, sizeof(Count));
	Array.SetNum(Count);
	for (T& Item : Array) { DoubleSplit(Item, Splitter); }
}

template <auto Property> struct TDoubleAccess;
template <class C, class T, T C::*Property> struct TDoubleAccess<Property>
{
	static T& In(UObject* Object) { return static_cast<C*>(Object)->*Property; }
	static FDoubleMembers Take(UObject* Object)
	{
		FDoubleSplitter Splitter;
		DoubleSplit(In(Object), Splitter);
		return Splitter.Values;
	}
	static void Put(UObject* Object, const FDoubleMembers& Values)
	{
		FDoubleSplitter Splitter(Values);
		DoubleSplit(In(Object), Splitter);
	}
	static void Parse(UObject* Object, const std::string& Text) { DoubleParse(Text, In(Object)); }
	static bool Equal(const UObject* A, const UObject* B)
	{
		return static_cast<const C*>(A)->*Property == static_cast<const C*>(B)->*Property;
	}
};
