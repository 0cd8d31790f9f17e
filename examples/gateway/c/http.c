#include "http.h"

#include <microhttpd.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

// A request's line and headers fit in this; a single value of 32 KiB is the engine's own bound.
static const size_t HEAD_BYTES_MAX = 128 * 1024;
static const unsigned CONNECTIONS_MAX = 512;
static const unsigned SILENCE_SECONDS_MAX = 30;

struct http {
    http_options options;
    struct MHD_Daemon *daemon;
    uint16_t port;
    atomic_uint in_progress;
};

// One request, from its first line to its last byte.
typedef struct {
    http *http;
    char *target;               // as it was sent: the library's own copy is decoded, and without the query
    xs2a_header *headers;       // borrowed from the connection, which holds them to the end
    size_t header_count, header_capacity;
    text body;
    size_t received;            // bytes of the body, those that were not kept too
    bool has_begun, has_failed;
} exchange;

static void *begin(void *context, const char *target, struct MHD_Connection *connection) {
    (void)connection;
    http *http = context;
    exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL) return NULL;
    exchange->http = http;
    exchange->target = strdup(target);
    exchange->has_failed = exchange->target == NULL;
    atomic_fetch_add(&http->in_progress, 1);
    return exchange;
}

static void end(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode how) {
    (void)connection;
    (void)how;
    http *http = context;
    exchange *exchange = *state;
    *state = NULL;
    if (exchange == NULL) return;
    free(exchange->target);
    free(exchange->headers);
    text_free(&exchange->body);
    free(exchange);
    atomic_fetch_sub(&http->in_progress, 1);
}

// Every header line, in order, those that are repeated too.
static enum MHD_Result add_header(void *context, enum MHD_ValueKind kind, const char *name, size_t name_len,
                                  const char *value, size_t value_len) {
    (void)kind;
    exchange *exchange = context;
    if (exchange->header_count == exchange->header_capacity) {
        size_t capacity = exchange->header_capacity * 2 + 32;
        xs2a_header *headers = realloc(exchange->headers, capacity * sizeof *headers);
        if (headers == NULL) {
            exchange->has_failed = true;
            return MHD_NO;
        }
        exchange->headers = headers;
        exchange->header_capacity = capacity;
    }
    exchange->headers[exchange->header_count++] =
        (xs2a_header){{name, name_len}, {(const uint8_t *)value, value == NULL ? 0 : value_len}};
    return MHD_YES;
}

// Adds to the body; beyond the limit one byte is kept, which says so. False: there is no end to it.
static bool add_body(exchange *exchange, const char *data, size_t count) {
    size_t limit = exchange->http->options.body_bytes_max, rest = limit + 1 - exchange->body.len;
    text_add(&exchange->body, data, count < rest ? count : rest);
    exchange->received += count;
    return !exchange->body.failed && exchange->received / 4 <= limit;
}

// The header fields of that name; the value of the last is in `value`, where there is one.
static size_t count_fields(const exchange *exchange, const char *name, const char **value) {
    size_t count = 0;
    for (size_t i = 0; i < exchange->header_count; i++) {
        const xs2a_header *header = &exchange->headers[i];
        if (header->name.len != strlen(name) || strncasecmp(header->name.data, name, header->name.len) != 0) continue;
        *value = (const char *)header->value.data;
        count++;
    }
    return count;
}

// What the head says of the body.
typedef enum { TO_BE_READ, TOO_LONG, AMBIGUOUS } announced;

// A reader that finds another end of the body than the proxy takes the rest for a request (RFC 9112 section 6.3).
static announced announced_body(const exchange *exchange) {
    const char *length = "0", *coding = "chunked";
    size_t lengths = count_fields(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH, &length);
    if (lengths + count_fields(exchange, MHD_HTTP_HEADER_TRANSFER_ENCODING, &coding) > 1) return AMBIGUOUS;
    // The library knows no other coding, and takes `Transfer-Encoding : chunked` for a field of another name.
    if (strcasecmp(coding, "chunked") != 0) return AMBIGUOUS;
    for (size_t i = 0; i < exchange->header_count; i++) {
        xs2a_str name = exchange->headers[i].name;
        if (name.len == 0 || strcspn(name.data, " \t") < name.len) return AMBIGUOUS;
    }
    return strtoull(length, NULL, 10) > exchange->http->options.body_bytes_max ? TOO_LONG : TO_BE_READ;
}

