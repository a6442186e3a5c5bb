#pragma once

class FSceneInterface;

class FSceneViewFamily
{
public:
	FSceneInterface* Scene = nullptr;
};

class FSceneView
{
public:
	const FSceneViewFamily* Family = nullptr;
};
