package world

import "slices"

// adjusted is a figure that resources may change: the newest change counts, and when its resource stops, the one before.
type adjusted[T any] struct{ changes []adjustment[T] }

type adjustment[T any] struct {
	by    string
	value T
}

func (a *adjusted[T]) set(by string, value T) {
	a.release(by)
	a.changes = append(a.changes, adjustment[T]{by, value})
}

func (a *adjusted[T]) release(by string) {
	a.changes = slices.DeleteFunc(a.changes, func(c adjustment[T]) bool { return c.by == by })
}

// or is the figure, or what it is where nobody has changed it.
func (a *adjusted[T]) or(unchanged T) T {
	if n := len(a.changes); n > 0 {
		return a.changes[n-1].value
	}
	return unchanged
}
