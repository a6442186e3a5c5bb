#pragma once

class UWorld;

class FSceneInterface
{
public:
	explicit FSceneInterface(UWorld* InWorld) : World(InWorld) {}
	UWorld* GetWorld() const { return World; }

private:
	UWorld* World;
};
