// There is one instance of each category on the server and on each client that shows it.
#pragma once

#include "GameFramework/PlayerController.h"
#include "Serialization/Archive.h"

struct FColor
{
	constexpr FColor(uint8 InR, uint8 InG, uint8 InB, uint8 InA = 255) : R(InR), G(InG), B(InB), A(InA) {}
	uint8 R, G, B, A;
};

class FGameplayDebuggerCanvasContext
{
public:
	void Print(const FString& Text) { Printed.push_back(Text); }
	void Print(const FColor& Color, const FString& Text)
	{
		Printed.push_back(Text);
		Colored.push_back({Color, Text});
	}

	// For tests only.
	std::vector<FString> Printed;
	std::vector<std::pair<FColor, FString>> Colored;
};

class FGameplayDebuggerCategory
{
public:
	virtual ~FGameplayDebuggerCategory() = default;
	virtual void CollectData(APlayerController*, AActor*) {}
	virtual void DrawData(APlayerController*, FGameplayDebuggerCanvasContext&) {}

	float CollectDataInterval = 0;
	bool bShowOnlyWithDebugActor = true;

	// For tests only.
	std::vector<uint8> Replicate(APlayerController* Owner);
	void Receive(const std::vector<uint8>& Bytes);

protected:
	template <class T> int32 SetDataPackReplication(T* Pack)
	{
		Reset = [Pack]() { *Pack = T(); };
		Move = [Pack](FArchive& Archive) { Pack->Serialize(Archive); };
		return 0;
	}

private:
	std::function<void()> Reset;
	std::function<void(FArchive&)> Move;
};