// ---------------------------------------------------------------- the answer

static bool add_field(struct MHD_Response *response, xs2a_str name, xs2a_slice value) {
    text line = {0};
    text_add(&line, name.data, name.len);
    text_add(&line, "", 1);
    text_add(&line, (const char *)value.data, value.len);
    bool is_added = !line.failed
        && MHD_add_response_header(response, line.data, line.data + name.len + 1) == MHD_YES;
    text_free(&line);
    return is_added;
}

static struct MHD_Response *with_body(const void *body, size_t len) {
    return MHD_create_response_from_buffer(len, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
}

// The engine's answer: every header of it, and no other but those of the connection.
static struct MHD_Response *engines(const xs2a_response *answer) {
    xs2a_slice body = xs2a_response_body(answer);
    struct MHD_Response *response = with_body(body.data, body.len);
    bool is_whole = response != NULL;
    for (size_t i = 0; is_whole && i < xs2a_response_header_count(answer); i++) {
        xs2a_header header = xs2a_response_header(answer, i);
        is_whole = add_field(response, header.name, header.value);
    }
    if (is_whole || response == NULL) return response;
    MHD_destroy_response(response);
    return NULL;
}

// A file up to where it was written. The response has a descriptor of its own.
static struct MHD_Response *of_file(FILE *file) {
    const off_t len = ftello(file);
    const int descriptor = len < 0 ? -1 : dup(fileno(file));
    struct MHD_Response *response =
        descriptor < 0 ? NULL : MHD_create_response_from_fd64((uint64_t)len, descriptor);
    if (response == NULL && descriptor >= 0) close(descriptor);
    return response;
}

// A page of the gateway's own. It holds a customer's private data: no cache keeps it, no page frames it, no script
// runs.
static struct MHD_Response *own(const reply *reply) {
    if (reply->body.failed || reply->location.failed) return NULL;
    struct MHD_Response *response =
        reply->file != NULL ? of_file(reply->file) : with_body(reply->body.data, reply->body.len);
    const char *const fields[][2] = {
        {"Content-Type", reply->content_type}, {"Location", reply->location.data}, {"Cache-Control", "no-store"},
        {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"},
        {"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"},
    };
    bool is_whole = response != NULL;
    for (size_t i = 0; is_whole && i < sizeof fields / sizeof *fields; i++) {
        if (fields[i][1] == NULL) continue;
        is_whole = MHD_add_response_header(response, fields[i][0], fields[i][1]) == MHD_YES;
    }
    if (is_whole || response == NULL) return response;
    MHD_destroy_response(response);
    return NULL;
}

// Takes over the response, NULL too: then the connection is closed.
static enum MHD_Result send_back(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    if (response == NULL) return MHD_NO;
    enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result answer(exchange *exchange, struct MHD_Connection *connection, const char *method) {
    const http_options *options = &exchange->http->options;
    // Where memory ran out the connection is closed: what came is not whole.
    if (exchange->body.failed) return MHD_NO;
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of(method);
    request.target = xs2a_str_of(exchange->target);
    request.headers = exchange->headers;
    request.header_count = exchange->header_count;
    request.body = (xs2a_slice){(const uint8_t *)exchange->body.data, exchange->body.len};
    reply reply = {0};
    options->handle(options->context, &request, &reply);

    bool is_engines = reply.of_engine != NULL;
    unsigned status = is_engines ? xs2a_response_status(reply.of_engine) : reply.status;
    struct MHD_Response *response = NULL;
    if (is_engines) response = engines(reply.of_engine);
    else if (status != 0) response = own(&reply);
    if (response == NULL) {
        status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        response = with_body("", 0);
    }
    xs2a_response_free(reply.of_engine);
    text_free(&reply.body);
    text_free(&reply.location);
    if (reply.file != NULL) fclose(reply.file);
    return send_back(connection, status, response);
}

// Called with the head, then with each piece of the body, then without any.
static enum MHD_Result take(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *count, void **state) {
    (void)context;
    (void)url;
    (void)version;
    exchange *exchange = *state;
    if (exchange == NULL || exchange->has_failed) return MHD_NO;
    if (!exchange->has_begun) {
        exchange->has_begun = true;
        MHD_get_connection_values_n(connection, MHD_HEADER_KIND, add_header, exchange);
        if (exchange->has_failed) return MHD_NO;
        announced body = announced_body(exchange);
        if (body == AMBIGUOUS) {
            log_line("info", "gateway::http", "the length of a body is unclear: the request is refused");
            return send_back(connection, MHD_HTTP_BAD_REQUEST, with_body("", 0));
        }
        if (body == TO_BE_READ) return MHD_YES;
        static const char zeros[4096];
        size_t limit = exchange->http->options.body_bytes_max;
        while (exchange->body.len <= limit && add_body(exchange, zeros, sizeof zeros)) {}
        return answer(exchange, connection, method);
    }
    if (*count == 0) return answer(exchange, connection, method);
    if (!add_body(exchange, data, *count)) return MHD_NO;
    *count = 0;
    return MHD_YES;
}

// ---------------------------------------------------------------- the listener

static void log_of_library(void *context, const char *form, va_list values) {
    (void)context;
    char message[512];
    vsnprintf(message, sizeof message, form, values);
    message[strcspn(message, "\r\n")] = '\0';
    log_line("warn", "gateway::http", "%s", message);
}

static struct MHD_Daemon *listen_at(http *http, const struct sockaddr *address) {
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    return MHD_start_daemon(flags, 0, NULL, NULL, take, NULL,
                            MHD_OPTION_EXTERNAL_LOGGER, log_of_library, NULL,
                            MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_THREAD_POOL_SIZE, http->options.threads,
                            MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
                            MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_SECONDS_MAX,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_BYTES_MAX,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_URI_LOG_CALLBACK, begin, http,
                            MHD_OPTION_NOTIFY_COMPLETED, end, http,
                            MHD_OPTION_END);
}

http *http_start(const http_options *options) {
    http *http = calloc(1, sizeof *http);
    struct addrinfo wanted = {0}, *found = NULL;
    char port[8];
    if (http == NULL) return NULL;
    http->options = *options;
    wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    wanted.ai_socktype = SOCK_STREAM;
    snprintf(port, sizeof port, "%u", (unsigned)options->port);
    if (getaddrinfo(options->address, port, &wanted, &found) == 0) {
        http->daemon = listen_at(http, found->ai_addr);
        freeaddrinfo(found);
    }
    const union MHD_DaemonInfo *bound =
        http->daemon == NULL ? NULL : MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (bound == NULL) {
        log_line("error", "gateway::http", "cannot listen at %s, port %u", options->address, (unsigned)options->port);
        if (http->daemon != NULL) MHD_stop_daemon(http->daemon);
        free(http);
        return NULL;
    }
    http->port = bound->port;
    return http;
}

uint16_t http_port(const http *http) {
    return http->port;
}

void http_stop(http *http, unsigned seconds_max) {
    if (http == NULL) return;
    // Its threads may still look at the socket for a moment, so it is not closed; but no new connection is accepted.
    MHD_socket listening = MHD_quiesce_daemon(http->daemon);
    if (listening != MHD_INVALID_SOCKET) shutdown(listening, SHUT_RDWR);
    const struct timespec moment = {0, 20 * 1000 * 1000};
    for (unsigned waited = 0; atomic_load(&http->in_progress) > 0 && waited < seconds_max * 50; waited++) {
        nanosleep(&moment, NULL);
    }
    MHD_stop_daemon(http->daemon);
    if (listening != MHD_INVALID_SOCKET) close(listening);
    free(http);
}
