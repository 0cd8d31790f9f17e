// An engine over the toy bank, a TPP that calls it, and short ways to call.

#ifndef GATEWAY_H
#define GATEWAY_H

#include "sandbox.h"
#include "toy_bank.h"

#define DOMESTIC "/v1/payments/norwegian-domestic-credit-transfers"
// 2026-09-01T10:00:00Z, the time of the sandbox whose TPP calls.
#define NOW 1788256800000000

typedef struct {
    toy_bank bank;
    xs2a_sandbox *sandbox;
    xs2a_tpp *tpp;
    xs2a_engine *engine;
} gateway;

#define APPROVED "{\"outcome\":\"approved\",\"psu\":{\"person\":\"kari\",\"context\":\"PRIVATE\"}}"

// The configuration of an engine that trusts this PEM. Not for two at once.
xs2a_str config(xs2a_str pem, const char *database);
// In memory, or over a database of its own.
void open_gateway(gateway *gateway);
void open_gateway_over(gateway *gateway, const char *database);
void close_gateway(gateway *gateway);
// `psu_id`: NULL for a call that names no PSU. `identity`: NULL where the PSU's number is not sent.
xs2a_response *call_of(const gateway *gateway, const char *method, const char *target, const char *body,
                       const char *psu_id, const char *identity);
xs2a_response *call(const gateway *gateway, const char *method, const char *target, const char *body,
                    const char *psu_id);
void expect(const xs2a_response *response, int status);
// A member of an answer; 128 characters at most.
void copy_member(const xs2a_response *response, const char *pointer, char *into);
// The id in the link to the SCA site.
void authorisation_id(const xs2a_response *response, char *id);
// Creates a payment; gives the id of its authorisation and the path of its status.
void create(const gateway *gateway, const char *product, char *id, char *path);
// Delivers what is due, and compares what that did.
void run_due(const gateway *gateway, xs2a_run_report expected);
bool is_report(xs2a_run_report found, xs2a_run_report expected);
void approve(const gateway *gateway, const char *id, char *psu_id);
void expect_status(const gateway *gateway, const char *path, const char *expected);
// Opens everything; `psu_id` has 36 characters and an end.
void consent(const gateway *gateway, char *psu_id);
// The methods that are asked to read, each with what is read; NULL at the end.
extern const char *const READINGS[][2];

#endif
