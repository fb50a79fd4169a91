module darqline/bench/peers

go 1.26.0

require (
	darqline v0.0.0
	github.com/quic-go/quic-go v0.65.0
)

require (
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/net v0.56.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace darqline => ../..
