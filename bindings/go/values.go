package xs2a

// #include <stdlib.h>
// #include <xs2a.h>
import "C"

import "unsafe"

// lend gives a Go string to a call without a copy. An empty one is NULL, which counts as absent where an argument is
// optional.
func lend(s string) C.xs2a_str {
	if len(s) == 0 {
		return C.xs2a_str{}
	}
	// The first word of a string is the address of its bytes; unsafe.StringData is newer than the oldest Go supported.
	data := *(*unsafe.Pointer)(unsafe.Pointer(&s))
	return C.xs2a_str{data: (*C.char)(data), len: C.size_t(len(s))}
}

// lendOptional gives a text for which an empty one and an absent one are two things.
func lendOptional(s *string) C.xs2a_str {
	if s == nil {
		return C.xs2a_str{}
	}
	if len(*s) == 0 {
		empty := lend("-")
		empty.len = 0
		return empty
	}
	return lend(*s)
}

// lendBytes gives bytes of Go to a call without a copy.
func lendBytes(bytes []byte) C.xs2a_slice {
	if len(bytes) == 0 {
		return C.xs2a_slice{}
	}
	return C.xs2a_slice{data: (*C.uint8_t)(unsafe.Pointer(&bytes[0])), len: C.size_t(len(bytes))}
}

// lentBytes are bytes of C, valid as long as their owner says.
func lentBytes(given C.xs2a_slice) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(given.data)), int(given.len))
}

func flag(is bool) C.uint8_t {
	if is {
		return 1
	}
	return 0
}

// goString copies bytes of C that may be longer than a C.int counts.
func goString(data unsafe.Pointer, length C.size_t) string {
	if length == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(data), int(length)))
}

func goBytes(data unsafe.Pointer, length C.size_t) []byte {
	return append([]byte{}, unsafe.Slice((*byte)(data), int(length))...)
}

func borrowed(s C.xs2a_str) string {
	return goString(unsafe.Pointer(s.data), s.len)
}

func takeText(taken *C.xs2a_text) string {
	defer C.xs2a_text_free(taken)
	return borrowed(C.xs2a_text_str(taken))
}

func takeBytes(taken *C.xs2a_bytes) []byte {
	defer C.xs2a_bytes_free(taken)
	found := C.xs2a_bytes_slice(taken)
	return goBytes(unsafe.Pointer(found.data), found.len)
}

// arena holds copies in C memory: a struct that C gets by its address may have no address of Go's memory in it.
type arena []unsafe.Pointer

func (a *arena) free() {
	for _, block := range *a {
		C.free(block)
	}
}

// zeroed gives cleared memory. C.calloc ends the program if there is none, as C.malloc does.
func (a *arena) zeroed(count int, size uintptr) unsafe.Pointer {
	if count == 0 {
		return nil
	}
	block := C.calloc(C.size_t(count), C.size_t(size))
	if block == nil {
		panic("xs2a: out of memory")
	}
	*a = append(*a, block)
	return block
}

func (a *arena) text(s string) C.xs2a_str {
	copied := a.slice([]byte(s))
	return C.xs2a_str{data: (*C.char)(unsafe.Pointer(copied.data)), len: copied.len}
}

func (a *arena) slice(bytes []byte) C.xs2a_slice {
	if len(bytes) == 0 {
		return C.xs2a_slice{}
	}
	block := a.zeroed(len(bytes), 1)
	copy(unsafe.Slice((*byte)(block), len(bytes)), bytes)
	return C.xs2a_slice{data: (*C.uint8_t)(block), len: C.size_t(len(bytes))}
}

func (a *arena) texts(list []string) *C.xs2a_str {
	first := (*C.xs2a_str)(a.zeroed(len(list), C.sizeof_xs2a_str))
	for at, s := range list {
		unsafe.Slice(first, len(list))[at] = a.text(s)
	}
	return first
}

func (a *arena) headers(list []Header) *C.xs2a_header {
	first := (*C.xs2a_header)(a.zeroed(len(list), C.sizeof_xs2a_header))
	for at, header := range list {
		unsafe.Slice(first, len(list))[at] = C.xs2a_header{name: a.text(header.Name), value: a.slice([]byte(header.Value))}
	}
	return first
}

func (a *arena) request(given Request) *C.xs2a_request {
	request := (*C.xs2a_request)(a.zeroed(1, C.sizeof_xs2a_request))
	request.size = C.sizeof_xs2a_request
	request.method = a.text(given.Method)
	request.target = a.text(given.Target)
	request.headers = a.headers(given.Headers)
	request.header_count = C.size_t(len(given.Headers))
	request.body = a.slice(given.Body)
	request.correlation_id = a.text(given.CorrelationID)
	return request
}

func (a *arena) requests(list []Request) **C.xs2a_request {
	first := (**C.xs2a_request)(a.zeroed(len(list), unsafe.Sizeof(uintptr(0))))
	for at, request := range list {
		unsafe.Slice(first, len(list))[at] = a.request(request)
	}
	return first
}
