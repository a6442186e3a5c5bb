// Automation tests, specs and latent commands. The tests register themselves, and the worlds run them.
#pragma once

#include "CoreMinimal.h"

#define WITH_DEV_AUTOMATION_TESTS (!UE_BUILD_SHIPPING)

enum class EAutomationTestFlags : uint32 { EditorContext = 0x01, ClientContext = 0x02, ProductFilter = 0x08 };
constexpr EAutomationTestFlags operator|(EAutomationTestFlags A, EAutomationTestFlags B)
{
	return static_cast<EAutomationTestFlags>(static_cast<uint32>(A) | static_cast<uint32>(B));
}

class IAutomationLatentCommand
{
public:
	virtual ~IAutomationLatentCommand() = default;
	virtual bool Update() = 0;
};

class FFunctionLatentCommand : public IAutomationLatentCommand
{
public:
	explicit FFunctionLatentCommand(std::function<bool()> InFunction) : Function(std::move(InFunction)) {}
	bool Update() override { return Function(); }

private:
	std::function<bool()> Function;
};

class FAutomationTestBase
{
public:
	static auto& All() { return FDouble::Only<std::vector<FAutomationTestBase*>>(); }
	FAutomationTestBase(const char* InName, EAutomationTestFlags) : Name(InName) { All().push_back(this); }
	virtual ~FAutomationTestBase() = default;
	virtual bool RunTest(const FString& Parameters) = 0;

	bool TestTrue(const TCHAR* What, bool bValue) { return Expect(What, bValue); }
	bool TestFalse(const TCHAR* What, bool bValue) { return Expect(What, !bValue); }
	bool TestEqual(const TCHAR* What, int32 Actual, int32 Expected)
	{
		return Expect(What, Actual == Expected);
	}
	void AddError(const FString& Text) { Expect(*Text, false); }
	void AddInfo(const FString& Text) { Info.push_back(Text); }
	void AddCommand(IAutomationLatentCommand* Command) { Commands.emplace_back(Command); }

	// For tests only.
	const char* const Name;
	int32 Expectations = 0;
	std::vector<FString> Errors, Info;
	std::vector<std::unique_ptr<IAutomationLatentCommand>> Commands;

private:
	bool Expect(const TCHAR* What, bool bKept)
	{
		++Expectations;
		if (!bKept) { Errors.push_back(FString(What)); }
		return bKept;
	}
};

class FAutomationSpecBase : public FAutomationTestBase
{
public:
	using FAutomationTestBase::FAutomationTestBase;
	virtual void Define() = 0;
	bool RunTest(const FString&) override
	{
		Define();
		for (const auto& Each : Bodies) { Each(); }
		return Errors.empty();
	}
	void Describe(const FString&, std::function<void()> Body) { Body(); }
	void It(const FString&, std::function<void()> Body) { Bodies.push_back(std::move(Body)); }

	// For tests only.
	std::vector<std::function<void()>> Bodies;
};

#define BEGIN_DEFINE_SPEC(TClass, PrettyName, Flags) \
	class TClass : public FAutomationSpecBase \
	{ \
	public: \
		TClass() : FAutomationSpecBase(PrettyName, Flags) {} \
		void Define() override;
#define END_DEFINE_SPEC(TClass) \
	}; \
	static TClass Double##TClass;
#define IMPLEMENT_SIMPLE_AUTOMATION_TEST(TClass, PrettyName, Flags) \
	class TClass : public FAutomationTestBase \
	{ \
	public: \
		TClass() : FAutomationTestBase(PrettyName, Flags) {} \
		bool RunTest(const FString& Parameters) override; \
	}; \
	static TClass Double##TClass;
