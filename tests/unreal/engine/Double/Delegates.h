// The engine double: delegates. Native ones bind objects, functions and lambdas; dynamic ones member functions.
#pragma once

#include "Double/Objects.h"

class FDelegateHandle
{
public:
	bool IsValid() const { return Number != 0; }
	void Reset() { Number = 0; }
	uint64 Number = 0;
};

template <class... A> class TDoubleMulticast
{
public:
	template <class T> FDelegateHandle AddUObject(T* Object, void (T::*Function)(A...))
	{
		const TWeakObjectPtr<T> Weak(Object);
		return Bind([Weak, Function](A... Arguments) { if (T* Alive = Weak.Get()) { (Alive->*Function)(Arguments...); } });
	}
	template <class F> FDelegateHandle AddLambda(F Function) { return Bind(Function); }
	void Remove(FDelegateHandle Handle)
	{
		for (size_t Index = 0; Index < Bound.size(); ++Index)
		{
			if (Bound[Index].first == Handle.Number) { Bound[Index].second = nullptr; }
		}
	}
	bool IsBound() const
	{
		for (const auto& Entry : Bound) { if (Entry.second) { return true; } }
		return false;
	}
	void Broadcast(A... Arguments) const
	{
		// Bound while broadcasting: called from the next time on. Removed while broadcasting: not called any more.
		const size_t Count = Bound.size();
		for (size_t Index = 0; Index < Count; ++Index)
		{
			const std::function<void(A...)> Function = Bound[Index].second;
			if (Function) { Function(Arguments...); }
		}
		std::vector<std::pair<uint64, std::function<void(A...)>>> Kept;
		for (auto& Entry : Bound) { if (Entry.second) { Kept.push_back(Entry); } }
		Bound.swap(Kept);
	}

protected:
	FDelegateHandle Bind(std::function<void(A...)> Function)
	{
		FDelegateHandle Handle;
		Handle.Number = ++Last;
		Bound.emplace_back(Handle.Number, std::move(Function));
		return Handle;
	}

private:
	uint64 Last = 0;
	mutable std::vector<std::pair<uint64, std::function<void(A...)>>> Bound;
};

/** One function, bound or not. */
template <class R, class... A> class TDoubleDelegate
{
public:
	static TDoubleDelegate CreateStatic(R (*Function)(A...)) { return CreateLambda(Function); }
	template <class T> static TDoubleDelegate CreateUObject(T* Object, R (T::*Function)(A...))
	{
		const TWeakObjectPtr<T> Weak(Object);
		return CreateLambda([Weak, Function](A... Arguments) { if (T* Alive = Weak.Get()) { (Alive->*Function)(Arguments...); } });
	}
	template <class F> static TDoubleDelegate CreateLambda(F InFunction)
	{
		TDoubleDelegate Made;
		Made.Function = InFunction;
		return Made;
	}
	bool IsBound() const { return static_cast<bool>(Function); }
	R Execute(A... Arguments) const { return Function(Arguments...); }
	bool ExecuteIfBound(A... Arguments) const
	{
		if (Function) { Function(Arguments...); }
		return IsBound();
	}

private:
	std::function<R(A...)> Function;
};

#define DECLARE_DELEGATE_OneParam(Name, A) using Name = TDoubleDelegate<void, A>;
#define DECLARE_DELEGATE_ThreeParams(Name, A, B, C) using Name = TDoubleDelegate<void, A, B, C>;

#define DECLARE_MULTICAST_DELEGATE(Name) using Name = TDoubleMulticast<>;
#define DECLARE_MULTICAST_DELEGATE_OneParam(Name, A) using Name = TDoubleMulticast<A>;
#define DECLARE_MULTICAST_DELEGATE_ThreeParams(Name, A, B, C) using Name = TDoubleMulticast<A, B, C>;
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(Name) class Name : public TDoubleMulticast<> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, A, AName) class Name : public TDoubleMulticast<A> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(Name, A, AName, B, BName, C, CName) class Name : public TDoubleMulticast<A, B, C> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, A, AName, B, BName) class Name : public TDoubleMulticast<A, B> {};
