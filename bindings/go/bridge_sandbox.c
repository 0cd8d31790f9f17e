//go:build xs2a_sandbox

#include "bridge_sandbox.h"

#include <stdlib.h>

xs2a_result xs2a_go_sandbox_handle(const xs2a_sandbox *sandbox, xs2a_go_request parts, xs2a_response **out,
                                   xs2a_error **error) {
    const xs2a_request request = xs2a_go_request_of(parts);
    const xs2a_result result = xs2a_sandbox_handle(sandbox, &request, out, error);
    free((void *)request.headers);
    return result;
}

xs2a_result xs2a_go_sign(const xs2a_tpp *tpp, xs2a_go_request parts, xs2a_headers **out, xs2a_error **error) {
    const xs2a_request request = xs2a_go_request_of(parts);
    const xs2a_result result = xs2a_tpp_sign(tpp, &request, out, error);
    free((void *)request.headers);
    return result;
}
