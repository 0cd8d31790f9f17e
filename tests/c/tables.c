// The tables of a sandbox, by the Arrow C stream interface.

#include <string.h>

#include "sandbox.h"

static int64_t count_rows(struct ArrowArrayStream *stream, int64_t columns) {
    int64_t rows = 0;
    for (;;) {
        struct ArrowArray part;
        CHECK(stream->get_next(stream, &part) == 0);
        if (part.release == NULL) {
            return rows;
        }
        CHECK(part.n_children == columns);
        CHECK(part.children[0]->length == part.length);
        rows += part.length;
        part.release(&part);
    }
}

static void a_table_is_a_stream_of_arrow(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_table(sandbox, xs2a_str_of("customers"), &stream, &error));
    CHECK(stream.get_schema(&stream, &schema) == 0);
    // A struct of columns: texts, one of them by a dictionary.
    CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 4);
    CHECK(strcmp(schema.children[0]->name, "id") == 0 && strcmp(schema.children[0]->format, "u") == 0);
    CHECK(strcmp(schema.children[2]->name, "type") == 0 && strcmp(schema.children[2]->dictionary->format, "u") == 0);
    schema.release(&schema);
    CHECK(count_rows(&stream, 4) == 6);
    // At its end it stays there.
    CHECK(count_rows(&stream, 4) == 0);
    stream.release(&stream);
    CHECK(stream.release == NULL);
    xs2a_sandbox_free(sandbox);
}

static void a_stream_may_outlive_its_sandbox(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    struct ArrowArrayStream stream;
    struct ArrowArray part;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_table(sandbox, xs2a_str_of("accounts"), &stream, &error));
    xs2a_sandbox_free(sandbox);
    CHECK(stream.get_next(&stream, &part) != 0);
    CHECK(strstr(stream.get_last_error(&stream), "the sandbox of the table is closed") != NULL);
    stream.release(&stream);
}

static void a_table_that_does_not_exist_is_refused(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    struct ArrowArrayStream stream = {0};
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_table(sandbox, xs2a_str_of("bookings"), &stream, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_table(sandbox, xs2a_str_of("\xe6"), &stream, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_table(NULL, xs2a_str_of("accounts"), &stream, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_table(sandbox, xs2a_str_of("accounts"), NULL, &error));
    CHECK(stream.release == NULL);
    xs2a_sandbox_free(sandbox);
}

void test_tables(void) {
    a_table_is_a_stream_of_arrow();
    a_stream_may_outlive_its_sandbox();
    a_table_that_does_not_exist_is_refused();
}
