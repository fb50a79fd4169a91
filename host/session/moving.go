package session

// AddressChange is connection.address_change: from where a connection may go on (page Connection, Moving).
type AddressChange string

const (
	AddressPort  AddressChange = "port" // also "": from another port of its host
	AddressNever AddressChange = "never"
	AddressAny   AddressChange = "any" // from everywhere
)
