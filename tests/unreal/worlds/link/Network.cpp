#include "Network.h"

#include <cmath>

#include "Double/Links.h"
#include "Session.h"

FLinkNetwork& FLinkNetwork::Get()
{
	static FLinkNetwork Network;
	return Network;
}

void FLinkNetwork::EndProcess(const std::string& Address)
{
	for (auto It = Ends.begin(); It != Ends.end();)
	{
		It = It->second.Address == Address ? Ends.erase(It) : std::next(It);
	}
}

int32 FLinkNetwork::CountServers() const
{
	int32 Sum = 0;
	for (const auto& End : Ends) { Sum += End.second.bServer ? 1 : 0; }
	return Sum;
}

int32 FLinkNetwork::CountClients() const { return static_cast<int32>(Ends.size()) - CountServers(); }

/** How late a waiting thread runs, on a machine that is not busy. The library's own tests have worse ones. */
double FLinkNetwork::WakeDelay() { return 80e-6 + Dice.Fraction() * 45e-6; }

#if WITH_NETCLOCK_LIBRARY

#undef netclock_link_server_create
#undef netclock_link_server_destroy
#undef netclock_link_client_create
#undef netclock_link_client_destroy
#undef netclock_monotonic_now
#include "netclock/netclock_link.h"

// If the header was read before, it declared these functions under their other names.
extern "C"
{
	netclock_status netclock_link_server_create(
		const netclock_link_server_config*, const char*, uint16_t, uint64_t, netclock_link_server**);
	netclock_status netclock_link_server_destroy(netclock_link_server*);
	netclock_status netclock_link_client_create(const netclock_link_client_config*, netclock_client*,
		const char*, uint16_t, const netclock_session_key*, netclock_link_client**);
	netclock_status netclock_link_client_destroy(netclock_link_client*);
}

static int64 TicksAt(const FMachineClock& Clock, double True)
{
	return static_cast<int64>(std::floor(Clock.At(True) * 1e7));
}

static double TrueAt(const FMachineClock& Clock, int64 Ticks)
{
	return (static_cast<double>(Ticks) * 1e-7 - Clock.Origin) / (1.0 + Clock.Ppm * 1e-6);
}

static std::int32_t ServeHere(
	const void* Config, const char*, std::uint16_t Port, std::uint64_t Epoch, void** Link)
{
	return FLinkNetwork::Get().Serve(Config, Port, Epoch, Link);
}

static std::int32_t ConnectHere(
	const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link)
{
	return FLinkNetwork::Get().Connect(Config, Client, Host, Port, Key, Link);
}

static std::int32_t EndServer(void* Link)
{
	FLinkNetwork::Get().Forget(Link);
	return netclock_link_server_destroy(static_cast<netclock_link_server*>(Link));
}

static std::int32_t EndClient(void* Link)
{
	FLinkNetwork::Get().Forget(Link);
	return netclock_link_client_destroy(static_cast<netclock_link_client*>(Link));
}

void FLinkNetwork::Begin(FSession* InSession, uint64 Seed)
{
	FDouble::LinkCalls = {&ServeHere, &ConnectHere, &EndServer, &EndClient};
	Session = InSession;
	FirstAllowed = 0;
	Dice = FDice{Seed ^ 0x4C494E4Bu};
	Ends.clear();
	Events = FAgenda();
}

int32 FLinkNetwork::Serve(const void* Config, uint16 Port, uint64 Epoch, void** Link)
{
	if (Port < FirstAllowed) { return NETCLOCK_NO_PERMISSION; }
	for (const auto& End : Ends)
	{
		if (End.second.bServer && End.second.Port == Port && End.second.Address == FDouble::State.Address)
		{
			return NETCLOCK_PORT_IN_USE;
		}
	}
	netclock_link_server_config Carried = *static_cast<const netclock_link_server_config*>(Config);
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status = netclock_link_server_create(
		&Carried, nullptr, 0, Epoch, reinterpret_cast<netclock_link_server**>(Link));
	if (Status == NETCLOCK_OK)
	{
		const FDouble::FState& Here = FDouble::State;
		Ends[++Created] = {*Link, Here.Clock, Here.Address, "", Port, Carried.clock_offset, true, 0};
	}
	return Status;
}

