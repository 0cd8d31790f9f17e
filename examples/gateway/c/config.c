#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "revocation.h"

enum { CONFIG_BYTES_MAX = 1 << 20 };
// A node has an order for 60 seconds (`order_lease_seconds`), of which 45 are left when the core is called.
enum { ORDER_SECONDS_MAX = 40 };

bool config_read_json(const char *path, text *into) {
    if (!text_read(into, path, CONFIG_BYTES_MAX)) {
        log_line("error", "gateway", "cannot read `%s`: %s", path, strerror(errno));
        return false;
    }
    xs2a_text *whole = NULL;
    xs2a_error *error = NULL;
    if (xs2a_json_at(text_str(into), xs2a_str_of(""), &whole, &error) != XS2A_OK) {
        log_error("error", "gateway", path, &error);
        return false;
    }
    xs2a_text_free(whole);
    return true;
}

// A whole number of the configuration, or `absent` where it has none. False: it is not a number, or out of range.
static bool number(xs2a_str json, const char *pointer, unsigned long from, unsigned long to, unsigned long absent,
                   unsigned long *into) {
    char digits[16], *end = NULL;
    *into = absent;
    if (!json_has(json, pointer)) return true;
    bool is_digits = json_copy(json, pointer, digits, sizeof digits) && digits[0] >= '0' && digits[0] <= '9';
    if (is_digits) *into = strtoul(digits, &end, 10);
    if (is_digits && *end == '\0' && *into >= from && *into <= to) return true;
    log_line("error", "gateway", "the configuration's %s is not from %lu to %lu", pointer, from, to);
    return false;
}

// A text of the configuration that may not be empty.
static bool required(xs2a_str json, const char *pointer, char *into, size_t size) {
    if (json_copy(json, pointer, into, size) && into[0] != '\0') return true;
    log_line("error", "gateway", "the configuration's %s is absent, empty or too long", pointer);
    return false;
}

// What precedes the id in links to the SCA page. A slash at the end of `base_path` is ignored, as in the policy.
static bool read_sca_path(xs2a_str json, char *into, size_t size) {
    xs2a_text *member = json_member(json, "/policy/base_path");
    xs2a_str base = xs2a_text_str(member);
    while (base.len > 0 && base.data[base.len - 1] == '/') base.len--;
    int length = snprintf(into, size, "%.*s/sca/", (int)base.len, base.len == 0 ? "" : base.data);
    xs2a_text_free(member);
    if (length > 0 && (size_t)length < size) return true;
    log_line("error", "gateway", "the configuration's /policy/base_path is too long");
    return false;
}

static bool read_numbers(xs2a_str json, config *config) {
    unsigned long port = 0, operators_port = 0, threads = 0, order_seconds = 0, body_bytes_max = 0;
    if (!number(json, "/port", 0, 65535, 8080, &port)
        || !number(json, "/operators_port", 0, 65535, 8081, &operators_port)
        || !number(json, "/threads", 2, 256, 8, &threads)
        || !number(json, "/order_seconds", 0, ORDER_SECONDS_MAX, 0, &order_seconds)
        || !number(json, "/policy/body_bytes_max", 1, 1 << 30, 1 << 20, &body_bytes_max)) {
        return false;
    }
    config->port = (uint16_t)port;
    config->operators_port = (uint16_t)operators_port;
    config->threads = (unsigned)threads;
    config->order_seconds = (unsigned)order_seconds;
    config->body_bytes_max = body_bytes_max;
    return true;
}

static bool read_revoked(xs2a_str json, config *config) {
    if (!json_has(json, "/revoked")) return true;
    if (!required(json, "/revoked", config->revoked, sizeof config->revoked)) return false;
    const bool is_folder = revocation_has_folder(config->revoked);
    if (!is_folder) log_line("error", "gateway", "the configuration's /revoked is no folder that can be read");
    return is_folder;
}

bool config_read_seal(xs2a_str json, seal_config *seal) {
    if (!json_has(json, "/seal")) return true;
    token_config *token = &seal->token;
    if (!required(json, "/seal/certificate", seal->certificate, sizeof seal->certificate)) return false;
    if (!json_has(json, "/seal/pkcs11")) {
        return required(json, "/seal/private_key", seal->private_key, sizeof seal->private_key);
    }
    return required(json, "/seal/pkcs11/module", token->module, sizeof token->module)
        && required(json, "/seal/pkcs11/token", token->token, sizeof token->token)
        && required(json, "/seal/pkcs11/key", token->key, sizeof token->key)
        && required(json, "/seal/pkcs11/pin_file", token->pin_file, sizeof token->pin_file);
}

bool config_read_extract(xs2a_str json, char extract[PATH_BYTES_MAX]) {
    return !json_has(json, "/register") || required(json, "/register", extract, PATH_BYTES_MAX);
}

bool config_read(config *config, const char *path) {
    char upkeep[8];
    if (!config_read_json(path, &config->json)) return false;
    const xs2a_str json = text_str(&config->json);
    config->has_upkeep = !json_copy(json, "/upkeep", upkeep, sizeof upkeep) || strcmp(upkeep, "false") != 0;
    return required(json, "/address", config->address, sizeof config->address)
        && required(json, "/trust_anchors", config->trust_anchors, sizeof config->trust_anchors)
        && required(json, "/ledger", config->ledger, sizeof config->ledger)
        && read_numbers(json, config)
        && read_sca_path(json, config->sca_path, sizeof config->sca_path)
        && read_revoked(json, config)
        && config_read_extract(json, config->extract)
        && config_read_seal(json, &config->seal);
}

void config_free(config *config) {
    text_free(&config->json);
}
