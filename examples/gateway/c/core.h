// What the engine asks the bank (docs/bank.md), answered from the ledger.

#ifndef CORE_H
#define CORE_H

#include "ledger.h"

// The callback `call` of xs2a_bank_callbacks; `user_data` is the ledger.
int32_t core_call(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer);

// The day in UTC of a time by RFC 3339, `2026-09-01`; of the present where that is NULL.
void core_day(const char *time, char day[11]);

#endif
