package bind

import "reflect"

// event is a declared event.
type event struct {
	name, doc string
	cancel    bool
	args      reflect.Type
	params    []*param
}

// Event is a declared event whose handlers get the fields of A, in order.
type Event[A any] struct{ *event }

// NewEvent declares an event. Where cancel is true, a handler that returns false prevents what it is about.
func NewEvent[A any](r *Registry, name, doc string, cancel bool) *Event[A] {
	e := &event{name: name, doc: doc, cancel: cancel, args: reflect.TypeFor[A]()}
	r.events = append(r.events, e)
	return &Event[A]{e}
}

// Name returns the event's name.
func (e *Event[A]) Name() string { return e.name }

// Cancellable tells whether a handler may return false.
func (e *Event[A]) Cancellable() bool { return e.cancel }

// Args returns the fields of A as arguments for Function.Call. The registry must have been opened once.
func (e *Event[A]) Args(a A) []any {
	v := reflect.ValueOf(a)
	args := make([]any, len(e.params))
	for i, p := range e.params {
		args[i] = typed{p.kind, v.Field(p.index)}
	}
	return args
}

// typed is a value whose kind is known by its declaration.
type typed struct {
	kind *kind
	v    reflect.Value
}

// EventNames returns the names of all declared events, sorted.
func (r *Registry) EventNames() []string {
	m := make(map[string]struct{}, len(r.events))
	for _, e := range r.events {
		m[e.name] = struct{}{}
	}
	return names(m)
}
