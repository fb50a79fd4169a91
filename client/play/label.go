package play

import (
	"regexp"
	"strconv"
	"strings"
)

// plainLabel is a resource name that is a DNS label as it stands.
var plainLabel = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// label gives the DNS label of a resource's origin: label.localhost. Different names have different labels, because an
// origin keeps one resource's page from another's.
//
// A name that is a label with single hyphens inside is its own label. Any other (my_shop, -x, a--b) becomes
// r-NAME--MASK, where NAME has hyphens for underscores and MASK says in hexadecimal which of them were underscores: the
// double hyphen keeps it apart from the names of the first kind. It is at most 43 characters long.
func label(resource string) string {
	if plainLabel.MatchString(resource) {
		return resource
	}
	var mask uint64
	for i := range len(resource) {
		if resource[i] == '_' {
			mask |= 1 << i
		}
	}
	return "r-" + strings.ReplaceAll(resource, "_", "-") + "--" + strconv.FormatUint(mask, 16)
}
