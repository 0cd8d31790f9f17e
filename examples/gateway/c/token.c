#include "token.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <p11-kit/pkcs11.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIN_BYTES_MAX = 256 };

struct token_key {
    token_config config;
    CK_FUNCTION_LIST *token;        // the functions of the module
    CK_SESSION_HANDLE session;      // CK_INVALID_HANDLE: none is open
    CK_OBJECT_HANDLE key;           // CK_INVALID_HANDLE: it was not found
    bool is_pin_refused;            // no further login: a token locks a PIN after a few wrong ones
};

// The results that a configuration or a token out of reach leads to; the standard has the numbers of the others.
static const struct {
    CK_RV result;
    const char *name;
} RESULTS[] = {
    {CKR_DEVICE_ERROR, "CKR_DEVICE_ERROR"},
    {CKR_DEVICE_REMOVED, "CKR_DEVICE_REMOVED"},
    {CKR_KEY_HANDLE_INVALID, "CKR_KEY_HANDLE_INVALID"},
    {CKR_KEY_TYPE_INCONSISTENT, "CKR_KEY_TYPE_INCONSISTENT"},
    {CKR_MECHANISM_INVALID, "CKR_MECHANISM_INVALID"},
    {CKR_PIN_EXPIRED, "CKR_PIN_EXPIRED"},
    {CKR_PIN_INCORRECT, "CKR_PIN_INCORRECT"},
    {CKR_PIN_INVALID, "CKR_PIN_INVALID"},
    {CKR_PIN_LEN_RANGE, "CKR_PIN_LEN_RANGE"},
    {CKR_PIN_LOCKED, "CKR_PIN_LOCKED"},
    {CKR_SESSION_HANDLE_INVALID, "CKR_SESSION_HANDLE_INVALID"},
    {CKR_TOKEN_NOT_PRESENT, "CKR_TOKEN_NOT_PRESENT"},
    {CKR_USER_NOT_LOGGED_IN, "CKR_USER_NOT_LOGGED_IN"},
};

// Whether a function of the module succeeded.
static bool is_ok(CK_RV result, const char *function, text *why) {
    if (result == CKR_OK) return true;
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++) {
        if (RESULTS[i].result != result) continue;
        text_form(why, "%s returned %s", function, RESULTS[i].name);
        return false;
    }
    text_form(why, "%s returned 0x%08lx", function, result);
    return false;
}

// The functions of a module. A module stays loaded until the process ends: the keys of one module share it, and not
// every module can be loaded a second time.
static CK_FUNCTION_LIST *load(const char *path, text *why) {
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CK_C_GetFunctionList get_functions = NULL;
    // ISO C has no conversion from an object's address to a function's; POSIX has this one.
    if (module != NULL) *(void **)&get_functions = dlsym(module, "C_GetFunctionList");
    if (get_functions == NULL) {
        const char *error = dlerror();
        text_form(why, "`%s` is no PKCS#11 module: %s", path, error == NULL ? "it has no C_GetFunctionList" : error);
        if (module != NULL) dlclose(module);
        return NULL;
    }
    CK_FUNCTION_LIST *functions = NULL;
    return is_ok(get_functions(&functions), "C_GetFunctionList", why) ? functions : NULL;
}

static bool initialise(CK_FUNCTION_LIST *token, text *why) {
    CK_C_INITIALIZE_ARGS arguments = {0};
    arguments.flags = CKF_OS_LOCKING_OK;
    const CK_RV result = token->C_Initialize(&arguments);
    return result == CKR_CRYPTOKI_ALREADY_INITIALIZED || is_ok(result, "C_Initialize", why);
}

// Whether a token has that label, which is padded with spaces in PKCS#11.
static bool has_label(const CK_TOKEN_INFO *info, const char *label) {
    char padded[TOKEN_LABEL_BYTES];
    memset(padded, ' ', sizeof padded);
    memcpy(padded, label, strlen(label));
    return memcmp(info->label, padded, sizeof padded) == 0;
}

// The one token with that label.
static bool find_token(CK_FUNCTION_LIST *token, const char *label, CK_SLOT_ID *slot, CK_TOKEN_INFO *found, text *why) {
    CK_ULONG count = 0, matching = 0;
    CK_RV failure = CKR_OK;
    if (!is_ok(token->C_GetSlotList(CK_TRUE, NULL, &count), "C_GetSlotList", why)) return false;
    CK_SLOT_ID *slots = calloc(count + 1, sizeof *slots);
    if (slots == NULL) {
        text_put(why, "out of memory");
        return false;
    }
    const bool is_listed = is_ok(token->C_GetSlotList(CK_TRUE, slots, &count), "C_GetSlotList", why);
    for (CK_ULONG i = 0; is_listed && i < count; i++) {
        CK_TOKEN_INFO info;
        const CK_RV result = token->C_GetTokenInfo(slots[i], &info);
        if (result != CKR_OK) failure = result;
        else if (has_label(&info, label)) {
            *slot = slots[i];
            *found = info;
            matching++;
        }
    }
    free(slots);
    if (!is_listed || matching == 1) return is_listed;
    text_form(why, "%lu tokens have the label `%s`", matching, label);
    // The token with the label may be the one that could not be read.
    if (failure != CKR_OK) text_put(why, "; ");
    (void)is_ok(failure, "C_GetTokenInfo", why);
    return false;
}

