// The bank's seal: the certificate that answers are signed with, and its private key, in a file or in a token. The next
// one is put in place while the gateway runs.

#ifndef SEAL_H
#define SEAL_H

#include "token.h"

typedef struct {
    char certificate[PATH_BYTES_MAX];       // a PEM file; empty: answers are not signed
    char private_key[PATH_BYTES_MAX];       // a PEM file; empty: the key is in a token
    token_config token;
} seal_config;

typedef struct seal seal;

// NULL: memory ran out, and the log says so.
seal *seal_new(void);
// After the engine is freed. NULL is fine.
void seal_free(seal *seal);

// Reads the next seal: `certificate` and `private_key` get PEM, for the engine. A key in a token is opened, and
// `private_key` stays empty. The engine tries the key before it puts it in place: until seal_end() a call of
// seal_sign() on this thread is for the next seal. So a gateway calls seal_begin() on one thread, which answers no TPP.
// False: `why` has the reason, and seal_end() must not be called.
bool seal_begin(seal *seal, const seal_config *config, text *certificate, text *private_key, text *why);
// Whether the engine has put it in place: otherwise the present one stays.
void seal_end(seal *seal, bool is_in_place);

// The callback `sign` of xs2a_bank_callbacks; `user_data` is the core, which has the seal.
int32_t seal_sign(void *user_data, xs2a_slice certificate, xs2a_slice text, xs2a_writer *signature);

#endif
