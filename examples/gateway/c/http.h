// HTTP by libmicrohttpd: a listening socket, a pool of threads, and each request as xs2a wants it: target, header
// lines and body as they came.

#ifndef HTTP_H
#define HTTP_H

#include <stdint.h>
#include <stdio.h>

#include "text.h"

// What is sent back: the engine's answer as it is, or a page of the gateway's own. Begins as `{0}`.
typedef struct {
    xs2a_response *of_engine;       // owned; where it is not NULL, nothing else is looked at
    unsigned status;
    const char *content_type;
    text body, location;
    FILE *file;                     // owned; where it is not NULL, it is sent in place of `body`
} reply;

// Called on a thread of the pool, several at a time. A reply without a status is a 500.
typedef void (*http_handler)(void *context, const xs2a_request *request, reply *reply);

typedef struct {
    const char *address;            // a number such as `127.0.0.1` or `::1`
    uint16_t port;                  // 0: one that is free
    unsigned threads;
    // A longer body comes to the handler as one byte more than this, of any content: the handler refuses it.
    size_t body_bytes_max;
    http_handler handle;
    void *context;
} http_options;

typedef struct http http;

// NULL: it cannot listen there, and the log says so. The options are copied.
http *http_start(const http_options *options);
uint16_t http_port(const http *http);
// Takes no new connection, waits for the requests under way, so many seconds at most, and closes. NULL is fine.
void http_stop(http *http, unsigned seconds_max);

#endif
