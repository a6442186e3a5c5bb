// The macros of Unreal Header Tool. The generated header of each class defines GENERATED_BODY().
#pragma once

#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)

#define DOUBLE_JOIN_(A, B, C) A##B##C
#define DOUBLE_JOIN(A, B, C) DOUBLE_JOIN_(A, B, C)
#define GENERATED_BODY(...) DOUBLE_JOIN(CURRENT_FILE_ID, __LINE__, _GENERATED_BODY)
