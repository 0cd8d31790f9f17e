// The vectors that all languages share: the C ABI returns the answers in them.

#include "check.h"

enum { PATH_BYTES_MAX = 4096, POINTER_BYTES_MAX = 64 };

char *read_file(const char *folder, const char *name, xs2a_str *contents) {
    char path[PATH_BYTES_MAX];
    CHECK(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) perror(path);
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    long length = ftell(file);
    CHECK(length > 0 && fseek(file, 0, SEEK_SET) == 0);
    char *buffer = malloc((size_t)length);
    CHECK(buffer != NULL && fread(buffer, 1, (size_t)length, file) == (size_t)length);
    fclose(file);
    contents->data = buffer;
    contents->len = (size_t)length;
    return buffer;
}

// A member of the vector at `index`; NULL behind the last one.
static xs2a_text *member_of(xs2a_str vectors, size_t index, const char *name) {
    char pointer[POINTER_BYTES_MAX];
    CHECK(snprintf(pointer, sizeof pointer, "/%zu/%s", index, name) < (int)sizeof pointer);
    xs2a_text *text = NULL;
    xs2a_result result = xs2a_json_at(vectors, xs2a_str_of(pointer), &text, NULL);
    CHECK(result == XS2A_OK || result == XS2A_NOT_FOUND);
    return text;
}

static void decide(const char *folder, const char *name, int32_t (*rule)(xs2a_str)) {
    xs2a_str vectors;
    char *buffer = read_file(folder, name, &vectors);
    size_t index = 0;
    for (xs2a_text *text; (text = member_of(vectors, index, "text")) != NULL; index++) {
        xs2a_text *expected = member_of(vectors, index, "expected");
        if (rule(xs2a_text_str(text)) != begins(xs2a_text_str(expected), "true")) {
            fprintf(stderr, "%s: vector %zu\n", name, index);
            abort();
        }
        xs2a_text_free(expected);
        xs2a_text_free(text);
    }
    CHECK(index > 0);
    free(buffer);
}

static void minor_units(const char *folder) {
    xs2a_str vectors;
    char *buffer = read_file(folder, "currencies.json", &vectors);
    size_t index = 0, known = 0;
    for (xs2a_text *code; (code = member_of(vectors, index, "code")) != NULL; index++) {
        xs2a_text *expected = member_of(vectors, index, "expected");
        xs2a_str digits = xs2a_text_str(expected);
        // XDR has none of its own and takes any; what is null is no accepted code.
        if (digits.len == 1) {
            uint8_t units = 99;
            xs2a_error *error = NULL;
            OK(xs2a_minor_units(xs2a_text_str(code), &units, &error));
            CHECK(units == digits.data[0] - '0');
            known++;
        }
        xs2a_text_free(expected);
        xs2a_text_free(code);
    }
    CHECK(known > 0);
    free(buffer);
}

void test_vectors(const char *folder) {
    decide(folder, "kids.json", xs2a_kid_is_valid);
    decide(folder, "account_numbers.json", xs2a_account_number_is_valid);
    decide(folder, "ibans.json", xs2a_iban_is_valid);
    decide(folder, "bics.json", xs2a_bic_is_valid);
    minor_units(folder);
}
