// A small bank behind an engine: one person with one account and one card.

#ifndef TOY_BANK_H
#define TOY_BANK_H

#include "check.h"

// What the bank does with one of its methods.
typedef enum {
    WELL,
    FAILS,          // gives a number that is not 0
    NOTHING,        // writes nothing
    NOT_JSON,       // writes half an object
    NOT_UTF8,       // writes a byte that no UTF-8 has
    NULL_BYTES,     // hands NULL with a length to the writer
    HUGE_ANSWER,    // writes 100 MiB and ignores errors
    OTHER_SHAPE,    // writes an empty object
    OTHER_ID,       // answers for something else
    TROUBLES,
    SLOW,           // answers well, 10 seconds and a microsecond later: of what it did, that is an answer
} trouble;

typedef struct {
    const char *troubled;   // the method that misbehaves
    trouble trouble;
    int orders;             // payments taken, each once
    char last_order[65];
    bool is_cancelled;
    int unregistered;       // what the register answers: 0 registered
    int64_t now;            // microseconds
    bool answers_nonsense;  // reports a payment that it takes as new
    int logged;             // errors in the engine's log
    int warned;             // warnings there
    // Called before each answer, where it is there.
    void (*within_call)(void *context, xs2a_str method, xs2a_writer *answer);
    // Called for each error of the log, where it is there.
    void (*heard)(void *context, xs2a_str fields);
    void *context;
} toy_bank;

#define METHODS 20
// Every method of a bank.
extern const char *const bank_methods[METHODS];

// The callbacks over that bank, which outlives them.
xs2a_bank_callbacks toy_callbacks(toy_bank *bank);

#endif
