package xs2a

// #include "bridge.h"
import "C"

import "errors"

// Engine answers the requests of TPPs, and asks your bank. Any goroutine may call any method, at the same time.
type Engine struct {
	pointer *C.xs2a_engine
	life    *lifetime
	// The engine of a sandbox is freed with it.
	isBorrowed bool
}

// NewEngine makes an engine over your own bank. `config` is a JSON object; docs/configuration.md lists its keys.
func NewEngine(config string, bank Bank) (*Engine, error) {
	if err := checkLibrary(); err != nil {
		return nil, err
	}
	if bank.Call == nil {
		return nil, errors.New("xs2a: Bank.Call is nil")
	}
	cell := newCell(&bank)
	var failure *C.xs2a_error
	var out *C.xs2a_engine
	result := C.xs2a_go_engine_new(lend(config), cell, bank.optional(), &out, &failure)
	// The callback destroy frees the cell, also where this failed.
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return &Engine{pointer: out, life: newLifetime(func() { C.xs2a_engine_free(out) })}, nil
}

// Close frees the engine; if calls are running, the last one does so when it ends. The engine of a sandbox is closed
// with the sandbox; for it, Close does nothing.
func (e *Engine) Close() {
	if !e.isBorrowed {
		e.life.close()
	}
}

// Handle gives the complete answer to one request. An answer of 400 or 500 is not an error.
func (e *Engine) Handle(request Request) (*Response, error) {
	if err := e.life.begin(); err != nil {
		return nil, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_response
	result := C.xs2a_go_handle(e.pointer, lent(request), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return takeResponse(out), nil
}

// Audit hands the lines of the audit from `start` until before `end`, both by RFC 3339, to takeLine, the oldest first:
// each a JSON object. An error of takeLine ends the export and is returned, except for ErrStop.
func (e *Engine) Audit(start, end string, takeLine func(line string) error) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	export := &audit{takeLine: takeLine}
	cell := newCell(export)
	defer freeCell(cell)
	var failure *C.xs2a_error
	result := C.xs2a_go_audit(e.pointer, lend(start), lend(end), cell, &failure)
	if err := failed(result, failure); err != nil {
		return err
	}
	if errors.Is(export.err, ErrStop) {
		return nil
	}
	return export.err
}

// RunDueWhile is RunDue until goesOn gives false; it is called before each order, by the goroutine of this call. For a
// host that shuts down: a call to the bank is not interrupted, after it no order is delivered, and the other orders
// stay due. A panic in goesOn ends the run and is returned as an error, with the report of the orders before.
func (e *Engine) RunDueWhile(goesOn func() bool) (RunReport, error) {
	if err := e.life.begin(); err != nil {
		return RunReport{}, err
	}
	defer e.life.end()
	run := &dueRun{goesOn: goesOn}
	cell := newCell(run)
	defer freeCell(cell)
	var failure *C.xs2a_error
	var out C.xs2a_run_report
	result := C.xs2a_go_run_due_while(e.pointer, cell, &out, &failure)
	if err := failed(result, failure); err != nil {
		return RunReport{}, err
	}
	return runReport(out), run.err
}

// RunReport is what a run of due orders did.
type RunReport struct {
	// Submitted is how many orders the bank took.
	Submitted uint64
	// Withdrawn is how many orders are not delivered any more, because their payments ended before.
	Withdrawn uint64
	// Failed is how many orders failed and will be delivered again.
	Failed uint64
	// DeadLetters is how many orders became dead letters: see Engine.DeadLetters.
	DeadLetters uint64
}

func runReport(given C.xs2a_run_report) RunReport {
	return RunReport{uint64(given.submitted), uint64(given.withdrawn), uint64(given.failed), uint64(given.dead_letters)}
}
