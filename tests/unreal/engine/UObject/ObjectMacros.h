// Macros that Unreal Header Tool reads. They are empty for the compiler, except GENERATED_BODY(), which the
// generated header defines.
#pragma once

#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define UMETA(...)
#define UPARAM(...)

#define DOUBLE_JOIN_(A, B, C) A##B##C
#define DOUBLE_JOIN(A, B, C) DOUBLE_JOIN_(A, B, C)
#define GENERATED_BODY(...) DOUBLE_JOIN(CURRENT_FILE_ID, __LINE__, _GENERATED_BODY)
