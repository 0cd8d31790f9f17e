// What the engine asks the bank (docs/bank.md), answered from the ledger.

#ifndef CORE_H
#define CORE_H

#include "ledger.h"
#include "seal.h"

// What the callbacks get as `user_data`.
typedef struct {
    ledger *ledger;
    const char *revoked;        // the folder of revoked certificates; empty: none is revoked
    seal *seal;
} core;

// The callback `call` of xs2a_bank_callbacks.
int32_t core_call(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer);

// The day in UTC of a time by RFC 3339, `2026-09-01`; of the present where that is NULL.
void core_day(const char *time, char day[11]);

#endif
