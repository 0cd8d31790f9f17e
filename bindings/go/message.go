package xs2a

// #include "bridge.h"
import "C"

import (
	"strings"
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
}

// Response is a complete answer: send every header and the body unchanged.
type Response struct {
	Status  int
	Headers []Header
	Body    []byte
	// The library's id of the first refusal, such as `SIG-07`: for logs, not for the TPP. Empty: nothing was refused.
	Reason string
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
	parts.packed = lendBytes(packed)
	parts.header_count = C.size_t(len(request.Headers))
	parts.lengths = (*C.size_t)(unsafe.Pointer(&lengths[:1][0]))
	return parts
}

func takeResponse(taken *C.xs2a_response) *Response {
	defer C.xs2a_response_free(taken)
	body := C.xs2a_response_body(taken)
	response := &Response{
		Status:  int(C.xs2a_response_status(taken)),
		Headers: make([]Header, int(C.xs2a_response_header_count(taken))),
		Body:    goBytes(unsafe.Pointer(body.data), body.len),
		Reason:  borrowed(C.xs2a_response_reason(taken)),
	}
	for at := range response.Headers {
		response.Headers[at] = goHeader(C.xs2a_response_header(taken, C.size_t(at)))
	}
	return response
}

func goHeader(header C.xs2a_header) Header {
	return Header{Name: borrowed(header.name), Value: goString(unsafe.Pointer(header.value.data), header.value.len)}
}
