// Package xs2a is the bank's side of PSD2 open banking: an engine that answers the signed HTTP requests of TPPs, over
// a bank that you write in Go. It binds the C library libxs2a, which pkg-config finds. With the build tag
// xs2a_sandbox it binds libxs2a_sandbox in its place, which also has a simulated bank for tests.
//
// An answer of 400 or 500 is a normal result. An error is a mistake of the program or of its environment: an *Error
// with the result code of the library, ErrClosed, or ErrLibrary.
package xs2a

// #cgo !xs2a_sandbox pkg-config: xs2a
// #cgo xs2a_sandbox pkg-config: xs2a-sandbox
// #include <xs2a.h>
//
// #if XS2A_ABI_VERSION != 1
// #error "xs2a.h has another XS2A_ABI_VERSION than the one that this Go package is written for: use its own version"
// #endif
import "C"

import (
	"errors"
	"fmt"
)

// ErrClosed is the error of every call after Close.
var ErrClosed = errors.New("xs2a: it is closed")

// ErrLibrary is the error of NewEngine and NewSandbox if the shared library that was loaded has another binary
// interface than the header that this program was compiled with.
var ErrLibrary = errors.New("xs2a: the library has another binary interface than xs2a.h")

// Error is what the library reports about a call that failed.
type Error struct {
	Code Result
	// One line in English, safe to log.
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("xs2a: %s (result %d)", e.Message, int(e.Code))
}

// Is makes errors.Is(err, &Error{Code: ResultMisuse}) true for each error with that code.
func (e *Error) Is(other error) bool {
	same, ok := other.(*Error)
	return ok && same.Code == e.Code && same.Message == ""
}

// CodeOf is the result code in an error, and ResultOK if it has none.
func CodeOf(err error) Result {
	var found *Error
	if errors.As(err, &found) {
		return found.Code
	}
	return ResultOK
}

func checkLibrary() error {
	if found := C.xs2a_abi_version(); found != C.XS2A_ABI_VERSION {
		return fmt.Errorf("%w: %d, not %d", ErrLibrary, uint32(found), C.XS2A_ABI_VERSION)
	}
	return nil
}

// failed gives the error of a call, and frees the one of the library.
func failed(result C.xs2a_result, failure *C.xs2a_error) error {
	if result == C.XS2A_OK {
		return nil
	}
	message := borrowed(C.xs2a_error_message(failure))
	C.xs2a_error_free(failure)
	return &Error{Code: Result(result), Message: message}
}
