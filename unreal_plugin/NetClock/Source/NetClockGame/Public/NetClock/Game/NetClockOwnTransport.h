// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClockOwnTransport.generated.h"

class UObject;

/** A client's request for the time. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockRequest
{
	GENERATED_BODY()

	/** The number of the request. The reply repeats this number. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** The time on the client's clock when it sent the request, in ticks of 100 ns from an origin that the
	 * client chose at random. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ClientTicks = 0;
};

/** The server's reply to a request. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockReply
{
	GENERATED_BODY()

	/** The number of the request. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** Identifies the server's clock, and changes when that clock restarts. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Epoch = 0;

	/** The time on the server's clock when it received the request, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ReceivedTicks = 0;

	/** The time on the server's clock when it sent this reply, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 SentTicks = 0;
};

/**
 * The clock exchange for games with their own transport. Times are in ticks of 100 ns. These functions drive
 * the same clock as the component, so a game can use either or both.
 */
UCLASS()
class NETCLOCKGAME_API UNetClockBlueprintLibrary : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/**
	 * Client: creates a request. Send the request to the server immediately. Returns false if this machine is
	 * not a client.
	 *
	 * @param Request The request to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request);

	/**
	 * Client: passes a reply to the clock. Call this as soon as the reply arrives, because it timestamps the
	 * arrival. Returns false if the clock rejects the reply.
	 *
	 * @param Reply The reply that has arrived.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply);

	/**
	 * Server: creates the reply to a request. Send it immediately. Returns false on a client, or if this
	 * server does not have a time to serve yet.
	 *
	 * @param Request The request that has arrived.
	 * @param ReceivedTicks The result of Get Local Clock (ticks) when the request arrived.
	 * @param Reply The reply to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool AnswerClockRequest(const UObject* WorldContextObject, const FNetClockRequest& Request,
		int64 ReceivedTicks, FNetClockReply& Reply);

	/** Reads this machine's monotonic clock, in ticks of 100 ns. Call this as soon as a request arrives. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (DisplayName = "Get Local Clock (ticks)", Keywords = "request reply ping ntp"))
	static int64 GetLocalClockTicks();
};
