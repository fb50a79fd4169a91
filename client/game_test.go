package client

import "time"

// testStart is when the clock of a game without a connection begins.
var testStart = time.Unix(0, 0)
