// The engine double: walks through every object of a class. API page "TObjectIterator".
#pragma once

#include "Double/Objects.h"

namespace FDouble
{
	/** Every object of that class, of all worlds. */
	std::vector<UObject*> ObjectsOf(const UClass* Class);
}

/** Ends when it converts to false, as the engine's. Without the objects that hold defaults. */
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
