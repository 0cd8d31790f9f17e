// What is read again while the gateway runs: the extract of the register, and the bank's seal.

#ifndef RELOAD_H
#define RELOAD_H

#include "gateway.h"

// The engine gets the extract of the register in a file. False: it keeps the one that it has, and the log says why.
bool reload_register(const xs2a_engine *engine, const char *path);

// Both, as the configuration in a file names them now. What it does not name, and what cannot be used, stays as it is.
// On a thread that answers no TPP.
void reload(const gateway *gateway, const char *config_path);

#endif
