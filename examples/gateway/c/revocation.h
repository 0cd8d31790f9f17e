// Which certificates are revoked: those whose DER is a file in a folder. A bank asks OCSP in its place, and keeps each
// answer until its nextUpdate.

#ifndef REVOCATION_H
#define REVOCATION_H

#include <stdbool.h>

#include "xs2a.h"

// The callback `revocation` of xs2a_bank_callbacks; `user_data` is the core, which has the folder. It reads the folder
// each time: a file counts from the next call of a TPP on.
int32_t revocation_of(void *user_data, xs2a_slice certificate, xs2a_slice issuer);

bool revocation_has_folder(const char *path);

#endif
