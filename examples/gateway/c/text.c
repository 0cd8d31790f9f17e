#include "text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(text *text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}

void text_free_secret(text *text) {
    if (text->data != NULL) explicit_bzero(text->data, text->capacity);
    text_free(text);
}

// Reserves so many bytes more, and the NUL.
static bool reserve(text *text, size_t count) {
    if (text->failed) return false;
    if (count < text->capacity - text->len) return true;
    if (count > SIZE_MAX / 4 || text->len > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    size_t capacity = (text->len + count) * 2 + 64;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add(text *text, const char *bytes, size_t count) {
    if (!reserve(text, count)) return;
    if (count > 0) memcpy(text->data + text->len, bytes, count);
    text->len += count;
    text->data[text->len] = '\0';
}

void text_put(text *text, const char *nul_terminated) {
    text_add(text, nul_terminated, strlen(nul_terminated));
}

void text_form(text *text, const char *form, ...) {
    va_list values, again;
    va_start(values, form);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, form, values);
    va_end(values);
    if (length < 0) text->failed = true;
    else if (reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->len, (size_t)length + 1, form, again);
        text->len += (size_t)length;
    }
    va_end(again);
}

bool text_read(text *text, const char *path, size_t max) {
    FILE *file = fopen(path, "rb");
    char piece[4096];
    size_t count = 0, before = text->len;
    if (file == NULL) return false;
    // A buffer of the file would keep a copy of a secret.
    setvbuf(file, NULL, _IONBF, 0);
    while (text->len - before <= max && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        text_add(text, piece, count);
    }
    int error = ferror(file) ? errno : text->failed ? ENOMEM : text->len - before > max ? EFBIG : 0;
    explicit_bzero(piece, sizeof piece);
    fclose(file);
    errno = error;
    return error == 0;
}

void text_json(text *text, xs2a_str value) {
    text_put(text, "\"");
    for (size_t i = 0; i < value.len; i++) {
        char c = value.data[i];
        if (c == '"' || c == '\\') text_form(text, "\\%c", c);
        else if ((unsigned char)c < 0x20) text_form(text, "\\u%04x", (unsigned)c);
        else text_add(text, &c, 1);
    }
    text_put(text, "\"");
}

void text_html(text *text, xs2a_str value) {
    for (size_t i = 0; i < value.len; i++) {
        switch (value.data[i]) {
        case '&': text_put(text, "&amp;"); break;
        case '<': text_put(text, "&lt;"); break;
        case '>': text_put(text, "&gt;"); break;
        case '"': text_put(text, "&quot;"); break;
        case '\'': text_put(text, "&#x27;"); break;
        default: text_add(text, value.data + i, 1);
        }
    }
}

xs2a_str text_str(const text *text) {
    return (xs2a_str){text->data, text->len};
}

bool str_is(xs2a_str value, const char *other) {
    return value.len == strlen(other) && (value.len == 0 || memcmp(value.data, other, value.len) == 0);
}

bool str_begins(xs2a_str value, const char *start) {
    size_t count = strlen(start);
    return value.len >= count && (count == 0 || memcmp(value.data, start, count) == 0);
}

xs2a_str str_from(xs2a_str value, size_t count) {
    if (count > value.len) count = value.len;
    return (xs2a_str){count == 0 ? value.data : value.data + count, value.len - count};
}

xs2a_text *json_member(xs2a_str json, const char *pointer) {
    xs2a_text *found = NULL;
    return xs2a_json_at(json, xs2a_str_of(pointer), &found, NULL) == XS2A_OK ? found : NULL;
}

bool json_has(xs2a_str json, const char *pointer) {
    xs2a_text *found = json_member(json, pointer);
    const bool is_found = found != NULL;
    xs2a_text_free(found);
    return is_found;
}

bool json_copy(xs2a_str json, const char *pointer, char *into, size_t size) {
    xs2a_text *found = json_member(json, pointer);
    xs2a_str value = xs2a_text_str(found);
    bool fits = found != NULL && value.len < size && (value.len == 0 || memchr(value.data, '\0', value.len) == NULL);
    if (fits && value.len > 0) memcpy(into, value.data, value.len);
    into[fits ? value.len : 0] = '\0';
    xs2a_text_free(found);
    return fits;
}

bool json_next(xs2a_str array, size_t *at, xs2a_str *element) {
    size_t start = *at + (*at == 0), depth = 0;
    bool is_in_text = false;
    for (size_t i = start; i < array.len; i++) {
        char c = array.data[i];
        if (is_in_text) {
            if (c == '\\') i++;
            else if (c == '"') is_in_text = false;
        } else if (c == '"') {
            is_in_text = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (depth > 0) {
            if (c == '}' || c == ']') depth--;
        } else if (c == ',' || c == ']') {
            *element = (xs2a_str){array.data + start, i - start};
            *at = i + 1;
            return i > start;
        }
    }
    return false;
}
