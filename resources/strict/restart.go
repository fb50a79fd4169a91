package strict

// NeedRestart names the keys that are not live and whose values are not those of was, another filling of the same
// declaration: what a running program has not taken over. What nothing uses is not among them.
func (t Table) NeedRestart(was Table) (keys []string) {
	old := was.Rows()
	for i, e := range t.Rows() {
		if !e.Live && !e.Unused && e.value != old[i].value {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

// UnusedIn names the keys marked with Unused that the file has.
func (t Table) UnusedIn(file *File) (keys []string) {
	for _, e := range t.Rows() {
		if e.Unused && file.Has(e.Key) {
			keys = append(keys, e.Key)
		}
	}
	return keys
}
