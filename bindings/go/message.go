package xs2a

// #include "bridge.h"
import "C"

import (
	"strings"
	"time"
	"unsafe"
)

// Header is one header field. The value may have any bytes.
type Header struct {
	Name  string
	Value string
}

// Request is a request as it came from the TPP.
type Request struct {
	Method string
	// Path and query, as they were sent.
	Target string
	// In the order sent, repeated ones too.
	Headers []Header
	Body    []byte
	// Your own id of the call: 1 to 64 visible ASCII characters. The bank gets it with each question as the member
	// `correlationId`; lines of log and audit have it. Empty: none.
	CorrelationID string
}

// Response is a complete answer: send every header and the body unchanged.
type Response struct {
	Status  int
	Headers []Header
	Body    []byte
	// The library's id of the first refusal, such as `SIG-07`: for logs, not for the TPP. Empty: nothing was refused.
	Reason string
	// The name of the operation that the request was routed to, such as `createPayment`. Empty: the path is unknown.
	Operation string
	// The organisation identifier in the TPP's certificate, such as `PSDNO-FSA-912345678`, if the certificate is valid.
	// The call is proven to be that TPP's unless it was refused for its signature. Empty: it is unknown.
	Tpp string
	// The name of the TPP in the subject of its certificate, as Tpp.
	TppName string
	// The roles in the TPP's certificate, such as `PSP_AI`, as Tpp.
	Roles []string
	// How long the call took.
	Timing Timing
}

// Timing is how long a call took, in whole microseconds.
type Timing struct {
	// From the request to its complete answer.
	Total time.Duration
	// Of that, waiting for the bank.
	Bank time.Duration
	// Of that, waiting for the store.
	Store time.Duration
}

// Header is the value of the first field of that name, in any case; empty where there is none.
func (r *Response) Header(name string) string {
	for _, header := range r.Headers {
		if strings.EqualFold(header.Name, name) {
			return header.Value
		}
	}
	return ""
}

// lent gives the parts of a request to a call, the body as it is. Names and values are copied into one buffer, because
// the array that C reads them by has an address for each, and none of Go's may be in it.
func lent(request Request) C.xs2a_go_request {
	size := 0
	for _, header := range request.Headers {
		size += len(header.Name) + len(header.Value)
	}
	packed := make([]byte, 0, size)
	lengths := make([]C.size_t, 0, 2*len(request.Headers)+1)
	for _, header := range request.Headers {
		packed = append(append(packed, header.Name...), header.Value...)
		lengths = append(lengths, C.size_t(len(header.Name)), C.size_t(len(header.Value)))
	}
	parts := C.xs2a_go_request{method: lend(request.Method), target: lend(request.Target), body: lendBytes(request.Body)}
	parts.correlation_id = lend(request.CorrelationID)
	parts.packed = lendBytes(packed)
	parts.header_count = C.size_t(len(request.Headers))
	parts.lengths = (*C.size_t)(unsafe.Pointer(&lengths[:1][0]))
	return parts
}

func takeResponse(taken *C.xs2a_response) *Response {
	defer C.xs2a_response_free(taken)
	body := C.xs2a_response_body(taken)
	response := &Response{
		Status:    int(C.xs2a_response_status(taken)),
		Headers:   make([]Header, int(C.xs2a_response_header_count(taken))),
		Body:      goBytes(unsafe.Pointer(body.data), body.len),
		Reason:    borrowed(C.xs2a_response_reason(taken)),
		Operation: borrowed(C.xs2a_response_operation(taken)),
		Tpp:       borrowed(C.xs2a_response_tpp(taken)),
		TppName:   borrowed(C.xs2a_response_tpp_name(taken)),
		Roles:     roles(taken),
		Timing:    timing(C.xs2a_response_timing(taken)),
	}
	for at := range response.Headers {
		response.Headers[at] = goHeader(C.xs2a_response_header(taken, C.size_t(at)))
	}
	return response
}

func roles(response *C.xs2a_response) []string {
	roles := []string{}
	for {
		role := C.xs2a_response_role(response, C.size_t(len(roles)))
		if role.data == nil {
			return roles
		}
		roles = append(roles, borrowed(role))
	}
}

func timing(taken C.xs2a_timing) Timing {
	of := func(micros C.uint64_t) time.Duration { return time.Duration(micros) * time.Microsecond }
	return Timing{Total: of(taken.total), Bank: of(taken.bank), Store: of(taken.store)}
}

func goHeader(header C.xs2a_header) Header {
	return Header{Name: borrowed(header.name), Value: goString(unsafe.Pointer(header.value.data), header.value.len)}
}
