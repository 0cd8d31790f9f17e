// Loads libxs2a and libxs2a_sandbox into one process: neither makes an engine then, and each says why.
//
//     both_libraries (global|local) FIRST SECOND

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "xs2a_sandbox.h"

typedef xs2a_result new_engine(xs2a_str config, const xs2a_bank_callbacks *callbacks, xs2a_engine **out,
                               xs2a_error **error);
typedef xs2a_result new_sandbox(const xs2a_sandbox_options *options, xs2a_sandbox **out, xs2a_error **error);
typedef xs2a_str message_of(const xs2a_error *error);

static int32_t call_nothing(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer) {
    (void)user_data, (void)method, (void)request, (void)answer;
    return 1;
}

// ISO C knows no way from a pointer to data to one to a function; POSIX says that they have one size.
static int find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    if (found) memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int names_both(void *library, const xs2a_error *error) {
    message_of *message;
    if (!find(library, "xs2a_error_message", &message)) return 0;
    const xs2a_str text = message(error);
    printf("%.*s\n", (int)text.len, text.data);
    const char expected[] = "misuse: libxs2a and libxs2a_sandbox are both loaded";
    return text.len > sizeof expected && memcmp(text.data, expected, sizeof expected - 1) == 0;
}

// Whether the library makes an engine: `expected` is XS2A_MISUSE where it must refuse as the other is loaded too.
static int engine_gives(void *library, xs2a_result expected) {
    new_engine *make;
    if (!find(library, "xs2a_engine_new", &make)) return 0;
    xs2a_bank_callbacks callbacks = {.size = sizeof callbacks, .call = call_nothing};
    xs2a_engine *engine = NULL;
    xs2a_error *error = NULL;
    const xs2a_result result = make((xs2a_str){"{}", 2}, &callbacks, &engine, &error);
    return result == expected && (expected != XS2A_MISUSE || names_both(library, error));
}

static int sandbox_gives(void *library, xs2a_result expected) {
    new_sandbox *make;
    if (!find(library, "xs2a_sandbox_new", &make)) return 1; // libxs2a has none
    const xs2a_sandbox_options options = {.size = sizeof options};
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    const xs2a_result result = make(&options, &sandbox, &error);
    return result == expected && (expected != XS2A_MISUSE || names_both(library, error));
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    const int visible = strcmp(arguments[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    void *first = dlopen(arguments[2], RTLD_NOW | visible);
    // By itself it works: an empty configuration is refused for what it lacks.
    if (!first || !engine_gives(first, XS2A_CONFIG) || !sandbox_gives(first, XS2A_OK)) return 3;
    void *second = dlopen(arguments[3], RTLD_NOW | visible);
    if (!second) return 4;
    void *const both[] = {first, second};
    for (int i = 0; i < 2; i++) {
        if (!engine_gives(both[i], XS2A_MISUSE) || !sandbox_gives(both[i], XS2A_MISUSE)) return 5;
    }
    return 0;
}
