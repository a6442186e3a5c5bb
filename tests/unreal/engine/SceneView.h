// The engine double: a view of a scene, and the family of views that are rendered together.
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
