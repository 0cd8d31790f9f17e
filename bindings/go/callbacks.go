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
	// Log takes a record of the engine's log. Nil: nothing is logged.
	Log func(record LogRecord)
	// Revocation returns whether a certificate is revoked, for OCSP or a service of yours. `certificate` and `issuer` are
	// DER and only valid until it returns; `issuer` is empty if the certificate is itself a trust anchor. It is called on
	// every call of a TPP: keep each answer until its nextUpdate. Nil: the lists of Engine.SupplyCrl decide.
	Revocation func(certificate, issuer []byte) (RevocationStatus, error)
	// Sign signs answers with a key that is not in this process: RSASSA-PKCS1-v1_5 with SHA-256 over `text`, by the key
	// of `certificate`, which is DER. Both are only valid until it returns. It is called where the configuration, or
	// Engine.ReplaceResponseKey, has a certificate without a private key. Nil: there is no such function.
	Sign func(certificate, text []byte) ([]byte, error)
	// Failed is informed of each function above that failed, by its name. Nil: package log prints it.
	Failed func(function string, err error)
}

// LogRecord is a record of an engine's log.
type LogRecord struct {
	// Level is `info`, `warn` or `error`.
	Level string
	// Target is the part of the library, such as `xs2a::engine::deliver`.
	Target string
	// Message is the same text each time.
	Message string
	// Fields has the values as a JSON object in one line.
	Fields string
}

// RevocationStatus is what is known of a certificate.
type RevocationStatus int

const (
	// RevocationGood: it is not revoked.
	RevocationGood RevocationStatus = iota
	// RevocationRevoked: it is revoked.
	RevocationRevoked
	// RevocationStale: no answer about it is current (policy `stale_crl`).
	RevocationStale
	// RevocationUnlisted: the source has no answer about it (policy `missing_crl`).
	RevocationUnlisted
)

// BankError is an error of Call or Sign whose text the engine keeps: it is part of the log, of the error that the
// engine's method returns, and of a dead letter. Name the fault in it and not the customer. Of any other error the
// engine gets nothing; Failed gets both.
type BankError struct {
	Why string
}

func (e BankError) Error() string {
	return e.Why
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
	if b.Revocation != nil {
		optional |= C.XS2A_GO_REVOCATION
	}
	if b.Sign != nil {
		optional |= C.XS2A_GO_SIGN
	}
	return optional
}

// attempt runs a function of the bank. No panic may reach the frames of C below.
func (b *Bank) attempt(function string, run func() error) error {
	err := recovered(run)
	if err != nil {
		_ = recovered(func() error { b.report(function, err); return nil })
	}
	return err
}

// attemptInto runs a function of the bank that writes, and gives its failure value.
func (b *Bank) attemptInto(writer *C.xs2a_writer, function string, run func() ([]byte, error)) C.int32_t {
	err := b.attempt(function, func() error {
		written, err := run()
		if err != nil {
			return err
		}
		var failure *C.xs2a_error
		result := C.xs2a_writer_write(writer, lendBytes(written), &failure)
		return failed(result, failure)
	})
	var explained BankError
	if errors.As(err, &explained) {
		C.xs2a_writer_fail(writer, lend(explained.Why), nil)
	}
	if err != nil {
		return 1
	}
	return 0
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
	return bank.attemptInto(answer, "Call", func() ([]byte, error) {
		return bank.Call(borrowed(method), lentBytes(C.xs2a_slice{data: (*C.uint8_t)(unsafe.Pointer(request.data)),
			len: request.len}))
	})
}

//export xs2aGoSign
func xs2aGoSign(cell unsafe.Pointer, certificate, text C.xs2a_slice, signature *C.xs2a_writer) C.int32_t {
	bank := valueOf(cell).(*Bank)
	return bank.attemptInto(signature, "Sign", func() ([]byte, error) {
		return bank.Sign(lentBytes(certificate), lentBytes(text))
	})
}

//export xs2aGoRevocation
func xs2aGoRevocation(cell unsafe.Pointer, certificate, issuer C.xs2a_slice) C.int32_t {
	bank := valueOf(cell).(*Bank)
	var status RevocationStatus
	err := bank.attempt("Revocation", func() (err error) {
		status, err = bank.Revocation(lentBytes(certificate), lentBytes(issuer))
		if err == nil && (status < RevocationGood || status > RevocationUnlisted) {
			err = fmt.Errorf("%d is no RevocationStatus", status)
		}
		return err
	})
	if err != nil {
		return -1
	}
	return C.int32_t(status)
}

//export xs2aGoDestroy
func xs2aGoDestroy(cell unsafe.Pointer) {
	freeCell(cell)
}

//export xs2aGoIsRegistered
func xs2aGoIsRegistered(cell unsafe.Pointer, organisationID C.xs2a_str) C.int32_t {
	bank := valueOf(cell).(*Bank)
	is := false
	err := bank.attempt("IsRegistered", func() (err error) {
		is, err = bank.IsRegistered(borrowed(organisationID))
		return err
	})
	if err != nil {
		return 2
	}
	return C.int32_t(flag(is))
}

//export xs2aGoNow
func xs2aGoNow(cell unsafe.Pointer) C.int64_t {
	bank := valueOf(cell).(*Bank)
	var now time.Time
	if bank.attempt("Now", func() error { now = bank.Now(); return nil }) != nil {
		now = time.Now()
	}
	return C.int64_t(now.UnixMicro())
}

//export xs2aGoLog
func xs2aGoLog(cell unsafe.Pointer, level, target, message, fields C.xs2a_str) {
	bank := valueOf(cell).(*Bank)
	_ = bank.attempt("Log", func() error {
		bank.Log(LogRecord{borrowed(level), borrowed(target), borrowed(message), borrowed(fields)})
		return nil
	})
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
