// Native delegates bind objects, functions and lambdas. Dynamic delegates bind member functions.
#pragma once

#include <deque>

#include "Double/Containers.h"

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
		return Bind(
			[Weak, Function](A... Arguments)
			{
				if (T* Alive = Weak.Get()) { (Alive->*Function)(Arguments...); }
			});
	}
	template <class F> FDelegateHandle AddLambda(F Function) { return Bind(Function); }
	void Remove(FDelegateHandle Handle)
	{
		for (FEntry& Entry : Bound)
		{
			if (Entry.Number == Handle.Number && Entry.bBound) { Entry.bBound = false; ++Removed; }
		}
	}
	size_t CountBound() const { return Bound.size() - Removed; }
	void Broadcast(A... Arguments) const
	{
		// A broadcast does not call functions that are bound while it runs. A function that is removed during
		// a broadcast may be running, so it is kept until the outermost broadcast ends.
		++Running;
		const size_t Count = Bound.size();
		for (size_t Index = 0; Index < Count; ++Index)
		{
			const FEntry& Entry = Bound[Index];
			if (Entry.bBound) { Entry.Function(Arguments...); }
		}
		if (--Running == 0 && Removed > 0)
		{
			std::erase_if(Bound, [](const FEntry& Entry) { return !Entry.bBound; });
			Removed = 0;
		}
	}

protected:
	FDelegateHandle Bind(std::function<void(A...)> Function)
	{
		FDelegateHandle Handle;
		Handle.Number = ++Last;
		Bound.push_back({Handle.Number, true, std::move(Function)});
		return Handle;
	}

private:
	struct FEntry
	{
		uint64 Number = 0;
		bool bBound = false;
		std::function<void(A...)> Function;
	};

	uint64 Last = 0;
	mutable int32 Running = 0;
	mutable size_t Removed = 0;
	/** A deque does not move its entries when another entry is added. */
	mutable std::deque<FEntry> Bound;
};

template <class R, class... A> class TDoubleDelegate
{
public:
	static TDoubleDelegate CreateStatic(R (*Function)(A...)) { return CreateLambda(Function); }
	template <class T> static TDoubleDelegate CreateUObject(T* Object, R (T::*Function)(A...))
	{
		const TWeakObjectPtr<T> Weak(Object);
		return CreateLambda(
			[Weak, Function](A... Arguments)
			{
				if (T* Alive = Weak.Get()) { (Alive->*Function)(Arguments...); }
			});
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

#define AddDynamic(Object, Function) AddUObject(Object, Function)

#define DECLARE_MULTICAST_DELEGATE_OneParam(Name, A) using Name = TDoubleMulticast<A>;
#define DECLARE_MULTICAST_DELEGATE_TwoParams(Name, A, B) using Name = TDoubleMulticast<A, B>;
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(Name) class Name : public TDoubleMulticast<> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, A, AName) \
	class Name : public TDoubleMulticast<A> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(Name, A, AName, B, BName, C, CName) \
	class Name : public TDoubleMulticast<A, B, C> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, A, AName, B, BName) \
	class Name : public TDoubleMulticast<A, B> {};
