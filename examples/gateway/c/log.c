#include "log.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

// How much of what a stranger sent is logged.
enum { ID_BYTES_MAX = 64, TARGET_BYTES_MAX = 200 };

static void begin(text *line, xs2a_str level, xs2a_str place) {
    struct timespec now = {0};
    struct tm utc;
    char at[32] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc) != NULL) strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%S", &utc);
    text_form(line, "{\"at\":\"%s.%03ldZ\",\"level\":", at, now.tv_nsec / 1000000);
    text_json(line, level);
    text_put(line, ",\"place\":");
    text_json(line, place);
}

// One write a line: lines of several threads do not mix.
static void end(text *line) {
    text_put(line, "}\n");
    if (line->failed) fputs("{\"level\":\"error\",\"place\":\"gateway\",\"message\":\"out of memory\"}\n", stderr);
    else fwrite(line->data, 1, line->len, stderr);
    text_free(line);
}

void log_line(const char *level, const char *place, const char *form, ...) {
    text line = {0};
    char message[1024];
    va_list values;
    va_start(values, form);
    vsnprintf(message, sizeof message, form, values);
    va_end(values);
    begin(&line, xs2a_str_of(level), xs2a_str_of(place));
    text_put(&line, ",\"message\":");
    text_json(&line, xs2a_str_of(message));
    end(&line);
}

void log_of_engine(void *user_data, xs2a_str level, xs2a_str target, xs2a_str message, xs2a_str fields) {
    (void)user_data;
    text line = {0};
    begin(&line, level, target);
    text_put(&line, ",\"message\":");
    text_json(&line, message);
    // JSON in one line, so it is a part of this line as it is.
    text_form(&line, ",\"fields\":%.*s", (int)fields.len, fields.data);
    end(&line);
}

// What a stranger sent, cut, with `?` for what is not printable ASCII: it need not be UTF-8.
static void stranger(text *line, const char *data, size_t len, size_t max) {
    char kept[TARGET_BYTES_MAX];
    size_t count = len < max ? len : max;
    for (size_t i = 0; i < count; i++) kept[i] = data[i] > 0x1f && data[i] < 0x7f ? data[i] : '?';
    text_json(line, (xs2a_str){kept, count});
}

static void member(text *line, const char *name, xs2a_str value) {
    text_form(line, ",\"%s\":", name);
    if (value.len == 0) text_put(line, "null");
    else text_json(line, value);
}

void log_request(const xs2a_request *request, xs2a_str path, unsigned status, const xs2a_response *response,
                 double milliseconds) {
    text line = {0};
    begin(&line, xs2a_str_of("info"), xs2a_str_of("gateway::request"));
    text_put(&line, ",\"requestId\":");
    xs2a_slice id = {NULL, 0};
    for (size_t i = 0; i < request->header_count && id.len == 0; i++) {
        xs2a_str name = request->headers[i].name;
        if (name.len == 12 && strncasecmp(name.data, "X-Request-ID", 12) == 0) id = request->headers[i].value;
    }
    stranger(&line, (const char *)id.data, id.len, ID_BYTES_MAX);
    text_put(&line, ",\"method\":");
    stranger(&line, request->method.data, request->method.len, ID_BYTES_MAX);
    // A query may hold private data.
    const char *query = path.len == 0 ? NULL : memchr(path.data, '?', path.len);
    text_put(&line, ",\"path\":");
    stranger(&line, path.data, query == NULL ? path.len : (size_t)(query - path.data), TARGET_BYTES_MAX);
    text_form(&line, ",\"status\":%u", status);
    member(&line, "correlationId", request->correlation_id);
    if (response != NULL) {
        member(&line, "reason", xs2a_response_reason(response));
        member(&line, "operation", xs2a_response_operation(response));
        member(&line, "tpp", xs2a_response_tpp(response));
        const xs2a_timing timing = xs2a_response_timing(response);
        text_form(&line, ",\"microseconds\":{\"total\":%llu,\"bank\":%llu,\"store\":%llu}",
                  (unsigned long long)timing.total, (unsigned long long)timing.bank, (unsigned long long)timing.store);
    }
    text_form(&line, ",\"milliseconds\":%.1f", milliseconds);
    end(&line);
}

void log_error(const char *level, const char *place, const char *what, xs2a_error **error) {
    xs2a_str message = xs2a_error_message(*error);
    log_line(level, place, "%s: %.*s", what, (int)message.len, message.len == 0 ? "" : message.data);
    xs2a_error_free(*error);
    *error = NULL;
}
