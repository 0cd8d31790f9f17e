#include "seal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "log.h"

enum { SEAL_BYTES_MAX = 1 << 16, CANNOT_SIGN = -1 };

// A seal whose key is in a token. One in a file has nothing here: the engine has its key.
typedef struct {
    xs2a_text *certificate;     // the result of certificate_text(); NULL: the key is in a file
    token_key *key;             // NULL: the same
} seal_in_token;

struct seal {
    pthread_mutex_t lock;
    // A call in progress may still be signed by the seal before the present one.
    seal_in_token previous, present, next;
    bool is_replacing;
    pthread_t replacing_thread;     // while `is_replacing`
};

seal *seal_new(void) {
    seal *seal = calloc(1, sizeof *seal);
    if (seal != NULL && pthread_mutex_init(&seal->lock, NULL) == 0) return seal;
    free(seal);
    log_line("error", "gateway", "cannot create the seal: out of memory");
    return NULL;
}

static void close_seal(seal_in_token *of) {
    token_key_close(of->key);
    xs2a_text_free(of->certificate);
    memset(of, 0, sizeof *of);
}

void seal_free(seal *seal) {
    if (seal == NULL) return;
    close_seal(&seal->previous);
    close_seal(&seal->present);
    close_seal(&seal->next);
    pthread_mutex_destroy(&seal->lock);
    free(seal);
}

// A certificate, PEM or DER, as a text that is the same for both and for no other certificate: it has issuer and serial
// number. NULL: it cannot be read, and the error says why.
static xs2a_text *certificate_text(xs2a_slice certificate, xs2a_error **error) {
    xs2a_text *text = NULL;
    return xs2a_parse_certificate(certificate, &text, error) == XS2A_OK ? text : NULL;
}

static bool read_pem(const char *path, text *into, text *why) {
    if (!text_read(into, path, SEAL_BYTES_MAX)) {
        text_form(why, "cannot read `%s`: %s", path, strerror(errno));
        return false;
    }
    if (into->len == 0) text_form(why, "`%s` is empty", path);
    return into->len > 0;
}

static bool open_in_token(const seal_config *config, const text *pem, seal_in_token *into, text *why) {
    xs2a_error *error = NULL;
    into->certificate = certificate_text((xs2a_slice){(const uint8_t *)pem->data, pem->len}, &error);
    if (into->certificate == NULL) {
        const xs2a_str message = xs2a_error_message(error);
        text_form(why, "`%s`: ", config->certificate);
        text_add(why, message.data, message.len);
        xs2a_error_free(error);
        return false;
    }
    into->key = token_key_open(&config->token, why);
    if (into->key == NULL) close_seal(into);
    return into->key != NULL;
}

bool seal_begin(seal *seal, const seal_config *config, text *certificate, text *private_key, text *why) {
    seal_in_token next = {0};
    if (!read_pem(config->certificate, certificate, why)) return false;
    if (config->private_key[0] != '\0') {
        if (!read_pem(config->private_key, private_key, why)) return false;
    } else if (!open_in_token(config, certificate, &next, why)) {
        return false;
    }
    pthread_mutex_lock(&seal->lock);
    seal->next = next;
    seal->is_replacing = true;
    seal->replacing_thread = pthread_self();
    pthread_mutex_unlock(&seal->lock);
    return true;
}

static bool has_certificate(const seal_in_token *of, const xs2a_text *certificate) {
    const xs2a_str own = xs2a_text_str(of->certificate), other = xs2a_text_str(certificate);
    return own.len == other.len && (own.len == 0 || memcmp(own.data, other.data, own.len) == 0);
}

void seal_end(seal *seal, bool is_in_place) {
    pthread_mutex_lock(&seal->lock);
    if (is_in_place) {
        // Calls in progress find an unchanged seal by its certificate: the previous one is kept for others.
        const bool is_unchanged = has_certificate(&seal->present, seal->next.certificate);
        close_seal(is_unchanged ? &seal->present : &seal->previous);
        if (!is_unchanged) seal->previous = seal->present;
        seal->present = seal->next;
        memset(&seal->next, 0, sizeof seal->next);
    } else {
        close_seal(&seal->next);
    }
    seal->is_replacing = false;
    pthread_mutex_unlock(&seal->lock);
}

// The key of a certificate. The next one may be in place before seal_end() comes.
static token_key *find_key(const seal *seal, const xs2a_text *certificate) {
    if (seal->is_replacing && pthread_equal(seal->replacing_thread, pthread_self())) return seal->next.key;
    const seal_in_token *const all[] = {&seal->present, &seal->previous, &seal->next};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (has_certificate(all[i], certificate)) return all[i]->key;
    }
    return NULL;
}

int32_t seal_sign(void *user_data, xs2a_slice certificate, xs2a_slice text_to_sign, xs2a_writer *signature) {
    seal *seal = ((const core *)user_data)->seal;
    uint8_t bytes[SIGNATURE_BYTES_MAX];
    size_t len = 0;
    text why = {0};
    xs2a_text *name = certificate_text(certificate, NULL);
    pthread_mutex_lock(&seal->lock);
    token_key *key = name == NULL ? NULL : find_key(seal, name);
    if (key == NULL) text_put(&why, "no token has the key of the certificate");
    bool is_signed = key != NULL && token_key_sign(key, text_to_sign, bytes, &len, &why);
    pthread_mutex_unlock(&seal->lock);
    xs2a_text_free(name);
    if (is_signed) is_signed = xs2a_writer_write(signature, (xs2a_slice){bytes, len}, NULL) == XS2A_OK;
    // Where the text is refused too, the engine's log has the number alone.
    else (void)xs2a_writer_fail(signature, text_str(&why), NULL);
    text_free(&why);
    return is_signed ? 0 : CANNOT_SIGN;
}
