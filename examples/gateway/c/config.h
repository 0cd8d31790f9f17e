// The configuration, a JSON file (examples/gateway/README.md).

#ifndef CONFIG_H
#define CONFIG_H

#include "seal.h"

typedef struct {
    text json;
    char address[64], trust_anchors[PATH_BYTES_MAX], ledger[PATH_BYTES_MAX];
    char revoked[PATH_BYTES_MAX];           // empty: no certificate is revoked
    char extract[PATH_BYTES_MAX];           // of the register; empty: there is none
    char sca_path[256];                     // what precedes the id in links to the SCA page
    seal_config seal;
    uint16_t port, operators_port;
    unsigned threads, order_seconds;
    size_t body_bytes_max;
    bool has_upkeep;
} config;

// Into a configuration that begins as `{0}`, and is freed in each case. False: it cannot be used, and the log says why.
bool config_read(config *config, const char *path);
void config_free(config *config);

// The parts that are read again at SIGHUP, each alone. False: it cannot be used, and the log says why.
bool config_read_json(const char *path, text *json);
// Into a `{0}`, which stays as it is if the configuration has no seal.
bool config_read_seal(xs2a_str json, seal_config *seal);
// Into an empty text, which stays empty if the configuration has no extract of the register.
bool config_read_extract(xs2a_str json, char extract[PATH_BYTES_MAX]);

#endif
