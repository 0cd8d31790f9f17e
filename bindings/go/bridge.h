// What Go cannot write itself: structs with addresses of Go's memory, on the stack of C, and functions of Go as
// callbacks.

#ifndef XS2A_GO_BRIDGE_H
#define XS2A_GO_BRIDGE_H

#include <xs2a.h>

// A request without an address within an array: `packed` has name and value of each field, one after the other, and
// `lengths` two numbers for each.
typedef struct {
    xs2a_str method;
    xs2a_str target;
    xs2a_slice packed;
    const size_t *lengths;
    size_t header_count;
    xs2a_slice body;
    xs2a_str correlation_id;
} xs2a_go_request;

// xs2a_engine_handle().
xs2a_result xs2a_go_handle(const xs2a_engine *engine, xs2a_go_request parts, xs2a_response **out, xs2a_error **error);

// Which optional callbacks a bank has.
enum { XS2A_GO_REGISTRY = 1, XS2A_GO_CLOCK = 2, XS2A_GO_LOG = 4, XS2A_GO_REVOCATION = 8, XS2A_GO_SIGN = 16 };

// xs2a_engine_new() with the callbacks of callbacks.go. `cell` holds the number by which they find their functions; it
// is freed with the engine, and also if this fails.
xs2a_result xs2a_go_engine_new(xs2a_str config, void *cell, int optional, xs2a_engine **out, xs2a_error **error);

// xs2a_engine_audit() with the callback of callbacks.go.
xs2a_result xs2a_go_audit(const xs2a_engine *engine, xs2a_str start, xs2a_str end, void *cell, xs2a_error **error);

// xs2a_engine_run_due_while() with the callback of callbacks.go.
xs2a_result xs2a_go_run_due_while(const xs2a_engine *engine, void *cell, xs2a_run_report *out,
                                  xs2a_error **error);

// The request that the parts are of. Its array of headers is the caller's, who frees it: NULL if there is no memory.
xs2a_request xs2a_go_request_of(xs2a_go_request parts);

#endif
