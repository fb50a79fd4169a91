package scriptapi

// hostileScripts are all of them.
func hostileScripts() []hostile { return append(hostileRows(), hostileMore()...) }

// hostileMore are scripts beyond the table, each of which was tried against this sandbox.
func hostileMore() []hostile {
	return []hostile{}
}
