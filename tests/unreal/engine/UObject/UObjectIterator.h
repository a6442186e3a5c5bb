#pragma once

#include "Double/Objects.h"

namespace FDouble
{
	std::vector<UObject*> ObjectsOf(const UClass* Class);
}

/** Converts to false at the end, as in the engine. Skips default objects. */
template <class T> class TObjectIterator
{
public:
	TObjectIterator() : Found(FDouble::ObjectsOf(T::StaticClass())) {}
	explicit operator bool() const { return Index < Found.size(); }
	void operator++() { ++Index; }
	T* operator*() const { return static_cast<T*>(Found[Index]); }
	T* operator->() const { return **this; }

private:
	std::vector<UObject*> Found;
	size_t Index = 0;
};
