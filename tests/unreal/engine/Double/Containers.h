// Containers and strings that wrap the standard library's.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CoreTypes.h"

class UObject;
class UWorld;

template <class T> constexpr typename std::remove_reference<T>::type&& MoveTemp(T&& Value) noexcept
{
	return static_cast<typename std::remove_reference<T>::type&&>(Value);
}

namespace FDouble
{
	inline int64 CopiedItems = 0;

	bool IsThere(const std::shared_ptr<UObject*>& Target);

	/** Some of these objects are used before main(), so they are local statics. */
	template <class T> T& Only()
	{
		static T It;
		return It;
	}
}

/** An array whose functions have the engine's names. An index out of range fails a check. */
template <class T> class TArray
{
public:
	TArray() = default;
	TArray(const TArray& Other) : Items(Other.Items) { FDouble::CopiedItems += Num(); }
	TArray(TArray&&) = default;
	TArray& operator=(const TArray& Other)
	{
		Items = Other.Items;
		FDouble::CopiedItems += Num();
		return *this;
	}
	TArray& operator=(TArray&&) = default;
	TArray(std::initializer_list<T> InItems) : Items(InItems) {}
	TArray(const T* InItems, int32 Count) : Items(InItems, InItems + Count) {}

	int32 Num() const { return static_cast<int32>(Items.size()); }
	bool IsEmpty() const { return Items.empty(); }
	bool IsValidIndex(int32 Index) const { return Index >= 0 && Index < Num(); }
	T& operator[](int32 Index) { check(IsValidIndex(Index)); return Items[static_cast<size_t>(Index)]; }
	const T& operator[](int32 Index) const
	{
		check(IsValidIndex(Index));
		return Items[static_cast<size_t>(Index)];
	}
	int32 Add(const T& Item) { Items.push_back(Item); return Num() - 1; }
	int32 Add(T&& Item) { Items.push_back(std::move(Item)); return Num() - 1; }
	void Append(const TArray& Other)
	{
		const std::vector<T> Added = Other.Items;
		Items.insert(Items.end(), Added.begin(), Added.end());
	}
	T* GetData() { return Items.data(); }
	const T* GetData() const { return Items.data(); }
	void Reset() { Items.clear(); }
	void SetNum(int32 Count) { check(Count >= 0); Items.resize(static_cast<size_t>(Count)); }
	void RemoveAt(int32 Index) { check(IsValidIndex(Index)); Items.erase(Items.begin() + Index); }
	template <class P> int32 RemoveAll(P Predicate)
	{
		return static_cast<int32>(std::erase_if(Items, Predicate));
	}
	template <class P> void StableSort(P Before) { std::stable_sort(Items.begin(), Items.end(), Before); }
	template <class P> T* FindByPredicate(P Predicate)
	{
		const auto Found = std::find_if(begin(), end(), Predicate);
		return Found != end() ? &*Found : nullptr;
	}
	template <class U> bool Contains(const U& Item) const { return std::find(begin(), end(), Item) != end(); }
	friend bool operator==(const TArray& A, const TArray& B) { return A.Items == B.Items; }
	auto begin() { return Items.begin(); }
	auto end() { return Items.end(); }
	auto begin() const { return Items.begin(); }
	auto end() const { return Items.end(); }

private:
	std::vector<T> Items;
};

using FDoubleText = std::basic_string<TCHAR>;

class FString
{
public:
	FString() = default;
	FString(const TCHAR* InText) : Text(InText) {}
	explicit FString(FDoubleText InText) : Text(std::move(InText)) {}
	const TCHAR* operator*() const { return Text.c_str(); }
	bool IsEmpty() const { return Text.empty(); }
	int32 Len() const { return static_cast<int32>(Text.size()); }
	TCHAR operator[](int32 Index) const
	{
		check(Index >= 0 && Index < Len());
		return Text[static_cast<size_t>(Index)];
	}
	bool RemoveFromEnd(const TCHAR* Ending)
	{
		const bool bFound = Text.ends_with(Ending);
		if (bFound) { Text.resize(Text.size() - FDoubleText(Ending).size()); }
		return bFound;
	}
	/** Unlike the engine's default, this function is case-sensitive. */
	bool StartsWith(const TCHAR* Beginning) const { return Text.starts_with(Beginning); }
	friend bool operator==(const FString& A, const FString& B) { return A.Text == B.Text; }
	static FString Printf(const TCHAR* Format, ...)
	{
		std::va_list Arguments;
		va_start(Arguments, Format);
		FString Result(FDouble::Format(Format, Arguments));
		va_end(Arguments);
		return Result;
	}

private:
	FDoubleText Text;
};

class FDoubleWide
{
public:
	explicit FDoubleWide(const char* Text)
	{
		while (*Text) { Wide.push_back(static_cast<TCHAR>(static_cast<uint8>(*Text++))); }
	}
	const TCHAR* Get() const { return Wide.c_str(); }

private:
	FDoubleText Wide;
};
#define UTF8_TO_TCHAR(Text) (FDoubleWide(Text).Get())

class FName
{
public:
	FName() = default;
	FName(const TCHAR* InText) : Text(InText) {}
	FString ToString() const { return FString(Text); }
	friend bool operator==(const FName& A, const FName& B) { return A.Text == B.Text; }

private:
	FDoubleText Text;
};
inline const FName NAME_None;

template <class T> class TUniquePtr
{
public:
	TUniquePtr() = default;
	TUniquePtr(std::nullptr_t) {}
	explicit TUniquePtr(T* Pointer) : Held(Pointer) {}
	TUniquePtr& operator=(TUniquePtr&& Other) { Held = std::move(Other.Held); return *this; }
	bool IsValid() const { return Held != nullptr; }
	explicit operator bool() const { return IsValid(); }
	T* Get() const { return Held.get(); }
	T* operator->() const { check(Held); return Held.get(); }
	T& operator*() const { check(Held); return *Held; }
	void Reset() { Held.reset(); }

private:
	std::unique_ptr<T> Held;
};
template <class T> class TSharedRef;

template <class T> class TSharedPtr
{
public:
	TSharedPtr() = default;
	TSharedPtr(std::nullptr_t) {}
	template <class U> TSharedPtr(const TSharedRef<U>& Other) : Held(Other.Share()) {}
	template <class U> TSharedPtr(const TSharedPtr<U>& Other) : Held(Other.Share()) {}
	bool IsValid() const { return Held != nullptr; }
	explicit operator bool() const { return IsValid(); }
	T* Get() const { return Held.get(); }
	T* operator->() const { check(Held); return Held.get(); }
	T& operator*() const { check(Held); return *Held; }
	void Reset() { Held.reset(); }
	const std::shared_ptr<T>& Share() const { return Held; }

private:
	std::shared_ptr<T> Held;
};

template <class T> class TSharedRef
{
public:
	explicit TSharedRef(std::shared_ptr<T> InHeld) : Held(std::move(InHeld)) { check(Held); }
	template <class U> TSharedRef(const TSharedRef<U>& Other) : Held(Other.Share()) {}
	T& operator*() const { return *Held; }
	T* operator->() const { return Held.get(); }
	T& Get() const { return *Held; }
	const std::shared_ptr<T>& Share() const { return Held; }

private:
	std::shared_ptr<T> Held;
};
template <class T, class... A> TSharedRef<T> MakeShared(A&&... Arguments)
{
	return TSharedRef<T>(std::make_shared<T>(std::forward<A>(Arguments)...));
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
