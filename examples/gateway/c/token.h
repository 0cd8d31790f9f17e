// A private key in a PKCS#11 token: a hardware security module, or SoftHSM. The key never leaves the token.

#ifndef TOKEN_H
#define TOKEN_H

#include "text.h"

// A label in PKCS#11 has 32 bytes; that of a key has no bound.
enum { TOKEN_LABEL_BYTES = 32, KEY_LABEL_BYTES_MAX = 256, SIGNATURE_BYTES_MAX = 1024 };

typedef struct {
    char module[PATH_BYTES_MAX];            // the library of the token's vendor
    char token[TOKEN_LABEL_BYTES + 1];      // the label of the token
    char key[KEY_LABEL_BYTES_MAX];          // the label of the private key
    char pin_file[PATH_BYTES_MAX];
} token_config;

typedef struct token_key token_key;

// NULL: it cannot be used, and `why` has the reason. The configuration is copied. The PIN is read for a login: of the
// first key of a token in the process, and after all its sessions were lost.
token_key *token_key_open(const token_config *config, text *why);
// NULL is fine.
void token_key_close(token_key *key);
// RSASSA-PKCS1-v1_5 with SHA-256; `len` is the length of the signature. One session serves one thread at a time, so the
// caller has a lock. A failed signature is tried once more in a new session. False: `why` has the reason.
bool token_key_sign(token_key *key, xs2a_slice data, uint8_t signature[SIGNATURE_BYTES_MAX], size_t *len, text *why);

#endif
