// A sandbox, a TPP of it, and what needs them.

#ifndef SANDBOX_H
#define SANDBOX_H

#include "check.h"
#include "xs2a_sandbox.h"

// A sandbox in memory, at 2026-09-01T10:00:00Z.
xs2a_sandbox *new_sandbox(void);
// A TPP of both roles.
xs2a_tpp *new_tpp(const xs2a_sandbox *sandbox);
// Signs a request; `*headers` owns its headers from then on.
void sign_request(const xs2a_tpp *tpp, xs2a_request *request, xs2a_headers **headers);
// Creates a payment: 201.
xs2a_response *create_payment(const xs2a_engine *engine, const xs2a_tpp *tpp);

void test_null_arguments(void);
void test_http_messages(const char *folder);
void test_sandbox(void);
void test_state(void);
void test_tables(void);
void test_tpps(void);
void test_consents(void);
void test_faults(void);
void test_journal(void);
void test_engine(void);
void test_operators(void);
void test_misbehaviour(void);
void test_writers(void);
void test_callbacks(void);
void test_threads(void);
void test_signed_answers(void);
void test_seal(void);
void test_trust_of_a_sandbox(void);

#endif
