// What the gateway answers: to the public, and to its own operators.

#ifndef GATEWAY_H
#define GATEWAY_H

#include <stdatomic.h>

#include "core.h"
#include "http.h"
#include "upkeep.h"

typedef struct {
    xs2a_engine *engine;
    core core;
    upkeep *upkeep;             // NULL: another node does it. It is set before the listeners start, and outlives them
    const char *sca_path;       // what precedes the id in links, such as `/psd2/sca/`
    atomic_bool is_stopping;    // an export of the audit ends before its next line
    atomic_bool is_exporting;   // one at a time: an export holds a thread of the operators' listener
} gateway;

// To the public: the engine, and the SCA page. `context` is the gateway, which outlives the listener.
void gateway_answer_public(void *context, const xs2a_request *request, reply *reply);

// To operators, at an address that only they reach: the table of routes is at the end of operators.c.
void gateway_answer_operators(void *context, const xs2a_request *request, reply *reply);

#endif
