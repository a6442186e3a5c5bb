#pragma once

#include "Double/Objects.h"

namespace FDouble
{
	std::vector<UObject*> ObjectsOf(const UClass* Class);
}

/** Like the engine's iterator, it converts to false at the end. Skips default objects. */
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
