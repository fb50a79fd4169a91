module darqline/bench/peers

go 1.26.0

require (
	darqline v0.0.0
	github.com/quic-go/quic-go v0.65.0
)

require (
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace darqline => ../..
