package sandbox

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// sampleEvery is how often the heap is read while Lua runs.
const sampleEvery = 5 * time.Millisecond

// idleSamples is after how many readings without a handler the sampler goes to sleep.
const idleSamples = 20

// sampler reads the size of the heap and the clock while Lua runs and raises an alarm when they pass the running handler's limits.
// One assignment may take megabytes (t[1000000] = 1) and one comparison of strings a tenth of a millisecond, so counting
// instructions is not enough. A nil sampler never alarms.
type sampler struct {
	base    time.Time
	alarm   atomic.Bool
	limit   atomic.Uint64 // of the handler that runs; 0: none does
	until   atomic.Int64  // when its time is over, since base
	last    atomic.Uint64
	awake   atomic.Bool
	touched atomic.Bool
	wake    chan struct{}
	quit    chan struct{}
	closing sync.Once
	done    sync.WaitGroup
}

func newSampler() *sampler {
	s := &sampler{base: time.Now(), wake: make(chan struct{}, 1), quit: make(chan struct{})}
	s.done.Go(s.run)
	return s
}

// close ends the sampler's goroutine and waits for it. It may be called again.
func (s *sampler) close() {
	s.closing.Do(func() { close(s.quit) })
	s.done.Wait()
}

func (s *sampler) alarmed() bool { return s != nil && s.alarm.Load() }

// watch sets the limits of the handler that runs from now on; nil: none does.
func (s *sampler) watch(a *allowance) {
	if a == nil {
		s.limit.Store(0)
	} else {
		s.limit.Store(a.heapLimit)
		s.until.Store(int64(a.since.Sub(s.base) + a.limits.Time - a.used))
	}
	s.alarm.Store(false)
}

// size returns the size of the heap as it was last read, which is now if Lua has not run lately.
func (s *sampler) size() uint64 {
	if s == nil {
		return 0
	}
	s.touched.Store(true)
	if s.awake.CompareAndSwap(false, true) {
		s.last.Store(readHeap())
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	return s.last.Load()
}

// over answers an alarm: Lua stands still while garbage is collected, so only what is kept counts. In a full heap who has
// allocated little goes on without that.
func (s *sampler) over(a *allowance) bool {
	s.alarm.Store(false)
	if s.last.Load() <= a.heapLimit || a.full && readAllocated()-a.allocated <= heapWhenFull {
		return false
	}
	runtime.GC()
	size := readHeap()
	s.last.Store(size)
	s.alarm.Store(false)
	return size > a.heapLimit
}

// sample reads the heap now, for a handler that is about to take much at once.
func (s *sampler) sample() {
	if s == nil {
		return
	}
	size := readHeap()
	s.last.Store(size)
	if limit := s.limit.Load(); limit != 0 && size > limit {
		s.alarm.Store(true)
	}
}

func (s *sampler) run() {
	for {
		select {
		case <-s.wake:
		case <-s.quit:
			return
		}
		if !s.sampleUntilIdle() {
			return
		}
	}
}

// sampleUntilIdle reads until no Lua has run for a while; false when the sampler is closed.
func (s *sampler) sampleUntilIdle() bool {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	seen := int64(0) // the until of the handler that was sampled last
	for idle := 0; ; idle++ {
		select {
		case <-tick.C:
		case <-s.quit:
			return false
		}
		limit, size := s.limit.Load(), readHeap()
		s.last.Store(size)
		// One that has just begun looks at the clock too, from which it counts processor time.
		if until := s.until.Load(); limit != 0 && (size > limit || until != seen || int64(time.Since(s.base)) > until) {
			seen = until
			s.alarm.Store(true)
		}
		if limit != 0 || s.touched.Swap(false) {
			idle = 0
		}
		if idle >= idleSamples {
			s.awake.Store(false)
			if !s.touched.Load() || !s.awake.CompareAndSwap(false, true) {
				return true
			}
		}
	}
}

var heapMetrics = []string{"/memory/classes/heap/objects:bytes", "/memory/classes/heap/stacks:bytes"}

// readHeap returns the bytes in objects and goroutine stacks (a suspended coroutine has one).
func readHeap() uint64 {
	var samples [2]metrics.Sample
	for i, name := range heapMetrics {
		samples[i].Name = name
	}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64() + samples[1].Value.Uint64()
}

// readAllocated returns the bytes that the process has ever allocated.
func readAllocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
