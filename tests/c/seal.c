// A seal whose private key is elsewhere: the callback `sign` has the openssl command sign.

#include <unistd.h>

#include "sandbox.h"
#include "toy_bank.h"

typedef enum { WORKS, FAILS_TO_SIGN, GARBAGE, WRITES_NOTHING } token_state;

typedef struct {
    toy_bank bank;
    token_state state;
    size_t asked;
    char folder[64];
} token;

static void write_file(const token *token, const char *name, const void *bytes, size_t length) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", token->folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static int32_t sign(void *user_data, xs2a_slice certificate, xs2a_slice text, xs2a_writer *signature) {
    token *self = user_data;
    xs2a_error *error = NULL;
    self->asked++;
    // A certificate in DER.
    CHECK(certificate.len > 4 && certificate.data[0] == 0x30 && certificate.data[1] == 0x82);
    if (self->state == FAILS_TO_SIGN) return 7;
    if (self->state == WRITES_NOTHING) return 0;
    if (self->state == GARBAGE) {
        OK(xs2a_writer_write(signature, xs2a_slice_of("garbage"), &error));
        return 0;
    }
    char command[256];
    write_file(self, "text", text.data, text.len);
    snprintf(command, sizeof command, "openssl dgst -sha256 -sign %s/key.pem %s/text", self->folder, self->folder);
    FILE *made = popen(command, "r");
    CHECK(made != NULL);
    uint8_t bytes[1024];
    const size_t length = fread(bytes, 1, sizeof bytes, made);
    CHECK(pclose(made) == 0 && length == 256);
    // In two pieces.
    OK(xs2a_writer_write(signature, (xs2a_slice){bytes, 100}, &error));
    OK(xs2a_writer_write(signature, (xs2a_slice){bytes + 100, length - 100}, &error));
    return 0;
}

// An answer is signed so that it verifies, or is a 500 without a signature.
static void check_call(const xs2a_engine *engine, const char *reason, bool is_signed) {
    const xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_handle(engine, &request, &response, &error));
    CHECK(begins(xs2a_response_reason(response), reason));
    xs2a_header headers[16];
    const size_t count = xs2a_response_header_count(response);
    CHECK(count <= sizeof headers / sizeof *headers);
    for (size_t i = 0; i < count; i++) headers[i] = xs2a_response_header(response, i);
    xs2a_text *text = NULL;
    OK(xs2a_verify_response(headers, count, xs2a_response_body(response), xs2a_str_of("2026-09-01T10:00:00Z"),
                            xs2a_str_of(NULL), &text, &error));
    check_member(xs2a_text_str(text), "/ok", is_signed ? "true" : "false");
    CHECK((xs2a_response_status(response) == 500) == !is_signed);
    xs2a_text_free(text);
    xs2a_response_free(response);
}

static void check_health(const xs2a_engine *engine, const char *signs) {
    xs2a_text *health = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_health(engine, &health, &error));
    check_member(xs2a_text_str(health), "/seal/signs", signs);
    xs2a_text_free(health);
}

// The text of a JSON member, with the line breaks escaped. The caller frees it.
static char *config_of(xs2a_str certificate) {
    char *lines = malloc(2 * certificate.len + 1), *config = malloc(4 * certificate.len + 256);
    CHECK(lines != NULL && config != NULL);
    size_t end = 0;
    for (size_t i = 0; i < certificate.len; i++) {
        if (certificate.data[i] == '\n') lines[end++] = '\\';
        lines[end++] = certificate.data[i] == '\n' ? 'n' : certificate.data[i];
    }
    lines[end] = '\0';
    sprintf(config,
            "{\"database\":\"sqlite::memory:\",\"trust_anchors\":\"%s\","
            "\"response_key\":{\"certificate\":\"%s\"},\"policy\":{\"sign_responses\":true}}",
            lines, lines);
    free(lines);
    return config;
}

