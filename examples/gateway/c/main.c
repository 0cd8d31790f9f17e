// A bank's PSD2 gateway: HTTP by libmicrohttpd, xs2a, and a toy core-banking behind it.
//
//     gateway CONFIG DATABASE
//
// CONFIG is a JSON file (examples/gateway/README.md), DATABASE an address such as `sqlite:///var/lib/xs2a/gateway.db`
// or `postgresql:///gateway?host=/run/postgresql`. It says on standard output where it listens, logs to standard error,
// reads the seal and the register again at SIGHUP, and ends at SIGTERM when the requests under way are answered. TLS is
// a proxy's in front of it.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "core.h"
#include "gateway.h"
#include "log.h"
#include "reload.h"
#include "revocation.h"

enum { ANCHORS_BYTES_MAX = 1 << 20, STOP_SECONDS_MAX = 10, OPERATORS_THREADS = 4 };
// The reason of a block: the engine takes 400 characters.
enum { OPERATORS_BODY_BYTES_MAX = 4096 };

// The engine's configuration (docs/configuration.md): the database, the certificates, the policy unchanged.
static void write_engine_config(const config *config, const char *database, const text *anchors,
                                const text *certificate, const text *private_key, text *json) {
    xs2a_text *policy = json_member(text_str(&config->json), "/policy");
    const xs2a_str policies = policy == NULL ? xs2a_str_of("{}") : xs2a_text_str(policy);
    text_put(json, "{\"database\":");
    text_json(json, xs2a_str_of(database));
    text_put(json, ",\"trust_anchors\":");
    text_json(json, text_str(anchors));
    if (config->seal.certificate[0] != '\0') {
        text_put(json, ",\"response_key\":{\"certificate\":");
        text_json(json, text_str(certificate));
        if (config->seal.private_key[0] != '\0') {
            text_put(json, ",\"private_key\":");
            text_json(json, text_str(private_key));
        }
        text_put(json, "}");
    }
    text_put(json, ",\"policy\":");
    text_add(json, policies.data, policies.len);
    text_put(json, "}");
    xs2a_text_free(policy);
}

static bool new_engine(gateway *gateway, const text *json) {
    xs2a_bank_callbacks callbacks = {0};
    callbacks.size = sizeof callbacks;
    callbacks.user_data = &gateway->core;
    callbacks.call = core_call;
    if (gateway->core.revoked[0] != '\0') callbacks.revocation = revocation_of;
    callbacks.sign = seal_sign;
    callbacks.log = log_of_engine;
    xs2a_error *error = NULL;
    if (json->failed) log_line("error", "gateway", "the engine cannot be opened: out of memory");
    else if (xs2a_engine_new(text_str(json), &callbacks, &gateway->engine, &error) == XS2A_OK) return true;
    else log_error("error", "gateway", "the engine cannot be opened", &error);
    return false;
}

static bool open_engine(const config *config, const char *database, gateway *gateway) {
    text anchors = {0}, certificate = {0}, private_key = {0}, why = {0}, json = {0};
    const bool has_seal = config->seal.certificate[0] != '\0';
    bool is_open = false;
    if (!text_read(&anchors, config->trust_anchors, ANCHORS_BYTES_MAX)) {
        log_line("error", "gateway", "cannot read `%s`: %s", config->trust_anchors, strerror(errno));
    } else if (has_seal && !seal_begin(gateway->core.seal, &config->seal, &certificate, &private_key, &why)) {
        log_line("error", "gateway", "the seal cannot be used: %s", why.data == NULL ? "" : why.data);
    } else {
        write_engine_config(config, database, &anchors, &certificate, &private_key, &json);
        is_open = new_engine(gateway, &json);
        if (has_seal) seal_end(gateway->core.seal, is_open);
    }
    text_free_secret(&json);
    text_free(&why);
    text_free_secret(&private_key);
    text_free(&certificate);
    text_free(&anchors);
    // Before the first request of a TPP.
    return is_open && (config->extract[0] == '\0' || reload_register(gateway->engine, config->extract));
}

static http *listen_for(const config *config, gateway *gateway, bool is_public) {
    http_options options = {0};
    options.address = config->address;
    options.port = is_public ? config->port : config->operators_port;
    options.threads = is_public ? config->threads : OPERATORS_THREADS;
    options.body_bytes_max = is_public ? config->body_bytes_max : OPERATORS_BODY_BYTES_MAX;
    options.handle = is_public ? gateway_answer_public : gateway_answer_operators;
    options.context = gateway;
    return http_start(&options);
}

// At SIGHUP the seal and the register are read again. Returns the signal that ends the gateway.
static int wait_for_end(const gateway *gateway, const char *config_path, const sigset_t *signals) {
    int signal = 0;
    while (sigwait(signals, &signal) == 0 && signal == SIGHUP) reload(gateway, config_path);
    return signal;
}

// Serves until a signal comes. False: it could not begin. Both listeners wake the upkeep: it starts before them and
// stops after them.
static bool serve(const config *config, const char *config_path, gateway *gateway, const sigset_t *signals) {
    if (config->has_upkeep) gateway->upkeep = upkeep_start(gateway->engine);
    bool can_begin = gateway->upkeep != NULL || !config->has_upkeep;
    http *operators = can_begin ? listen_for(config, gateway, false) : NULL;
    http *public = operators != NULL ? listen_for(config, gateway, true) : NULL;
    if (public != NULL) {
        printf("listening at %u, for operators at %u\n", (unsigned)http_port(public), (unsigned)http_port(operators));
        fflush(stdout);
        const int signal = wait_for_end(gateway, config_path, signals);
        log_line("info", "gateway", "signal %d: no new connections", signal);
    }
    atomic_store(&gateway->is_stopping, true);
    http_stop(public, STOP_SECONDS_MAX);
    http_stop(operators, STOP_SECONDS_MAX);
    upkeep_stop(gateway->upkeep);
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
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);

    config config = {0};
    gateway gateway = {0};
    bool is_served = false;
    if (xs2a_abi_version() != XS2A_ABI_VERSION) log_line("error", "gateway", "libxs2a is of another binary interface");
    else if (config_read(&config, arguments[1])) {
        gateway.sca_path = config.sca_path;
        gateway.core.revoked = config.revoked;
        gateway.core.seal = seal_new();
        gateway.core.ledger = ledger_open(config.ledger, config.order_seconds);
    }
    if (gateway.core.seal != NULL && gateway.core.ledger != NULL && open_engine(&config, arguments[2], &gateway)) {
        is_served = serve(&config, arguments[1], &gateway, &signals);
    }
    xs2a_engine_free(gateway.engine);
    ledger_close(gateway.core.ledger);
    seal_free(gateway.core.seal);
    config_free(&config);
    return is_served ? EXIT_SUCCESS : EXIT_FAILURE;
}
