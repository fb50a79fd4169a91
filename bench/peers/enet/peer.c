/* Both ends of the ENet measurement.
 *
 *   peer receive            listens on a free port, prints it, then "sent delay" in ns for each event, until the
 *                           client disconnects
 *   peer send PORT SIZE     reads when to send, ns since the start, one number a line, and sends an event of SIZE
 *                           bytes on a reliable channel at each
 *
 * Times are of CLOCK_MONOTONIC, which all processes of a machine share.
 */
#include <enet/enet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct head {
	unsigned long long since_start, clock;
};

static unsigned long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "enet: %s\n", what);
	exit(1);
}

/* Serves the host until the time or the end of the connection, which it returns. It waits a millisecond at a time,
 * ENet's resolution: a longer wait would sleep through resends that fall due. */
static int serve_until(ENetHost *host, unsigned long long at)
{
	for (;;) {
		unsigned long long t = now();
		ENetEvent event;
		if (t >= at)
			return 0;
		unsigned long long left = (at - t) / 1000000;
		if (enet_host_service(host, &event, left > 1 ? 1 : (enet_uint32)left) > 0 && event.type == ENET_EVENT_TYPE_DISCONNECT)
			return 1;
	}
}

static int receive(void)
{
	ENetAddress address = {.port = ENET_PORT_ANY};
	enet_address_set_host(&address, "127.0.0.1");
	ENetHost *host = enet_host_create(&address, 1, 1, 0, 0);
	if (host == NULL)
		fail("no socket for the server");
	enet_socket_get_address(host->socket, &address);
	printf("%d\n", address.port);
	fflush(stdout);
	ENetEvent event;
	unsigned long long heard = now();
	while (now() - heard < 60000000000ull) {
		if (enet_host_service(host, &event, 1) <= 0)
			continue;
		heard = now();
		if (event.type == ENET_EVENT_TYPE_DISCONNECT) {
			serve_until(host, now() + 1000000000ull); /* answers once more where its answer was lost */
			return 0;
		}
		if (event.type != ENET_EVENT_TYPE_RECEIVE)
			continue;
		struct head head;
		memcpy(&head, event.packet->data, sizeof head);
		printf("%llu %llu\n", head.since_start, now() - head.clock);
		enet_packet_destroy(event.packet);
	}
	fail("the server heard nothing for a minute");
	return 1;
}

static int send_events(int port, size_t size)
{
	ENetHost *host = enet_host_create(NULL, 1, 1, 0, 0);
	ENetAddress address = {.port = port};
	enet_address_set_host(&address, "127.0.0.1");
	ENetPeer *peer = host == NULL ? NULL : enet_host_connect(host, &address, 1, 0);
	ENetEvent event;
	if (peer == NULL || enet_host_service(host, &event, 10000) <= 0 || event.type != ENET_EVENT_TYPE_CONNECT)
		fail("no connection");
	char *data = calloc(1, size);
	unsigned long long start = now(), at;
	while (scanf("%llu", &at) == 1) {
		if (serve_until(host, start + at))
			fail("the client was disconnected");
		struct head head = {at, now()};
		memcpy(data, &head, sizeof head);
		enet_peer_send(peer, 0, enet_packet_create(data, size, ENET_PACKET_FLAG_RELIABLE));
		enet_host_flush(host);
	}
	enet_peer_disconnect_later(peer, 0); /* when all is acknowledged; the caller counts what arrived */
	serve_until(host, now() + 10000000000ull);
	return 0;
}

int main(int argc, char **argv)
{
	if (enet_initialize() != 0)
		fail("no network");
	if (argc == 2 && strcmp(argv[1], "receive") == 0)
		return receive();
	if (argc == 4 && strcmp(argv[1], "send") == 0 && strtoul(argv[3], NULL, 10) >= sizeof(struct head))
		return send_events(atoi(argv[2]), strtoul(argv[3], NULL, 10));
	fail("want: receive, or send PORT SIZE");
}
