// The thread that delivers what is due: authorised payments to the core, as soon as there are some.

#ifndef UPKEEP_H
#define UPKEEP_H

#include "xs2a.h"

typedef struct upkeep upkeep;

// NULL: no thread can be had.
upkeep *upkeep_start(const xs2a_engine *engine);
// Something may be due now: to be called after each completed SCA. NULL is fine.
void upkeep_wake(upkeep *upkeep);
// Ends the thread after the order that it is delivering; the others stay due. NULL is fine.
void upkeep_stop(upkeep *upkeep);

#endif
