// Three payments in a signing basket, and one approval (SCA) that decides on each by itself.

#include "story.h"

#define BASKETS "/v1/signing-baskets"

enum { PAYMENT_COUNT = 3, BODY_BYTES_MAX = 1024 };

// What each is to pay, and from which account: the last is not the customer's.
static const char *const AMOUNTS[PAYMENT_COUNT] = {"100.00", "200.00", "300.00"};
static const char *const DEBTORS[PAYMENT_COUNT] = {"95360573002", "95360573010", "95360573037"};

// Signs a request as `tpp` and sends it. `psu_id`: NULL where the call names no PSU.
static xs2a_response *send_for(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *method,
                               const char *target, const char *body, const char *psu_id) {
    const xs2a_header fields[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("Content-Type", "application/json"),
        field("PSU-ID", psu_id == NULL ? "" : psu_id),
    };
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of(method);
    request.target = xs2a_str_of(target);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields - (psu_id == NULL ? 1 : 0);
    request.body = xs2a_slice_of(body);
    return send_signed(sandbox, tpp, request);
}

static xs2a_response *send_call(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *method,
                                const char *target, const char *body) {
    return send_for(sandbox, tpp, method, target, body, NULL);
}

static xs2a_response *create_payment(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *amount,
                                     const char *debtor) {
    char body[BODY_BYTES_MAX];
    int length = snprintf(body, sizeof body,
        "{\"instructedAmount\":{\"amount\":\"%s\",\"currency\":\"NOK\"},"
        "\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"91351631959\",\"currency\":\"NOK\"},"
        "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        "\"debtorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"remittanceInformationStructured\":{\"reference\":\"1234567897\"}}",
        amount, debtor);
    if (length < 0 || (size_t)length >= sizeof body) exit(EXIT_FAILURE);
    return send_call(sandbox, tpp, "POST", PAYMENTS, body);
}

static xs2a_response *create_basket(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *psu_id,
                                    xs2a_response *const *payments) {
    char *ids[PAYMENT_COUNT], body[BODY_BYTES_MAX];
    for (size_t i = 0; i < PAYMENT_COUNT; i++) ids[i] = body_member(payments[i], "/paymentId");
    int length =
        snprintf(body, sizeof body, "{\"paymentIds\":[\"%s\",\"%s\",\"%s\"]}", ids[0], ids[1], ids[2]);
    if (length < 0 || (size_t)length >= sizeof body) exit(EXIT_FAILURE);
    for (size_t i = 0; i < PAYMENT_COUNT; i++) free(ids[i]);
    return send_for(sandbox, tpp, "POST", BASKETS, body, psu_id);
}

// Approves by the link of an answer. Gives the call-back.
static xs2a_text *authorise(const xs2a_sandbox *sandbox, const xs2a_response *answered) {
    char *link = body_member(answered, "/_links/scaRedirect/href");
    xs2a_text *call_back = approve(sandbox, link);
    free(link);
    return call_back;
}

// A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
static void get_acquainted(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, char psu_id[UUID_CHARS + 1]) {
    xs2a_response *first = create_payment(sandbox, tpp, "1.00", DEBTORS[0]);
    xs2a_text *call_back = authorise(sandbox, first);
    read_psu_id(xs2a_text_str(call_back), psu_id);
    xs2a_text_free(call_back);
    xs2a_response_free(first);
}

// One link for all three: the PSU sees them together, and approves once.
static void authorise_all(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const xs2a_response *basket) {
    char *target = body_member(basket, "/_links/startAuthorisation/href");
    xs2a_response *started = send_call(sandbox, tpp, "POST", target, "");
    xs2a_text *call_back = authorise(sandbox, started);
    printf("call-back: %.*s\n", SHOW(xs2a_text_str(call_back)));
    xs2a_text_free(call_back);
    xs2a_response_free(started);
    free(target);
}

// Prints the status of a payment or a basket, read by the status link of its creation.
static void print_status(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *what,
                         const xs2a_response *created) {
    char *target = body_member(created, "/_links/status/href");
    xs2a_response *response = send_call(sandbox, tpp, "GET", target, "");
    char *status = body_member(response, "/transactionStatus");
    printf("%s: %s\n", what, status);
    free(status);
    xs2a_response_free(response);
    free(target);
}

int main(void) {
    printf("4. one approval for a basket\n");
    xs2a_sandbox *sandbox = open_sandbox();
    xs2a_tpp *tpp = register_acme(sandbox);
    char psu_id[UUID_CHARS + 1];
    get_acquainted(sandbox, tpp, psu_id);
    xs2a_response *payments[PAYMENT_COUNT];
    for (size_t i = 0; i < PAYMENT_COUNT; i++) payments[i] = create_payment(sandbox, tpp, AMOUNTS[i], DEBTORS[i]);
    xs2a_response *basket = create_basket(sandbox, tpp, psu_id, payments);
    char *status = body_member(basket, "/transactionStatus");
    printf("basket: %s\n", status);
    free(status);
    authorise_all(sandbox, tpp, basket);

    // The basket shows the worst case; each payment shows its own status.
    print_status(sandbox, tpp, "basket", basket);
    for (size_t i = 0; i < PAYMENT_COUNT; i++) {
        char what[32];
        snprintf(what, sizeof what, "%s NOK", AMOUNTS[i]);
        print_status(sandbox, tpp, what, payments[i]);
    }
    xs2a_response_free(basket);
    for (size_t i = 0; i < PAYMENT_COUNT; i++) xs2a_response_free(payments[i]);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
