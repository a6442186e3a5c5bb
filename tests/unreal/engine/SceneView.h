// The engine double: a view of a scene, one of the family that is rendered together.
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
