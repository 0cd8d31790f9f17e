// A signed payment at the simulated bank, as a program does it that uses the installed library. C11 and C++17.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xs2a_sandbox.h>

static const char TARGET[] = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
static const char BODY[] =
    "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"},\"creditorName\":\"Testine Test\","
    "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},\"creditorAddress\":{\"country\":\"NO\"},"
    "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}";

static void must(xs2a_result result, xs2a_error **error) {
    if (result == XS2A_OK) return;
    const xs2a_str message = xs2a_error_message(*error);
    fprintf(stderr, "%d: %.*s\n", (int)result, (int)message.len, message.data);
    exit(EXIT_FAILURE);
}

static xs2a_header field(const char *name, const char *value) {
    xs2a_header header;
    header.name = xs2a_str_of(name);
    header.value = xs2a_slice_of(value);
    return header;
}

static void print_payment(xs2a_sandbox *bank, const xs2a_tpp *tpp) {
    const xs2a_header headers[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("TPP-Redirect-URI", "https://tpp.example/callback"),
    };
    xs2a_request request;
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(TARGET);
    request.headers = headers;
    request.header_count = sizeof headers / sizeof *headers;
    request.body = xs2a_slice_of(BODY);

    xs2a_error *error = NULL;
    xs2a_headers *complete = NULL;
    must(xs2a_tpp_sign(tpp, &request, &complete, &error), &error);
    request.headers = xs2a_headers_data(complete);
    request.header_count = xs2a_headers_count(complete);

    xs2a_response *answer = NULL;
    must(xs2a_sandbox_handle(bank, &request, &answer, &error), &error);
    const xs2a_slice body = xs2a_response_body(answer);
    xs2a_str json;
    json.data = (const char *)body.data;
    json.len = body.len;
    xs2a_text *status = NULL;
    must(xs2a_json_at(json, xs2a_str_of("/transactionStatus"), &status, &error), &error);
    const xs2a_str text = xs2a_text_str(status);
    printf("%d %.*s\n", (int)xs2a_response_status(answer), (int)text.len, text.data);

    xs2a_text_free(status);
    xs2a_response_free(answer);
    xs2a_headers_free(complete);
}

#ifdef XS2A_NEIGHBOURS
void use_neighbours(void);
#endif

int main(void) {
    if (xs2a_abi_version() != XS2A_ABI_VERSION) {
        fprintf(stderr, "the library has another binary interface than the header\n");
        return EXIT_FAILURE;
    }
#ifdef XS2A_NEIGHBOURS
    use_neighbours();
#endif
    xs2a_sandbox_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    xs2a_sandbox *bank = NULL;
    xs2a_tpp *tpp = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_new(&options, &bank, &error), &error);
    must(xs2a_sandbox_register_tpp(bank, xs2a_str_of("Acme Pay"), xs2a_str_of("PISP"), &tpp, &error), &error);
    print_payment(bank, tpp);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(bank);
#ifdef XS2A_NEIGHBOURS
    use_neighbours();
#endif
    return EXIT_SUCCESS;
}
