package host_test

import (
	"errors"

	"darqline/client"
)

func asEnd(err error, end **client.EndError) bool { return errors.As(err, end) }
