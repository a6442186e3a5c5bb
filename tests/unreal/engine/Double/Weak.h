// Weak pointers to objects of classes that are only declared.
#pragma once

#include "Double/Containers.h"

class UObject;
class UWorld;

namespace FDouble
{
	bool IsThere(const std::shared_ptr<UObject*>& Target);
}

/** A pointer that becomes null when its object is destroyed. */
template <class T> class TWeakObjectPtr
{
public:
	TWeakObjectPtr() = default;
	TWeakObjectPtr(T* Object) { if (Object) { Target = Object->SelfPrivate; } }
	T* Get() const { return FDouble::IsThere(Target) ? static_cast<T*>(*Target) : nullptr; }
	bool IsValid() const { return Get() != nullptr; }
	T* operator->() const { check(IsValid()); return Get(); }
	friend bool operator==(const TWeakObjectPtr& A, const TWeakObjectPtr& B) { return A.Get() == B.Get(); }
	friend bool operator==(const TWeakObjectPtr& A, const T* B) { return A.Get() == B; }

private:
	std::shared_ptr<UObject*> Target;
};
