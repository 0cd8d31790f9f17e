#include "bridge.h"

#include <stdlib.h>

#include "_cgo_export.h"

xs2a_request xs2a_go_request_of(xs2a_go_request parts) {
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = parts.method;
    request.target = parts.target;
    request.body = parts.body;
    request.correlation_id = parts.correlation_id;
    request.header_count = parts.header_count;
    xs2a_header *headers = calloc(parts.header_count + 1, sizeof *headers);
    request.headers = headers;
    if (headers == NULL) return request;
    const uint8_t *at = parts.packed.data;
    for (size_t i = 0; i < parts.header_count; i++) {
        const size_t name = parts.lengths[2 * i], value = parts.lengths[2 * i + 1];
        headers[i].name = (xs2a_str){(const char *)at, name};
        headers[i].value = (xs2a_slice){name == 0 ? at : at + name, value};
        at = name + value == 0 ? at : at + name + value;
    }
    return request;
}

xs2a_result xs2a_go_handle(const xs2a_engine *engine, xs2a_go_request parts, xs2a_response **out, xs2a_error **error) {
    const xs2a_request request = xs2a_go_request_of(parts);
    // Without memory for the headers, the library finds NULL and a length, and refuses that.
    const xs2a_result result = xs2a_engine_handle(engine, &request, out, error);
    free((void *)request.headers);
    return result;
}

xs2a_result xs2a_go_engine_new(xs2a_str config, void *cell, int optional, xs2a_engine **out, xs2a_error **error) {
    xs2a_bank_callbacks callbacks = {0};
    callbacks.size = sizeof callbacks;
    callbacks.user_data = cell;
    callbacks.call = xs2aGoCall;
    if (optional & XS2A_GO_REGISTRY) callbacks.is_registered = xs2aGoIsRegistered;
    if (optional & XS2A_GO_CLOCK) callbacks.now = xs2aGoNow;
    if (optional & XS2A_GO_LOG) callbacks.log = xs2aGoLog;
    if (optional & XS2A_GO_REVOCATION) callbacks.revocation = xs2aGoRevocation;
    if (optional & XS2A_GO_SIGN) callbacks.sign = xs2aGoSign;
    callbacks.destroy = xs2aGoDestroy;
    return xs2a_engine_new(config, &callbacks, out, error);
}

xs2a_result xs2a_go_audit(const xs2a_engine *engine, xs2a_str start, xs2a_str end, void *cell, xs2a_error **error) {
    return xs2a_engine_audit(engine, start, end, xs2aGoTakeLine, cell, error);
}

xs2a_result xs2a_go_run_due_while(const xs2a_engine *engine, void *cell, xs2a_run_report *out,
                                  xs2a_error **error) {
    return xs2a_engine_run_due_while(engine, xs2aGoGoesOn, cell, out, error);
}
