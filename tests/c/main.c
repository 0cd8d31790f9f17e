// Every function of both headers: what it gives, and how it refuses. Argument: the folder of the shared vectors.

#include "sandbox.h"

xs2a_sandbox *new_sandbox(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.seed = 1;
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    return sandbox;
}

xs2a_tpp *new_tpp(const xs2a_sandbox *sandbox) {
    xs2a_tpp *tpp = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_register_tpp(sandbox, xs2a_str_of("Acme Pay"), xs2a_str_of("AISP, PISP"), &tpp, &error));
    return tpp;
}

void sign_request(const xs2a_tpp *tpp, xs2a_request *request, xs2a_headers **headers) {
    xs2a_error *error = NULL;
    OK(xs2a_tpp_sign(tpp, request, headers, &error));
    request->headers = xs2a_headers_data(*headers);
    request->header_count = xs2a_headers_count(*headers);
}

xs2a_response *create_payment(const xs2a_engine *engine, const xs2a_tpp *tpp) {
    const xs2a_header fields[] = {
        {xs2a_str_of("x-accept-fix"), xs2a_slice_of("")},
        {xs2a_str_of("TPP-Session-ID"), xs2a_slice_of("session-1")},
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
        {xs2a_str_of("PSU-Context"), xs2a_slice_of("PRIVATE")},
        {xs2a_str_of("PSU-IP-Address"), xs2a_slice_of("192.0.2.1")},
        {xs2a_str_of("Content-Type"), xs2a_slice_of("application/json")},
    };
    xs2a_request request = new_request("POST", PAYMENTS "?allowLogicalDuplicate=true");
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    request.body = xs2a_slice_of(PAYMENT);
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    sign_request(tpp, &request, &headers);
    OK(xs2a_engine_handle(engine, &request, &response, &error));
    if (xs2a_response_status(response) != 201) {
        const xs2a_str body = body_of(response);
        fprintf(stderr, "%d %.*s\n", xs2a_response_status(response), (int)body.len, body.data);
        abort();
    }
    xs2a_headers_free(headers);
    return response;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s <folder of the vectors>\n", arguments[0]);
        return EXIT_FAILURE;
    }
    RUN(test_plain_shapes());
    RUN(test_null_arguments());
    RUN(test_tools());
    RUN(test_vectors(arguments[1]));
    RUN(test_explain(arguments[1]));
    RUN(test_http_messages(arguments[1]));
    RUN(test_sandbox());
    RUN(test_state());
    RUN(test_tables());
    RUN(test_tpps());
    RUN(test_consents());
    RUN(test_faults());
    RUN(test_journal());
    RUN(test_engine());
    RUN(test_operators());
    RUN(test_misbehaviour());
    RUN(test_writers());
    RUN(test_callbacks());
    RUN(test_trust(arguments[1]));
    RUN(test_threads());
    RUN(test_signed_answers());
    RUN(test_seal());
    RUN(test_trust_of_a_sandbox());
    return EXIT_SUCCESS;
}
