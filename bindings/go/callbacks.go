package xs2a

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"log"
	"runtime/cgo"
	"time"
	"unsafe"
)

// Bank is what an engine asks and informs. The functions are called by the goroutine whose call needs the answer, so by
// several at once, and may call the engine. An error, or a panic, is reported to Failed; the TPP is answered
// SYSTEM_ERROR. A function must not end its goroutine (runtime.Goexit, and so t.FailNow).
type Bank struct {
	// Call answers a question of docs/bank.md: `request` and the answer are JSON. Both are only valid until it returns.
	// Required.
	Call func(method string, request []byte) ([]byte, error)
	// IsRegistered returns whether the TPP with this authorisation number is registered. Nil: every certificate that
	// leads to a trust anchor counts.
	IsRegistered func(organisationID string) (bool, error)
	// Now is the clock. Nil: the machine's.
	Now func() time.Time
	// Log takes a line of the engine's log; `level` is `info`, `warn` or `error`. Nil: nothing is logged.
	Log func(level, place, message string)
	// Failed is informed of each function above that failed, by its name. Nil: package log prints it.
	Failed func(function string, err error)
}

func (b *Bank) optional() C.int {
	optional := C.int(0)
	if b.IsRegistered != nil {
		optional |= C.XS2A_GO_REGISTRY
	}
	if b.Now != nil {
		optional |= C.XS2A_GO_CLOCK
	}
	if b.Log != nil {
		optional |= C.XS2A_GO_LOG
	}
	return optional
}

// attempt runs a function of the bank. No panic may reach the frames of C below.
func (b *Bank) attempt(function string, run func() error) (worked bool) {
	err := recovered(run)
	if err != nil {
		_ = recovered(func() error { b.report(function, err); return nil })
	}
	return err == nil
}

func (b *Bank) report(function string, err error) {
	if b.Failed != nil {
		b.Failed(function, err)
	} else {
		log.Printf("xs2a: the bank's function %s failed: %v", function, err)
	}
}

func recovered(run func() error) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	return run()
}

// cell is C memory that holds the number of a Go value: C may keep its address.
func newCell(value any) unsafe.Pointer {
	cell := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(cell) = cgo.NewHandle(value)
	return cell
}

func valueOf(cell unsafe.Pointer) any {
	return (*(*cgo.Handle)(cell)).Value()
}

func freeCell(cell unsafe.Pointer) {
	(*(*cgo.Handle)(cell)).Delete()
	C.free(cell)
}

//export xs2aGoCall
func xs2aGoCall(cell unsafe.Pointer, method, request C.xs2a_str, answer *C.xs2a_writer) C.int32_t {
	bank := valueOf(cell).(*Bank)
	worked := bank.attempt("Call", func() error {
		question := unsafe.Slice((*byte)(unsafe.Pointer(request.data)), int(request.len))
		written, err := bank.Call(borrowed(method), question)
		if err != nil {
			return err
		}
		var failure *C.xs2a_error
		result := C.xs2a_writer_write(answer, lendBytes(written), &failure)
		return failed(result, failure)
	})
	if worked {
		return 0
	}
	return 1
}

//export xs2aGoIsRegistered
func xs2aGoIsRegistered(cell unsafe.Pointer, organisationID C.xs2a_str) C.int32_t {
	bank := valueOf(cell).(*Bank)
	is := false
	worked := bank.attempt("IsRegistered", func() (err error) {
		is, err = bank.IsRegistered(borrowed(organisationID))
		return err
	})
	if !worked {
		return 2
	}
	return C.int32_t(flag(is))
}

//export xs2aGoNow
func xs2aGoNow(cell unsafe.Pointer) C.int64_t {
	bank := valueOf(cell).(*Bank)
	var now time.Time
	if !bank.attempt("Now", func() error { now = bank.Now(); return nil }) {
		now = time.Now()
	}
	return C.int64_t(now.UnixMicro())
}

//export xs2aGoLog
func xs2aGoLog(cell unsafe.Pointer, level, place, message C.xs2a_str) {
	bank := valueOf(cell).(*Bank)
	bank.attempt("Log", func() error { bank.Log(borrowed(level), borrowed(place), borrowed(message)); return nil })
}

// audit is an export in progress.
type audit struct {
	takeLine func(line string) error
	err      error
}

// ErrStop ends Engine.Audit early, without an error.
var ErrStop = errors.New("xs2a: stop")

//export xs2aGoTakeLine
func xs2aGoTakeLine(cell unsafe.Pointer, line C.xs2a_str) C.int32_t {
	audit := valueOf(cell).(*audit)
	audit.err = recovered(func() error { return audit.takeLine(borrowed(line)) })
	if audit.err != nil {
		return 1
	}
	return 0
}

// dueRun is a run of due orders in progress.
type dueRun struct {
	goesOn func() bool
	err    error
}

//export xs2aGoGoesOn
func xs2aGoGoesOn(cell unsafe.Pointer) C.int32_t {
	run := valueOf(cell).(*dueRun)
	goesOn := false
	err := recovered(func() error { goesOn = run.goesOn(); return nil })
	if run.err == nil {
		run.err = err
	}
	return C.int32_t(flag(goesOn))
}
