#pragma once

#include "Double/Containers.h"

/** The members of a property that replicate separately, such as the elements of an array. */
using FDoubleMembers = std::vector<std::string>;

/** Take and Put are null if the property is not replicated. */
struct FDoubleProperty
{
	const char* Name;
	bool bReplicated;
	FDoubleMembers (*Take)(UObject*);
	void (*Put)(UObject*, const FDoubleMembers&);
	/** The function named by ReplicatedUsing, or null. */
	void (*Notify)(UObject*);
	/** Sets a Config property to a value from the ini. Null for all other properties. */
	void (*Parse)(UObject*, const std::string&);
	bool (*Equal)(const UObject*, const UObject*);
	const char* ClampMin;
	const char* ClampMax;
};

class UClass
{
public:
	UClass(const char* InName, UClass* InSuper, UObject* (*InMake)(),
		std::vector<FDoubleProperty> (*InProperties)()) :
		Name(InName), Super(InSuper), Make(InMake),
		Properties(InProperties ? InProperties() : std::vector<FDoubleProperty>())
	{
	}
	bool IsChildOf(const UClass* Other) const
	{
		for (const UClass* Class = this; Class; Class = Class->Super) { if (Class == Other) { return true; } }
		return false;
	}
	const char* const Name;
	UClass* const Super;
	UObject* (*const Make)();
	const std::vector<FDoubleProperty> Properties;
};

template <class T> class TSubclassOf
{
public:
	TSubclassOf() = default;
	TSubclassOf(UClass* InClass) : Class(InClass) {}
	UClass* Get() const { return Class; }

private:
	UClass* Class = nullptr;
};

namespace FDouble
{
	inline auto& Classes() { return Only<std::vector<UClass* (*)()>>(); }
}

/** Declares the members of every class in the double. The generator adds them to the plugin's classes. */
#define DOUBLE_CLASS_COMMON(TClass, TSuper) \
public: \
	using Super = TSuper; \
	static UClass* StaticClass() \
	{ \
		static UClass Class(#TClass, TSuper::StaticClass(), \
			[]() -> UObject* { return new TClass(); }, &TClass::DoubleProperties); \
		return &Class; \
	}
#define DOUBLE_CLASS(TClass, TSuper) \
	DOUBLE_CLASS_COMMON(TClass, TSuper) \
	static std::vector<FDoubleProperty> DoubleProperties() { return {}; }

class UObject
{
public:
	UObject();
	virtual ~UObject();
	UObject(const UObject&) = delete;
	UObject& operator=(const UObject&) = delete;

	static UClass* StaticClass()
	{
		static UClass Class("UObject", nullptr, nullptr, nullptr);
		return &Class;
	}
	UClass* GetClass() const { return ClassPrivate; }
	FString GetName() const { return FString(UTF8_TO_TCHAR(ClassPrivate->Name + 1)); }
	bool IsA(const UClass* Class) const { return ClassPrivate && ClassPrivate->IsChildOf(Class); }
	UObject* GetOuter() const { return OuterPrivate; }
	virtual UWorld* GetWorld() const { return OuterPrivate ? OuterPrivate->GetWorld() : nullptr; }
	virtual void GetLifetimeReplicatedProps(TArray<struct FLifetimeProperty>&) const {}
	void AddToRoot() {}
	void RemoveFromRoot() {}

	// For tests only.
	UClass* ClassPrivate = nullptr;
	UObject* OuterPrivate = nullptr;
	bool bGone = false;
	std::shared_ptr<UObject*> SelfPrivate;
};

inline bool IsValid(const UObject* Object) { return Object && !Object->bGone; }

template <class T> bool DoubleIsA(const UObject* Object) { return Object && Object->IsA(T::StaticClass()); }
template <class T, class U> T* Cast(U* Object)
{
	return DoubleIsA<T>(Object) ? static_cast<T*>(Object) : nullptr;
}
template <class T, class U> const T* Cast(const U* Object)
{
	return DoubleIsA<T>(Object) ? static_cast<const T*>(Object) : nullptr;
}

namespace FDouble
{
	UObject* Make(UClass* Class, UObject* Outer);
	void CollectAll();
	int32 CountKept(const UClass* Class);
	UObject* DefaultOf(UClass* Class);
	/** Replaces the ini, in which a line `[/Script/Module.Class]` is followed by lines of the form
	 * `Property=Value`. */
	void LoadIni(const std::string& Text);
}

inline void DoubleParse(const std::string& Text, float& Value) { Value = std::strtof(Text.c_str(), nullptr); }
inline void DoubleParse(const std::string& Text, int32& Value)
{
	Value = static_cast<int32>(std::strtol(Text.c_str(), nullptr, 10));
}
inline void DoubleParse(const std::string& Text, bool& Value) { Value = Text == "True" || Text == "1"; }

template <class T> T* GetMutableDefault() { return static_cast<T*>(FDouble::DefaultOf(T::StaticClass())); }

template <class T> T* NewObject(UObject* Outer = nullptr)
{
	return static_cast<T*>(FDouble::Make(T::StaticClass(), Outer));
}

template <class T> class TObjectPtr
{
public:
	TObjectPtr() = default;
	TObjectPtr(std::nullptr_t) {}
	TObjectPtr(T* InObject) : Object(InObject) {}
	operator T*() const { return Object; }
	T* operator->() const { check(Object); return Object; }
	T* Get() const { return Object; }

private:
	T* Object = nullptr;
};
