// Sends one request to a sandbox in a file: send_c DATABASE NOW TRUSTED METHOD TARGET HEADERS BODY

#include "story.h"

enum { FIELDS_MAX = 32 };

// The whole of a file, with a NUL behind it, which the caller frees.
static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(EXIT_FAILURE);
    long size = ftell(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    rewind(file);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) exit(EXIT_FAILURE);
    fclose(file);
    text[size] = '\0';
    *length = (size_t)size;
    return text;
}

// Cuts lines `Name: value` into header fields that point into the text.
static size_t read_fields(char *text, xs2a_header fields[FIELDS_MAX]) {
    size_t count = 0;
    for (char *line = text; *line != '\0' && count < FIELDS_MAX; count++) {
        char *end = strchr(line, '\n');
        char *colon = strstr(line, ": ");
        if (end == NULL || colon == NULL) exit(EXIT_FAILURE);
        *end = *colon = '\0';
        fields[count] = field(line, colon + 2);
        line = end + 1;
    }
    return count;
}

static xs2a_sandbox *open_file(const char *path, const char *now, const char *trusted) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.seed = 1;
    options.database = xs2a_str_of(path);
    options.now = xs2a_str_of(now);
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_new(&options, &sandbox, &error), &error);
    size_t length = 0;
    char *pem = read_file(trusted, &length);
    must(xs2a_sandbox_trust(sandbox, xs2a_str_of(pem), &error), &error);
    free(pem);
    return sandbox;
}

int main(int count, char **arguments) {
    if (count != 8) {
        fprintf(stderr, "usage: send_c DATABASE NOW TRUSTED METHOD TARGET HEADERS BODY\n");
        return EXIT_FAILURE;
    }
    xs2a_sandbox *sandbox = open_file(arguments[1], arguments[2], arguments[3]);
    size_t length = 0;
    xs2a_header fields[FIELDS_MAX];
    char *headers = read_file(arguments[6], &length);
    size_t field_count = read_fields(headers, fields);
    char *body = read_file(arguments[7], &length);

    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of(arguments[4]);
    request.target = xs2a_str_of(arguments[5]);
    request.headers = fields;
    request.header_count = field_count;
    request.body.data = (const uint8_t *)body;
    request.body.len = length;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_handle(sandbox, &request, &response, &error), &error);

    xs2a_str reason = xs2a_response_reason(response);
    xs2a_slice answer = xs2a_response_body(response);
    printf("%d %.*s\n", (int)xs2a_response_status(response), reason.len > 0 ? (int)reason.len : 1,
           reason.len > 0 ? reason.data : "-");
    printf("%.*s\n", (int)answer.len, (const char *)answer.data);

    xs2a_response_free(response);
    free(body);
    free(headers);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
