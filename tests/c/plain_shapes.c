// Version, borrowed and owned text and bytes, errors, JSON.

#include "check.h"

static void version_and_macros_agree(void) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", XS2A_VERSION_MAJOR, XS2A_VERSION_MINOR, XS2A_VERSION_PATCH);
    CHECK_TEXT(xs2a_version(), expected);
    CHECK(xs2a_abi_version() == XS2A_ABI_VERSION);
}

static void numbers_of_results_are_for_ever(void) {
    CHECK(XS2A_OK == 0 && XS2A_CONFIG == 1 && XS2A_STORE == 2 && XS2A_BANK == 3 && XS2A_MISUSE == 4);
    CHECK(XS2A_NOT_FOUND == 11 && XS2A_EXPIRED == 12 && XS2A_CONFLICT == 13 && XS2A_NOT_OFFERED == 14);
    CHECK(XS2A_INTERNAL == 5 && XS2A_NULL_ARGUMENT == 6 && XS2A_BAD_SIZE == 7 && XS2A_NOT_UTF8 == 8);
    CHECK(XS2A_BAD_ARGUMENT == 9 && XS2A_OUTCOME_UNKNOWN == 10);
}

static void literals_are_borrowed(void) {
    const char *literal = "abc";
    CHECK(xs2a_str_of(literal).data == literal && xs2a_str_of(literal).len == 3);
    CHECK(xs2a_slice_of(literal).data == (const uint8_t *)literal && xs2a_slice_of(literal).len == 3);
    CHECK(xs2a_str_of("").data != NULL && xs2a_str_of("").len == 0);
    CHECK(xs2a_str_of(NULL).data == NULL && xs2a_str_of(NULL).len == 0);
    CHECK(xs2a_slice_of(NULL).data == NULL && xs2a_slice_of(NULL).len == 0);
}

// Go ends a program that has a pointer below 4096, and not NULL, on a stack.
static void what_is_empty_has_a_pointer_that_is_one(void) {
    xs2a_text *empty = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(xs2a_str_of("\"\""), xs2a_str_of(""), &empty, &error));
    CHECK(xs2a_text_str(empty).len == 0 && (uintptr_t)xs2a_text_str(empty).data >= 65536);
    xs2a_text_free(empty);
}

static void json_members_are_read(void) {
    xs2a_str json = xs2a_str_of("{\"a\":[{\"b/c\":\"\\u00e6\"},-2.50,true,null],\"\":{}}");
    check_member(json, "/a/0/b~1c", "\xc3\xa6");
    check_member(json, "/a/1", "-2.5");
    check_member(json, "/a/2", "true");
    check_member(json, "/a/3", "null");
    check_member(json, "/", "{}");
    check_member(xs2a_str_of(" \"all of it\" "), "", "all of it");
}

static void a_text_becomes_a_json_string(void) {
    const char *const texts[][2] = {
        {"", "\"\""},
        {"plain \xc3\xa6", "\"plain \xc3\xa6\""},
        {"\",\"admin\":true,\"", "\"\\\",\\\"admin\\\":true,\\\"\""},
        {"a\\b\n\x01", "\"a\\\\b\\n\\u0001\""},
    };
    xs2a_error *error = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        xs2a_text *written = NULL, *read = NULL;
        OK(xs2a_json_string(xs2a_str_of(texts[i][0]), &written, &error));
        CHECK_TEXT(xs2a_text_str(written), texts[i][1]);
        OK(xs2a_json_at(xs2a_text_str(written), xs2a_str_of(""), &read, &error));
        CHECK_TEXT(xs2a_text_str(read), texts[i][0]);
        xs2a_text_free(written);
        xs2a_text_free(read);
    }
    xs2a_text *out = UNTOUCHED(xs2a_text);
    FAILS(XS2A_NOT_UTF8, xs2a_json_string(xs2a_str_of("\xe6"), &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_json_string(xs2a_str_of("x"), NULL, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
}

static void json_that_is_none_is_refused(void) {
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_BAD_ARGUMENT, xs2a_json_at(xs2a_str_of("{"), xs2a_str_of(""), &out, &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_json_at(xs2a_str_of(NULL), xs2a_str_of(""), &out, &error));
    FAILS(XS2A_NOT_FOUND, xs2a_json_at(xs2a_str_of("{}"), xs2a_str_of("/a"), &out, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_json_at(xs2a_str_of("{}"), xs2a_str_of("/\xe6"), &out, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_json_at(xs2a_str_of("\"\xe6\""), xs2a_str_of(""), &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_json_at(xs2a_str_of("{}"), xs2a_str_of(""), NULL, &error));
    char deep[4096];
    memset(deep, '[', sizeof deep);
    xs2a_str nested = {deep, sizeof deep};
    FAILS(XS2A_BAD_ARGUMENT, xs2a_json_at(nested, xs2a_str_of(""), &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
}

static void an_error_is_not_required(void) {
    xs2a_text *out = UNTOUCHED(xs2a_text);
    CHECK(xs2a_json_at(xs2a_str_of("{"), xs2a_str_of(""), &out, NULL) == XS2A_BAD_ARGUMENT);
    CHECK(out == UNTOUCHED(xs2a_text));
}

static void success_leaves_the_error_alone(void) {
    xs2a_text *out = NULL;
    xs2a_error *error = UNTOUCHED(xs2a_error);
    CHECK(xs2a_json_at(xs2a_str_of("{}"), xs2a_str_of(""), &out, &error) == XS2A_OK);
    CHECK(error == UNTOUCHED(xs2a_error));
    take_text(out, "{}");
}

void test_plain_shapes(void) {
    version_and_macros_agree();
    numbers_of_results_are_for_ever();
    literals_are_borrowed();
    what_is_empty_has_a_pointer_that_is_one();
    json_members_are_read();
    a_text_becomes_a_json_string();
    json_that_is_none_is_refused();
    an_error_is_not_required();
    success_leaves_the_error_alone();
}
