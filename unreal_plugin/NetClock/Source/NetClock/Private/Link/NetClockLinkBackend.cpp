// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_link.h: the link.

#include "Link/NetClockLinkBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

namespace
{
	bool IsDigit(TCHAR Letter) { return Letter >= '0' && Letter <= '9'; }

	bool IsHexDigit(TCHAR Letter)
	{
		return IsDigit(Letter) || (Letter >= 'a' && Letter <= 'f') || (Letter >= 'A' && Letter <= 'F');
	}

	/** Four numbers of one to three digits, with points between them. */
	bool IsVersion4(const FString& Text)
	{
		int32 Points = 0;
		int32 Digits = 0;
		for (int32 Index = 0; Index < Text.Len(); ++Index)
		{
			const bool bPoint = Text[Index] == '.';
			if (bPoint ? Digits == 0 : !IsDigit(Text[Index]) || Digits == 3)
			{
				return false;
			}
			Points += bPoint ? 1 : 0;
			Digits = bPoint ? 0 : Digits + 1;
		}
		return Points == 3 && Digits > 0;
	}

	/** Hexadecimal digits with at least two colons, perhaps in brackets. The library reads the rest. */
	bool IsVersion6(const FString& Text)
	{
		int32 Colons = 0;
		for (int32 Index = 0; Index < Text.Len(); ++Index)
		{
			const TCHAR Letter = Text[Index];
			const bool bBracket = (Letter == '[' && Index == 0) || (Letter == ']' && Index == Text.Len() - 1);
			if (!bBracket && !IsHexDigit(Letter) && Letter != ':' && Letter != '.')
			{
				return false;
			}
			Colons += Letter == ':' ? 1 : 0;
		}
		return Colons >= 2;
	}
}

bool NetClock::IsIpAddress(const FString& Text)
{
	return IsVersion4(Text) || IsVersion6(Text);
}

namespace
{
	/** Most players with a key. More of them use the game's messages. */
	constexpr uint32_t MaxKeys = 1024;

	/** Longest address as text, with its end. */
	constexpr int32 AddressSize = 64;

	netclock_session_key KeyOf(const FNetClockLinkOffer& Offer)
	{
		netclock_session_key Key{};
		Key.id = static_cast<uint32_t>(Offer.KeyId);
		Key.secret_high = static_cast<uint64_t>(Offer.SecretHigh);
		Key.secret_low = static_cast<uint64_t>(Offer.SecretLow);
		return Key;
	}

	/** The address without brackets. */
	void CopyAddress(const FString& Address, char (&Host)[AddressSize])
	{
		int32 Length = 0;
		for (int32 Index = 0; Index < Address.Len() && Length < AddressSize - 1; ++Index)
		{
			if (Address[Index] != '[' && Address[Index] != ']')
			{
				Host[Length++] = static_cast<char>(Address[Index]);
			}
		}
		Host[Length] = '\0';
	}

	ENetClockLinkState StateOf(int32_t State)
	{
		switch (State)
		{
		case NETCLOCK_LINK_LINKED: return ENetClockLinkState::Linked;
		case NETCLOCK_LINK_BLOCKED: return ENetClockLinkState::Blocked;
		case NETCLOCK_LINK_NOT_POSSIBLE: return ENetClockLinkState::Blocked;
		case NETCLOCK_LINK_SERVING: return ENetClockLinkState::Serving;
		default: return ENetClockLinkState::Checking;
		}
	}

	/** A count, as far as Blueprints can hold it. */
	int32 CountOf(uint64_t Count) { return static_cast<int32>(FMath::Min(Count, uint64_t{0x7fffffff})); }

	ENetClockStamps StampsOf(int32_t Stamps)
	{
		switch (Stamps)
		{
		case NETCLOCK_LINK_STAMPS_KERNEL: return ENetClockStamps::Kernel;
		case NETCLOCK_LINK_NO_STAMPS: return ENetClockStamps::Frames;
		default: return ENetClockStamps::Thread;
		}
	}

