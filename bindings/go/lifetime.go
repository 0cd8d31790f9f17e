package xs2a

import (
	"sync"
	"sync/atomic"
)

// Added to the number of running calls of a handle that is closed.
const closedOffset = -1 << 40

// lifetime frees a handle after Close and after the last call that uses it: a Close during a call is safe.
type lifetime struct {
	calls atomic.Int64
	once  sync.Once
	free  func()
}

func newLifetime(free func()) *lifetime {
	return &lifetime{free: free}
}

// begin reserves the handle for a call; end gives it back.
func (l *lifetime) begin() error {
	if l.calls.Add(1) < 0 {
		l.end()
		return ErrClosed
	}
	return nil
}

func (l *lifetime) end() {
	if l.calls.Add(-1) == closedOffset {
		l.once.Do(l.free)
	}
}

func (l *lifetime) close() {
	for {
		calls := l.calls.Load()
		if calls < 0 {
			return
		}
		if l.calls.CompareAndSwap(calls, calls+closedOffset) {
			break
		}
	}
	if l.calls.Load() == closedOffset {
		l.once.Do(l.free)
	}
}
