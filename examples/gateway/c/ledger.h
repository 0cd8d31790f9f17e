// The toy bank's books: two customers, four accounts in NOK, and a journal on the disk of every order it was given. It
// replaces a bank's core-banking system and contains nothing of PSD2, TPPs and HTTP.

#ifndef LEDGER_H
#define LEDGER_H

#include <stdint.h>

#include "text.h"

typedef struct {
    const char *person, *identity, *name;
} customer;

typedef struct {
    const char *person;         // whose it is
    const char *id;             // what TPPs call it: opaque, stable, unguessable
    const char *bban, *name;
    int64_t opening;            // in øre
} account;

// An order to the core.
typedef struct {
    size_t number;              // in the order in which they came, from 0 on
    char payment_id[65];
    char status[5];             // `ACSC`, `RJCT`, `PDNG` or `CANC`
    char debtor[35], creditor[35];
    int64_t amount;             // in øre
    char creditor_name[281], remittance[561];
    char day[11];               // when it was booked, or is to be
} order;

typedef enum { AT_ONCE, BY_BATCH } settling;
typedef struct ledger ledger;

extern const customer customers[2];
extern const account accounts[4];

const customer *customer_with_identity(const char *identity);
const account *account_with_bban(const char *bban);
const account *account_with_id(const char *id);

// Opens the journal, making it where there is none. NULL: that cannot be, and the log says why.
// `order_seconds`: how long it takes to answer an order, as a slow core does.
ledger *ledger_open(const char *path, unsigned order_seconds);
void ledger_close(ledger *ledger);

// Takes an order, once for each payment id; `status` (5 bytes) is its status. `by_batch`: it is booked by
// ledger_run_batch(). False: the journal cannot be written now, and nothing is changed.
bool ledger_take(ledger *ledger, const order *given, settling when, char *status);
// Gives up an order, for ever, whether it came already or comes later. `status` is its status then; `CANC` if that
// could be done.
bool ledger_cancel(ledger *ledger, const char *payment_id, const char *day, char *status);
// Books what waits and is due by that day. False as above.
bool ledger_run_batch(ledger *ledger, const char *day);

// In øre, what is booked alone.
int64_t ledger_balance(ledger *ledger, const account *account);
// A copy of all orders at one moment: what changed last is at the end. The caller frees it, an empty one too. False:
// memory ran out.
bool ledger_orders(ledger *ledger, order **orders, size_t *count);

// `250.00` as øre; -1 where it is not such a text.
int64_t ore_of(const char *amount);
void text_ore(text *text, int64_t ore);

#endif
