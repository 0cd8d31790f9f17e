#include "reload.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "log.h"

// More than the engine takes.
enum { REGISTER_BYTES_MAX = (512 << 20) + 1 };

bool reload_register(const xs2a_engine *engine, const char *path) {
    text extract = {0};
    size_t count = 0;
    xs2a_error *error = NULL;
    bool is_replaced = false;
    if (!text_read(&extract, path, REGISTER_BYTES_MAX)) {
        log_line("error", "gateway", "the register was not replaced: cannot read `%s`: %s", path, strerror(errno));
    } else {
        const xs2a_slice json = {(const uint8_t *)extract.data, extract.len};
        is_replaced = xs2a_engine_replace_register(engine, json, &count, &error) == XS2A_OK;
        if (is_replaced) log_line("info", "gateway", "the register was replaced: institutions=%zu", count);
        else log_error("error", "gateway", "the register was not replaced", &error);
    }
    text_free(&extract);
    return is_replaced;
}

static void reload_seal(const gateway *gateway, const seal_config *config) {
    text certificate = {0}, private_key = {0}, why = {0};
    xs2a_error *error = NULL;
    if (!seal_begin(gateway->core.seal, config, &certificate, &private_key, &why)) {
        log_line("error", "gateway", "the seal was not replaced: %s", why.data == NULL ? "" : why.data);
    } else {
        const xs2a_result result = xs2a_engine_replace_response_key(gateway->engine, text_str(&certificate),
                                                                    text_str(&private_key), &error);
        seal_end(gateway->core.seal, result == XS2A_OK);
        if (result == XS2A_OK) log_line("info", "gateway", "the seal was replaced");
        else log_error("error", "gateway", "the seal was not replaced", &error);
    }
    text_free(&why);
    text_free_secret(&private_key);
    text_free(&certificate);
}

// A mistake in the one does not keep the other from being replaced.
static void reload_both(const gateway *gateway, xs2a_str json) {
    seal_config seal = {0};
    char extract[PATH_BYTES_MAX] = "";
    if (!config_read_seal(json, &seal)) log_line("error", "gateway", "the seal was not replaced");
    else if (seal.certificate[0] != '\0') reload_seal(gateway, &seal);
    if (!config_read_extract(json, extract)) log_line("error", "gateway", "the register was not replaced");
    else if (extract[0] != '\0') reload_register(gateway->engine, extract);
}

void reload(const gateway *gateway, const char *config_path) {
    text json = {0};
    if (!config_read_json(config_path, &json)) {
        log_line("error", "gateway", "neither seal nor register was replaced");
    } else if (!json_has(text_str(&json), "/seal") && !json_has(text_str(&json), "/register")) {
        log_line("warn", "gateway", "neither seal nor register was replaced: `%s` has none of them", config_path);
    } else {
        reload_both(gateway, text_str(&json));
    }
    text_free(&json);
}
