#include "check.h"

char untouched;

xs2a_request new_request(const char *method, const char *target) {
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of(method);
    request.target = xs2a_str_of(target);
    return request;
}
