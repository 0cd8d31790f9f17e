#ifndef XS2A_GO_BRIDGE_SANDBOX_H
#define XS2A_GO_BRIDGE_SANDBOX_H

#include <xs2a_sandbox.h>

#include "bridge.h"

// xs2a_sandbox_handle().
xs2a_result xs2a_go_sandbox_handle(const xs2a_sandbox *sandbox, xs2a_go_request parts, xs2a_response **out,
                                   xs2a_error **error);

// xs2a_tpp_sign().
xs2a_result xs2a_go_sign(const xs2a_tpp *tpp, xs2a_go_request parts, xs2a_headers **out, xs2a_error **error);

#endif
