// The engine double: remote procedure calls. The generator's thunks end in FDouble::Call; a net driver
// carries them.
#pragma once

#include "Double/Objects.h"

enum class EDoubleRpc { Server, Client };

/** Of an argument of a call, in bytes. */
template <class T> int32 DoubleSizeOf(const T&) { return static_cast<int32>(sizeof(T)); }
template <class T> int32 DoubleSizeOf(const TArray<T>& Array)
{
	return 2 + Array.Num() * static_cast<int32>(sizeof(T));
}

/** A call as it travels: its arguments are copies. */
struct FDoubleRpc
{
	const char* Name = "";
	EDoubleRpc Direction = EDoubleRpc::Server;
	bool bReliable = false;
	int32 Bytes = 0;
	/** Runs the body on the counterpart of the object; false if its validation refused the arguments. */
	std::function<bool(UObject*)> Run;
};

namespace FDouble
{
	/** Runs the call here, sends it, or drops it with a warning, as the engine's rules are. */
	void Call(UObject* Object, FDoubleRpc Rpc);
}

/** Structs are compared and copied by those of their members that are properties, as replication does. */
template <class T> auto DoubleSame(const T& A, const T& B) -> decltype(T::DoubleSameProperties(A, B))
{
	return T::DoubleSameProperties(A, B);
}
template <class T, std::enable_if_t<!std::is_class_v<T>, int> = 0> bool DoubleSame(const T& A, const T& B)
{
	return A == B;
}
inline bool DoubleSame(const FString& A, const FString& B) { return A == B; }
template <class T> bool DoubleSame(const TObjectPtr<T>& A, const TObjectPtr<T>& B)
{
	return A.Get() == B.Get();
}
template <class T> bool DoubleSame(const TArray<T>& A, const TArray<T>& B)
{
	const auto Same = [](const T& X, const T& Y) { return DoubleSame(X, Y); };
	return std::equal(A.begin(), A.end(), B.begin(), B.end(), Same);
}
