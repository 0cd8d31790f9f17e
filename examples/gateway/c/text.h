// Text that grows, and the two ways to write what others said into it: as JSON, as HTML.

#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "xs2a.h"

// The longest path in the configuration, with its NUL.
enum { PATH_BYTES_MAX = 1024 };

// Begins as `{0}`. `data` ends with a NUL, which `len` does not count; NULL while nothing was added.
typedef struct {
    char *data;
    size_t len, capacity;
    bool failed;            // memory ran out: what is there is not whole, and nothing is added any more
} text;

void text_free(text *text);
// Erases the text first: it has a PIN or a private key. Copies that it left while it grew are not erased.
void text_free_secret(text *text);
void text_add(text *text, const char *bytes, size_t count);
void text_put(text *text, const char *nul_terminated);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_form(text *text, const char *form, ...);
// Adds a file. False: it cannot be read, or has more bytes than `max`, and `errno` is the reason.
bool text_read(text *text, const char *path, size_t max);
// A JSON string, quotes included (RFC 8259 section 7).
void text_json(text *text, xs2a_str value);
// Text between tags or in a quoted attribute: nothing in it is markup.
void text_html(text *text, xs2a_str value);
xs2a_str text_str(const text *text);

bool str_is(xs2a_str value, const char *other);
bool str_begins(xs2a_str value, const char *start);
// What is behind the first `count` bytes.
xs2a_str str_from(xs2a_str value, size_t count);

// The member of a JSON text that a JSON Pointer names: the contents of a string, else its JSON. The caller frees it.
// NULL: there is none. What is absent is left out by the engine: a creditor may be called `null`.
xs2a_text *json_member(xs2a_str json, const char *pointer);
// Whether there is one.
bool json_has(xs2a_str json, const char *pointer);
// The same as json_member(), copied with a NUL behind it. False, and an empty text: there is none, or it does not fit.
bool json_copy(xs2a_str json, const char *pointer, char *into, size_t size);
// The next element of an array of objects, as JSON; `at` begins with 0. False: there is none left. For arrays that the
// library wrote: a pointer for each element would read the whole array as often.
bool json_next(xs2a_str array, size_t *at, xs2a_str *element);

#endif
