// The network of the link: datagrams between machines, and the threads that wait for them. The plugin's links
// have neither socket nor thread here. The library does the rest, as in a game.
#pragma once

#include <map>
#include <string>

#include "Agenda.h"
#include "Double/Harness.h"

class FSession;

/** Where an arrival is stamped. */
enum class ELinkStamps { Thread, Kernel };

class FLinkNetwork
{
public:
	static FLinkNetwork& Get();

	/** From now on machines are those of this session. Nothing is under way. */
	void Begin(FSession* InSession, uint64 Seed);

	/** Everything up to this true time, in its order: threads wake up, datagrams arrive. */
	void RunUntil(double True) { Events.RunUntil(True); }

	/** Payload that a client's link sent and was sent, in bytes. */
	int64 BytesOf(const std::string& Client) const;

	/** Links that are open. */
	int32 CountServers() const;
	int32 CountClients() const;

	ELinkStamps Stamps = ELinkStamps::Thread;
	/** The system gives nobody a port below this one. */
	uint16 FirstAllowed = 0;

	// What the plugin's calls lead to.
	int32 Serve(const void* Config, uint16 Port, uint64 Epoch, void** Link);
	int32 Connect(
		const void* Config, void* Client, const std::string& Host, uint16 Port, const void* Key, void** Link);
	void Forget(const void* Link);
	/** The process at an address ends, and the system closes its sockets. */
	void EndProcess(const std::string& Address);

private:
	struct FEnd
	{
		void* Link = nullptr;
		FMachineClock Clock;
		/** Of its machine, and for a client that of the server. */
		std::string Address, Host;
		uint16 Port = 0;
		/** A server's: server time minus its machine's clock, in ticks. */
		int64 OffsetTicks = 0;
		bool bServer = false;
		/** Counts what is planned: older plans are void. */
		uint64 Plan = 0;
	};
	using FDatagram = std::vector<uint8>;

	void PlanWake(uint64 Id, double At);
	void Wake(uint64 Id, double At);
	void Transmit(bool bUp, const std::string& Client, double At, std::function<void(double)> Arrive);
	void ArriveAtServer(uint64 From, const FDatagram& Datagram, double At);
	void ArriveAtClient(uint64 Id, const FDatagram& Datagram, double At);
	double WakeDelay();
	double SendDelay();

	FSession* Session = nullptr;
	FDice Dice;
	std::map<uint64, FEnd> Ends;
	uint64 Created = 0;
	FAgenda Events;
	std::map<std::string, int64> Bytes;
};
