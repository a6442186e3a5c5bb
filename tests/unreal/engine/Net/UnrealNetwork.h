#pragma once

#include "Engine/EngineTypes.h"

#define DOREPLIFETIME(Class, Property)                                                                       \
	(static_cast<void>(&Class::Property),                                                                    \
		static_cast<void>(OutLifetimeProps.Add(FLifetimeProperty{#Property, Class::StaticClass()})))