void test_seal(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    xs2a_sandbox *sandbox = NULL;
    xs2a_tpp *own = NULL, *other = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    OK(xs2a_sandbox_register_tpp(sandbox, xs2a_str_of("Bank"), xs2a_str_of("AISP"), &own, &error));
    OK(xs2a_sandbox_register_tpp(sandbox, xs2a_str_of("Other"), xs2a_str_of("AISP"), &other, &error));
    const xs2a_str certificate = xs2a_tpp_certificate_pem(own), key = xs2a_tpp_private_key_pem(own);

    token token = {.folder = "/tmp/xs2a_seal_XXXXXX"};
    CHECK(mkdtemp(token.folder) != NULL && (void *)&token == (void *)&token.bank);
    write_file(&token, "key.pem", key.data, key.len);
    token.bank.now = 1788256800000000;
    xs2a_bank_callbacks callbacks = toy_callbacks(&token.bank);
    callbacks.sign = sign;
    char *config = config_of(certificate);
    xs2a_engine *engine = UNTOUCHED(xs2a_engine);
    token.state = FAILS_TO_SIGN;
    FAILS(XS2A_BANK, xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
    token.state = WRITES_NOTHING;
    FAILS(XS2A_BANK, xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
    token.state = GARBAGE;
    FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
    callbacks.sign = NULL;
    FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
    CHECK(engine == UNTOUCHED(xs2a_engine));
    callbacks.sign = sign;
    token.state = WORKS;
    OK(xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
    check_call(engine, "HDR-", true);
    check_health(engine, "true");
    const token_state faults[] = {FAILS_TO_SIGN, GARBAGE, WRITES_NOTHING};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        token.state = faults[i];
        check_call(engine, "SYS-04", false);
        check_call(engine, "SYS-02", false);
        check_health(engine, "false");
        token.state = WORKS;
        check_call(engine, "HDR-", true);
        check_health(engine, "true");
    }

    // The next seal: with a key, then with the callback again. What cannot be leaves the present one.
    const xs2a_str next = xs2a_tpp_certificate_pem(other), next_key = xs2a_tpp_private_key_pem(other);
    OK(xs2a_engine_replace_response_key(engine, next, next_key, &error));
    const size_t asked = token.asked;
    check_call(engine, "HDR-", true);
    CHECK(token.asked == asked);
    FAILS(XS2A_CONFIG, xs2a_engine_replace_response_key(engine, certificate, next_key, &error));
    FAILS(XS2A_CONFIG, xs2a_engine_replace_response_key(engine, next, xs2a_str_of(NULL), &error));
    FAILS(XS2A_CONFIG, xs2a_engine_replace_response_key(engine, xs2a_str_of("none"), next_key, &error));
    token.state = FAILS_TO_SIGN;
    FAILS(XS2A_BANK, xs2a_engine_replace_response_key(engine, certificate, xs2a_str_of(NULL), &error));
    check_call(engine, "HDR-", true);
    token.state = WORKS;
    OK(xs2a_engine_replace_response_key(engine, certificate, xs2a_str_of(NULL), &error));
    check_call(engine, "HDR-", true);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_replace_response_key(NULL, certificate, key, &error));
    const xs2a_engine *of_sandbox = xs2a_sandbox_engine(sandbox);
    FAILS(XS2A_MISUSE, xs2a_engine_replace_response_key(of_sandbox, certificate, key, &error));
    xs2a_engine_free(engine);
    free(config);
    char path[128];
    for (const char *const *name = (const char *const[]){"key.pem", "text", NULL}; *name != NULL; name++) {
        snprintf(path, sizeof path, "%s/%s", token.folder, *name);
        CHECK(unlink(path) == 0);
    }
    CHECK(rmdir(token.folder) == 0);
    xs2a_tpp_free(own);
    xs2a_tpp_free(other);
    xs2a_sandbox_free(sandbox);
}