int32 FLinkNetwork::Connect(
	const void* Config, void* Client, const std::string& Host, uint16 Port, const void* Key, void** Link)
{
	netclock_link_client_config Carried = *static_cast<const netclock_link_client_config*>(Config);
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status =
		netclock_link_client_create(&Carried, static_cast<netclock_client*>(Client), nullptr, 0,
			static_cast<const netclock_session_key*>(Key), reinterpret_cast<netclock_link_client**>(Link));
	if (Status == NETCLOCK_OK)
	{
		const FDouble::FState& Here = FDouble::State;
		Ends[++Created] = {*Link, Here.Clock, Here.Address, Host, Port, 0, false, 0};
		PlanWake(Created, FDouble::State.Now);
	}
	return Status;
}

void FLinkNetwork::Forget(const void* Link)
{
	for (auto It = Ends.begin(); It != Ends.end(); ++It)
	{
		if (It->second.Link == Link)
		{
			Ends.erase(It);
			return;
		}
	}
}

/** Plans that a client's thread runs some time after `At`, unless something else wakes it earlier. */
void FLinkNetwork::PlanWake(uint64 Id, double At)
{
	const uint64 Number = ++Ends[Id].Plan;
	const double Runs = At + WakeDelay();
	Events.Add(Runs,
		[this, Id, Number, Runs]()
		{
			const auto Found = Ends.find(Id);
			if (Found != Ends.end() && Found->second.Plan == Number) { Wake(Id, Runs); }
		});
}

void FLinkNetwork::Wake(uint64 Id, double At)
{
	const FEnd End = Ends[Id];
	netclock_link_client* Link = static_cast<netclock_link_client*>(End.Link);
	std::int64_t Next = 0;
	FDatagram Datagram(NETCLOCK_LINK_DATAGRAM_SIZE);
	while (netclock_link_client_due(Link, TicksAt(End.Clock, At), Datagram.data(), Datagram.size(), &Next) ==
		NETCLOCK_OK)
	{
		Transmit(true, End.Address, At + 5e-6,
			[this, Id, Datagram](double Arrives) { ArriveAtServer(Id, Datagram, Arrives); });
	}
	// An error leaves `Next` at zero: the machine's frame was ahead of this thread.
	PlanWake(Id, Next != 0 ? TrueAt(End.Clock, Next) : At + 0.001);
}

void FLinkNetwork::Transmit(
	bool bUp, const std::string& Client, double At, std::function<void(double)> Arrive)
{
	for (const auto& Peer : Session->Peers)
	{
		if (Peer->Machine.Address != Client || Peer->bUdpBlocked) { continue; }
		const FDirection& Way = bUp ? Peer->Link.Up : Peer->Link.Down;
		const bool bTwice = Dice.Fraction() < Way.Duplicates;
		if (Dice.Fraction() < Way.Loss) { return; }
		for (int32 Copy = 0; Copy < (bTwice ? 2 : 1); ++Copy)
		{
			const double Arrives = At + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000;
			Events.Add(Arrives, [Arrive, Arrives]() { Arrive(Arrives); });
		}
	}
}

void FLinkNetwork::ArriveAtServer(uint64 From, const FDatagram& Datagram, double At)
{
	const auto Client = Ends.find(From);
	if (Client == Ends.end()) { return; }
	for (const auto& Each : Ends)
	{
		const FEnd& End = Each.second;
		if (!End.bServer || End.Address != Client->second.Host || End.Port != Client->second.Port)
		{
			continue;
		}
		const double Runs = At + WakeDelay();
		const int64 Received = TicksAt(End.Clock, Runs) + End.OffsetTicks;
		FDatagram Answer(NETCLOCK_LINK_DATAGRAM_SIZE);
		if (netclock_link_server_answer(static_cast<netclock_link_server*>(End.Link), Datagram.data(),
				Datagram.size(), Received, Received, Answer.data(), Answer.size()) == NETCLOCK_OK)
		{
			Transmit(false, Client->second.Address, Runs + 5e-6,
				[this, From, Answer](double Arrives) { ArriveAtClient(From, Answer, Arrives); });
		}
		return;
	}
}

void FLinkNetwork::ArriveAtClient(uint64 Id, const FDatagram& Datagram, double At)
{
	const double Runs = At + WakeDelay();
	Events.Add(Runs,
		[this, Id, Datagram, Runs]()
		{
			const auto Found = Ends.find(Id);
			if (Found == Ends.end()) { return; }
			const int64 Arrived = TicksAt(Found->second.Clock, Runs);
			static_cast<void>(
				netclock_link_client_handle(static_cast<netclock_link_client*>(Found->second.Link),
					Datagram.data(), Datagram.size(), Arrived));
			Wake(Id, Runs);
		});
}

#else

void FLinkNetwork::Begin(FSession*, uint64) {}

#endif