static bool read_pin(const char *path, text *pin, text *why) {
    if (!text_read(pin, path, PIN_BYTES_MAX)) {
        text_form(why, "cannot read `%s`: %s", path, strerror(errno));
        return false;
    }
    while (pin->len > 0 && isspace((unsigned char)pin->data[pin->len - 1])) pin->len--;
    if (pin->len == 0) text_form(why, "`%s` is empty", path);
    return pin->len > 0;
}

static bool is_pin_refusal(CK_RV result) {
    return result == CKR_PIN_INCORRECT || result == CKR_PIN_INVALID || result == CKR_PIN_LEN_RANGE
        || result == CKR_PIN_EXPIRED || result == CKR_PIN_LOCKED;
}

static bool log_in(token_key *key, const CK_TOKEN_INFO *info, text *why) {
    CK_SESSION_INFO session;
    if (!is_ok(key->token->C_GetSessionInfo(key->session, &session), "C_GetSessionInfo", why)) return false;
    // The login is of the process: another seal of the token made it.
    if (session.state == CKS_RO_USER_FUNCTIONS) return true;
    if (key->is_pin_refused) {
        text_form(why, "no login: the token refused the PIN in `%s`; correct it and send SIGHUP", key->config.pin_file);
        return false;
    }
    if ((info->flags & (CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)) != 0) {
        text_form(why, "no login: the token `%s` has locked the PIN, or locks it after one more failure",
                  key->config.token);
        return false;
    }
    text pin = {0};
    CK_RV result = CKR_OK;
    const bool is_read = read_pin(key->config.pin_file, &pin, why);
    if (is_read) result = key->token->C_Login(key->session, CKU_USER, (CK_UTF8CHAR *)pin.data, pin.len);
    text_free_secret(&pin);
    key->is_pin_refused = is_pin_refusal(result);
    return is_read && (result == CKR_USER_ALREADY_LOGGED_IN || is_ok(result, "C_Login", why));
}

// The one private key for RSA signatures with the label of the configuration.
static bool find_key(token_key *key, text *why) {
    CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
    CK_KEY_TYPE type = CKK_RSA;
    CK_BBOOL signs = CK_TRUE;
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class},
                             {CKA_KEY_TYPE, &type, sizeof type},
                             {CKA_SIGN, &signs, sizeof signs},
                             {CKA_LABEL, key->config.key, strlen(key->config.key)}};
    const CK_ULONG attributes = sizeof wanted / sizeof *wanted;
    CK_OBJECT_HANDLE found[2];
    CK_ULONG count = 0;
    if (!is_ok(key->token->C_FindObjectsInit(key->session, wanted, attributes), "C_FindObjectsInit", why)) return false;
    const bool is_searched = is_ok(key->token->C_FindObjects(key->session, found, 2, &count), "C_FindObjects", why);
    const CK_RV ended = key->token->C_FindObjectsFinal(key->session);
    if (!is_searched || !is_ok(ended, "C_FindObjectsFinal", why)) return false;
    if (count != 1) {
        text_form(why, "%s RSA key of the token that signs has the label `%s`", count == 0 ? "no" : "more than one",
                  key->config.key);
        return false;
    }
    key->key = found[0];
    return true;
}

// A session may be lost with the token: then closing it fails, and it is not needed any more.
static void close_session(token_key *key) {
    if (key->session != CK_INVALID_HANDLE) (void)key->token->C_CloseSession(key->session);
    key->session = CK_INVALID_HANDLE;
    key->key = CK_INVALID_HANDLE;
}

static bool open_session(token_key *key, text *why) {
    CK_SLOT_ID slot = 0;
    CK_TOKEN_INFO info;
    CK_SESSION_HANDLE session;
    close_session(key);
    if (!initialise(key->token, why) || !find_token(key->token, key->config.token, &slot, &info, why)) return false;
    const CK_RV result = key->token->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, &session);
    if (!is_ok(result, "C_OpenSession", why)) return false;
    key->session = session;
    if (log_in(key, &info, why) && find_key(key, why)) return true;
    close_session(key);
    return false;
}

token_key *token_key_open(const token_config *config, text *why) {
    token_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        text_put(why, "out of memory");
        return NULL;
    }
    key->config = *config;
    key->session = CK_INVALID_HANDLE;
    key->token = load(config->module, why);
    if (key->token != NULL && open_session(key, why)) return key;
    token_key_close(key);
    return NULL;
}

void token_key_close(token_key *key) {
    if (key == NULL) return;
    close_session(key);
    free(key);
}

static bool sign_once(const token_key *key, xs2a_slice data, uint8_t *signature, size_t *len, text *why) {
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_ULONG count = SIGNATURE_BYTES_MAX;
    if (!is_ok(key->token->C_SignInit(key->session, &mechanism, key->key), "C_SignInit", why)) return false;
    // The function does not change the data; PKCS#11 has no `const`.
    CK_BYTE *bytes = (CK_BYTE *)(uintptr_t)data.data;
    if (!is_ok(key->token->C_Sign(key->session, bytes, data.len, signature, &count), "C_Sign", why)) return false;
    *len = count;
    return true;
}

bool token_key_sign(token_key *key, xs2a_slice data, uint8_t signature[SIGNATURE_BYTES_MAX], size_t *len, text *why) {
    if (key->session != CK_INVALID_HANDLE) {
        if (sign_once(key, data, signature, len, why)) return true;
        // The token may have been reset or out of reach; vendors differ in the results for that.
        text_put(why, "; in a new session: ");
    }
    return open_session(key, why) && sign_once(key, data, signature, len, why);
}