	FNetClockLinkStatus StatusOf(const netclock_link_report& Report)
	{
		FNetClockLinkStatus Status;
		Status.State = StateOf(Report.state);
		Status.Stamps = StampsOf(Report.stamps);
		Status.Requests = CountOf(Report.requests);
		Status.Replies = CountOf(Report.replies);
		Status.Foreign = CountOf(Report.foreign);
		return Status;
	}
}

TSharedPtr<FNetClockLinkServer> FNetClockLinkServer::Open(
	int32 First, int32 Count, int64 Epoch, int64 OffsetTicks, FString& Trouble)
{
	if (!NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	auto Config = NetClock::Sized<netclock_link_server_config>();
	Config.capacity = MaxKeys;
	Config.clock_offset = OffsetTicks;
	for (int32 Tried = First; Tried < First + Count && Tried <= 65535; ++Tried)
	{
		netclock_link_server* Made = nullptr;
		const netclock_status Status = netclock_link_server_create(
			&Config, nullptr, static_cast<uint16_t>(Tried), static_cast<uint64_t>(Epoch), &Made);
		if (Status == NETCLOCK_OK)
		{
			return MakeShared<FNetClockLinkServer>(Made, &netclock_link_server_destroy, Tried);
		}
		Trouble = FString(UTF8_TO_TCHAR(netclock_last_error()));
		// Windows also forbids ports that another program wants for itself alone, or that the system keeps.
		if (Status != NETCLOCK_PORT_IN_USE && Status != NETCLOCK_NO_PERMISSION)
		{
			break;
		}
	}
	return nullptr;
}

bool FNetClockLinkServer::Admit(const FNetClockLinkOffer& Offer)
{
	const netclock_session_key Key = KeyOf(Offer);
	return netclock_link_server_admit(Handle, &Key) == NETCLOCK_OK;
}

void FNetClockLinkServer::Revoke(int32 KeyId)
{
	static_cast<void>(netclock_link_server_revoke(Handle, static_cast<uint32_t>(KeyId)));
}

FNetClockLinkStatus FNetClockLinkServer::Read() const
{
	auto Report = NetClock::Sized<netclock_link_report>();
	return netclock_link_server_report(Handle, &Report) == NETCLOCK_OK ? StatusOf(Report)
																	   : FNetClockLinkStatus();
}

TSharedPtr<FNetClockLinkClient> FNetClockLinkClient::Open(const TSharedPtr<FNetClockClient>& InClient,
	const FString& Address, const FNetClockLinkOffer& Offer, FString& Trouble)
{
	if (!NetClock::IsLibraryUsable() || !InClient.IsValid())
	{
		return nullptr;
	}
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	auto Config = NetClock::Sized<netclock_link_client_config>();
	Config.steady_interval = NetClock::SecondsToTicks(static_cast<double>(Settings.LinkIntervalSeconds));
	Config.message_interval =
		NetClock::SecondsToTicks(static_cast<double>(Settings.ProbeIntervalBesideLinkSeconds));
	netclock_session_key Key = KeyOf(Offer);
	// A link that is opened again in one connection has the same key, and has to begin above the numbers that
	// it used. So any number that grows will do.
	static uint32_t Opened = 0;
	Key.restarts = Opened++;
	char Host[AddressSize];
	CopyAddress(Address, Host);
	netclock_link_client* Made = nullptr;
	if (netclock_link_client_create(
			&Config, InClient->Handle, Host, static_cast<uint16_t>(Offer.Port), &Key, &Made) != NETCLOCK_OK)
	{
		Trouble = FString(UTF8_TO_TCHAR(netclock_last_error()));
		return nullptr;
	}
	return MakeShared<FNetClockLinkClient>(Made, &netclock_link_client_destroy, InClient);
}

FNetClockLinkStatus FNetClockLinkClient::Read() const
{
	auto Report = NetClock::Sized<netclock_link_report>();
	return netclock_link_client_report(Handle, &Report) == NETCLOCK_OK ? StatusOf(Report)
																	   : FNetClockLinkStatus();
}
