// What the gateway answers: to the public, and to its own operators.

#ifndef GATEWAY_H
#define GATEWAY_H

#include "http.h"
#include "ledger.h"
#include "upkeep.h"

typedef struct {
    xs2a_engine *engine;
    ledger *ledger;
    upkeep *upkeep;             // NULL: another node does it
    char sca_path[256];         // what precedes the id in links, such as `/psd2/sca/`
} gateway;

// To the public: the engine, and the SCA page. `context` is the gateway, which outlives the listener.
void gateway_answer_public(void *context, const xs2a_request *request, reply *reply);

// To operators, at an address that only they reach:
//   GET /health   whether the gateway and its database are well, and what is waiting: for the load balancer and alerts
//   GET /metrics  figures for Prometheus
//   GET /ledger   the toy bank's books
//   POST /batch   the toy bank's batch: books what waits and is due, and reports it to the engine
void gateway_answer_operators(void *context, const xs2a_request *request, reply *reply);

#endif
