// A bank's PSD2 gateway: HTTP by libmicrohttpd, xs2a, and a toy core-banking behind it.
//
//     gateway CONFIG DATABASE
//
// CONFIG is a JSON file (examples/gateway/README.md), DATABASE an address such as `sqlite:///var/lib/xs2a/gateway.db`
// or `postgresql:///gateway?host=/run/postgresql`. It says on standard output where it listens, logs to standard error,
// and ends at SIGTERM when the requests under way are answered. TLS is a proxy's in front of it.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "gateway.h"
#include "log.h"

enum { FILE_BYTES_MAX = 1 << 20, PATH_BYTES_MAX = 1024, STOP_SECONDS_MAX = 10, OPERATORS_THREADS = 2 };

typedef struct {
    text json;
    char address[64], trust_anchors[PATH_BYTES_MAX], ledger[PATH_BYTES_MAX];
    uint16_t port, operators_port;
    unsigned threads;
    size_t body_bytes_max;
    bool has_upkeep;
} config;

static bool read_file(const char *path, text *into) {
    FILE *file = fopen(path, "rb");
    char piece[4096];
    size_t count = 0;
    while (file != NULL && into->len <= FILE_BYTES_MAX && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        text_add(into, piece, count);
    }
    bool is_read = file != NULL && !ferror(file) && !into->failed && into->len <= FILE_BYTES_MAX;
    if (file != NULL) fclose(file);
    if (!is_read) log_line("error", "gateway", "%s cannot be read", path);
    return is_read;
}

// A whole number of the configuration, or `absent` where it has none. False: it is not a number, or out of range.
static bool number(xs2a_str json, const char *pointer, unsigned long from, unsigned long to, unsigned long absent,
                   unsigned long *into) {
    char digits[16], *end = NULL;
    xs2a_text *member = json_member(json, pointer);
    *into = absent;
    if (member == NULL) return true;
    xs2a_text_free(member);
    bool is_digits = json_copy(json, pointer, digits, sizeof digits) && digits[0] >= '0' && digits[0] <= '9';
    if (is_digits) *into = strtoul(digits, &end, 10);
    if (is_digits && *end == '\0' && *into >= from && *into <= to) return true;
    log_line("error", "gateway", "the configuration's %s is not from %lu to %lu", pointer, from, to);
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

static bool read_config(const char *path, config *config, gateway *gateway) {
    char upkeep[8];
    unsigned long port = 0, operators_port = 0, threads = 0, body_bytes_max = 0;
    if (!read_file(path, &config->json)) return false;
    xs2a_str json = text_str(&config->json);
    xs2a_text *whole = NULL;
    xs2a_error *error = NULL;
    if (xs2a_json_at(json, xs2a_str_of(""), &whole, &error) != XS2A_OK) {
        log_error("gateway", path, &error);
        return false;
    }
    xs2a_text_free(whole);
    if (!json_copy(json, "/address", config->address, sizeof config->address)
        || !json_copy(json, "/trust_anchors", config->trust_anchors, sizeof config->trust_anchors)
        || !json_copy(json, "/ledger", config->ledger, sizeof config->ledger)) {
        log_line("error", "gateway", "%s needs address, trust_anchors and ledger", path);
        return false;
    }
    if (!number(json, "/port", 0, 65535, 8080, &port)
        || !number(json, "/operators_port", 0, 65535, 8081, &operators_port)
        || !number(json, "/threads", 2, 256, 8, &threads)
        || !number(json, "/policy/body_bytes_max", 1, 1 << 30, 1 << 20, &body_bytes_max)) {
        return false;
    }
    config->port = (uint16_t)port;
    config->operators_port = (uint16_t)operators_port;
    config->threads = (unsigned)threads;
    config->body_bytes_max = body_bytes_max;
    config->has_upkeep = !json_copy(json, "/upkeep", upkeep, sizeof upkeep) || strcmp(upkeep, "false") != 0;
    return read_sca_path(json, gateway->sca_path, sizeof gateway->sca_path);
}

// The engine's configuration (docs/configuration.md): the database, the certificates, the policy unchanged.
static bool open_engine(const config *config, const char *database, gateway *gateway) {
    text pem = {0}, json = {0};
    if (!read_file(config->trust_anchors, &pem)) {
        text_free(&pem);
        return false;
    }
    xs2a_text *policy = json_member(text_str(&config->json), "/policy");
    xs2a_str policies = policy == NULL ? xs2a_str_of("{}") : xs2a_text_str(policy);
    text_put(&json, "{\"database\":");
    text_json(&json, xs2a_str_of(database));
    text_put(&json, ",\"trust_anchors\":");
    text_json(&json, text_str(&pem));
    text_put(&json, ",\"policy\":");
    text_add(&json, policies.data, policies.len);
    text_put(&json, "}");
    xs2a_bank_callbacks callbacks = {0};
    callbacks.size = sizeof callbacks;
    callbacks.user_data = gateway->ledger;
    callbacks.call = core_call;
    callbacks.log = log_of_engine;
    xs2a_error *error = NULL;
    bool is_open = !json.failed && xs2a_engine_new(text_str(&json), &callbacks, &gateway->engine, &error) == XS2A_OK;
    if (!is_open) log_error("gateway", "the engine cannot be opened", &error);
    xs2a_text_free(policy);
    text_free(&json);
    text_free(&pem);
    return is_open;
}

static http *listen_for(const config *config, gateway *gateway, bool is_public) {
    http_options options = {0};
    options.address = config->address;
    options.port = is_public ? config->port : config->operators_port;
    options.threads = is_public ? config->threads : OPERATORS_THREADS;
    options.body_bytes_max = is_public ? config->body_bytes_max : 0;
    options.handle = is_public ? gateway_answer_public : gateway_answer_operators;
    options.context = gateway;
    return http_start(&options);
}

// Serves until a signal comes. False: it could not begin.
static bool serve(const config *config, gateway *gateway, const sigset_t *signals) {
    http *operators = listen_for(config, gateway, false);
    if (config->has_upkeep && operators != NULL) gateway->upkeep = upkeep_start(gateway->engine);
    bool can_begin = operators != NULL && (gateway->upkeep != NULL || !config->has_upkeep);
    http *public = can_begin ? listen_for(config, gateway, true) : NULL;
    if (public != NULL) {
        printf("listening at %u, for operators at %u\n", (unsigned)http_port(public), (unsigned)http_port(operators));
        fflush(stdout);
        int signal = 0;
        sigwait(signals, &signal);
        log_line("info", "gateway", "signal %d: no new connections", signal);
    }
    http_stop(public, STOP_SECONDS_MAX);
    upkeep_stop(gateway->upkeep);
    http_stop(operators, STOP_SECONDS_MAX);
    return public != NULL;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: gateway CONFIG DATABASE\n");
        return 2;
    }
    // Every thread that comes inherits this: the signals wait for sigwait().
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);

    config config = {0};
    gateway gateway = {0};
    bool is_served = false;
    if (xs2a_abi_version() != XS2A_ABI_VERSION) log_line("error", "gateway", "libxs2a is of another binary interface");
    else if (read_config(arguments[1], &config, &gateway)) gateway.ledger = ledger_open(config.ledger);
    if (gateway.ledger != NULL && open_engine(&config, arguments[2], &gateway)) {
        is_served = serve(&config, &gateway, &signals);
    }
    xs2a_engine_free(gateway.engine);
    ledger_close(gateway.ledger);
    text_free(&config.json);
    return is_served ? EXIT_SUCCESS : EXIT_FAILURE;
}
