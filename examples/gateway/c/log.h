// The gateway's log: one JSON object a line on standard error. No name, no account and no key is ever in it.

#ifndef LOG_H
#define LOG_H

#include "text.h"

// `level`: `info`, `warn` or `error`. `place`: who says it.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void log_line(const char *level, const char *place, const char *form, ...);

// The engine's own lines: the callback `log` of xs2a_bank_callbacks.
void log_of_engine(void *user_data, xs2a_str level, xs2a_str target, xs2a_str message, xs2a_str fields);

// A request that was answered; `path` is logged up to its query. `response`: the engine's, with its record of the call;
// NULL for an answer of the SCA site.
void log_request(const xs2a_request *request, xs2a_str path, unsigned status, const xs2a_response *response,
                 double milliseconds);

// A call of the library that failed; `level` as above. Frees the error and clears it.
void log_error(const char *level, const char *place, const char *what, xs2a_error **error);

#endif
