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
	bool IsBound() const { return !Bound.empty(); }
	void Broadcast(A... Arguments)
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
	std::vector<std::pair<uint64, std::function<void(A...)>>> Bound;
};

/** One function, bound or not. */
template <class R, class... A> class TDoubleDelegate
{
public:
	static TDoubleDelegate CreateStatic(R (*Function)(A...)) { return TDoubleDelegate(Function); }
	template <class T> static TDoubleDelegate CreateUObject(T* Object, R (T::*Function)(A...))
	{
		const TWeakObjectPtr<T> Weak(Object);
		return TDoubleDelegate([Weak, Function](A... Arguments) { if (T* Alive = Weak.Get()) { (Alive->*Function)(Arguments...); } });
	}
	R Execute(A... Arguments) const { return Function(Arguments...); }

private:
	explicit TDoubleDelegate(std::function<R(A...)> InFunction) : Function(std::move(InFunction)) {}
	std::function<R(A...)> Function;
};

#define DECLARE_MULTICAST_DELEGATE(Name) using Name = TDoubleMulticast<>;
#define DECLARE_MULTICAST_DELEGATE_OneParam(Name, A) using Name = TDoubleMulticast<A>;
#define DECLARE_MULTICAST_DELEGATE_ThreeParams(Name, A, B, C) using Name = TDoubleMulticast<A, B, C>;
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(Name) class Name : public TDoubleMulticast<> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, A, AName) class Name : public TDoubleMulticast<A> {};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, A, AName, B, BName) class Name : public TDoubleMulticast<A, B> {};
