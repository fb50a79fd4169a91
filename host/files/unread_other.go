//go:build !linux && !darwin

package files

func sendQueue(uintptr) (int, bool) { return 0, false }
