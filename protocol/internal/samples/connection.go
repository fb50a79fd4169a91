package samples

import p "darqline/protocol"

func connection() []Sample {
	const nonce = 0x0102030405060708
	return []Sample{
		{File: "client_hello", Packet: &p.ClientHello{
			Version: p.Version, Nonce: nonce, Cookie: cookie(), Name: "CJ_Johnson", Proof: bytes32(0x10), Serial: bytes32(0x80), Locale: "pt-br",
		}},
		{File: "client_hello_first", Packet: &p.ClientHello{Version: p.Version, Nonce: nonce, Name: "CJ_Johnson", Serial: bytes32(0x80), Locale: "en"}},
		{File: "client_hello_resume", Packet: &p.ClientHello{Version: p.Version, Nonce: nonce + 1, Cookie: cookie(), Resume: token}},
		{File: "connect_challenge", Packet: &p.ConnectChallenge{Nonce: nonce, Cookie: cookie(), Flags: p.ChallengePassword}},
		{File: "server_hello", Packet: &p.ServerHello{
			Nonce: nonce, Token: token, PlayerID: 258, PlayerToken: 70001, State: p.HelloPreSpawn, ClientFilesPort: 7777, MaxPlayers: 1000,
			Keepalive: 1000, Timeout: 10000, ServerTime: 0xFFFFFF00, BootID: 0xB007B007B007B007, ServerName: "Grove Street – home", Name: "CJ_Johnson",
		}},
		{File: "server_hello_sign_in", Packet: &p.ServerHello{
			Nonce: nonce, Token: token, PlayerID: 0, PlayerToken: 1, State: p.HelloPreAuth, ClientFilesPort: 7778, MaxPlayers: 1,
			Keepalive: 250, Timeout: 3000, ServerTime: 1, BootID: 1, AuthNonce: bytes32(0x20), ServerName: "S", Name: "CJ",
		}},
		{File: "server_hello_moved", Packet: &p.ServerHello{
			Nonce: nonce + 1, Token: token, PlayerID: p.NoPlayer - 1, PlayerToken: 0xFFFFFFFF, State: p.HelloMoved, ClientFilesPort: 65535, MaxPlayers: 65535,
			Keepalive: 5000, Timeout: 60000, ServerTime: 2, BootID: 0xB007B007B007B007, ServerName: long("server ", 63), Name: long("n", 47),
		}},
		{File: "connect_reject", Packet: &p.ConnectReject{Nonce: nonce, Reason: p.ReasonNameInUse, Seconds: 9, Text: "This name is taken."}},
		{File: "connect_reject_banned", Packet: &p.ConnectReject{Nonce: nonce, Reason: p.ReasonBanned, Seconds: p.Forever}},
		{File: "kick_notify", Packet: &p.KickNotify{Nonce: nonce, Reason: p.ReasonServerClosing, Seconds: 60, Text: "Back in a minute – stay near"}},
		{File: "client_bye", Packet: &p.ClientBye{Reason: p.ByeCrashed}},
		{File: "player_leave", Packet: &p.PlayerLeave{PlayerID: 258, PlayerToken: 70001, Reason: p.ReasonCrashed}},
		{File: "client_ack", Packet: &p.ClientAck{Ack: 0x01020304}},
		{File: "server_ack", Packet: &p.ServerAck{Ack: 0x01020304}},
		{File: "server_keepalive", Packet: &p.ServerKeepalive{Seq: 17, Probe: 0xDEADBEEF, ServerTime: 17000, Ping: 48, Loss: 3}},
		{File: "server_keepalive_first", Packet: &p.ServerKeepalive{Seq: 1, Probe: 1, ServerTime: 0, Ping: p.NoPing, Loss: 100}},
		{File: "client_pong", Packet: &p.ClientPong{Seq: 17, Probe: 0xDEADBEEF}},
		{File: "auth_assertion", Packet: &p.AuthAssertion{Part: 0, Parts: 2, Data: []byte(long("eyJhbGciOiJSUzI1NiJ9.AZaz09-_", 1024))}},
		{File: "auth_assertion_last", Packet: &p.AuthAssertion{Part: 1, Parts: 2, Data: []byte("c2lnbmF0dXJl")}},
		{File: "auth_accepted", Packet: &p.AuthAccepted{Account: "forum:4711"}},
	}
}
