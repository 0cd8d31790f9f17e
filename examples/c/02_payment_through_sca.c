// A TPP creates an instant payment, the PSU authorises it at the bank, and the money moves.

#include "story.h"

// Where the default data names the first account of 13039319955 and of 12085592767.
#define DEBTOR_BBAN "/customers/0/accounts/0/bban"
#define CREDITOR_BBAN "/customers/1/accounts/0/bban"

enum { BODY_BYTES_MAX = 1024, TARGET_BYTES_MAX = 256 };

// The accounts of the payment.
typedef struct {
    char *debtor;
    char *creditor;
} parties;

static parties read_parties(const xs2a_sandbox *sandbox) {
    xs2a_text *data = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_default_data(sandbox, &data, &error), &error);
    parties found = {member(xs2a_text_str(data), DEBTOR_BBAN), member(xs2a_text_str(data), CREDITOR_BBAN)};
    xs2a_text_free(data);
    return found;
}

static xs2a_response *post_payment(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, parties accounts) {
    char body[BODY_BYTES_MAX];
    int length = snprintf(body, sizeof body,
        "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"},"
        "\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        "\"debtorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"remittanceInformationUnstructured\":\"Invoice 1001\"}",
        accounts.creditor, accounts.debtor);
    if (length < 0 || (size_t)length >= sizeof body) exit(EXIT_FAILURE);

    const xs2a_header headers[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("Content-Type", "application/json"),
    };
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.headers = headers;
    request.header_count = sizeof headers / sizeof *headers;
    request.body = xs2a_slice_of(body);
    return send_signed(sandbox, tpp, request);
}

// Creates the payment; gives its id and the link to the bank's site.
static void create(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, parties accounts, char **id, char **link) {
    xs2a_response *response = post_payment(sandbox, tpp, accounts);
    int status = xs2a_response_status(response);
    if (status != 201) {
        xs2a_str reason = xs2a_response_reason(response);
        fprintf(stderr, "refused: %d %.*s\n", status, SHOW(reason));
        exit(EXIT_FAILURE);
    }
    char *transaction_status = body_member(response, "/transactionStatus");
    printf("created: %d %s\n", status, transaction_status);
    *id = body_member(response, "/paymentId");
    *link = body_member(response, "/_links/scaRedirect/href");
    free(transaction_status);
    xs2a_response_free(response);
}

static void authorise(const xs2a_sandbox *sandbox, const char *link) {
    xs2a_text *call_back = approve(sandbox, link);
    printf("call-back: %.*s\n", SHOW(xs2a_text_str(call_back)));
    xs2a_text_free(call_back);
}

static void print_status(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *id) {
    char target[TARGET_BYTES_MAX];
    int length = snprintf(target, sizeof target, PAYMENTS "/%s/status", id);
    if (length < 0 || (size_t)length >= sizeof target) exit(EXIT_FAILURE);

    const xs2a_header redirect = field("TPP-Redirect-URI", REDIRECT_URI);
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("GET");
    request.target = xs2a_str_of(target);
    request.headers = &redirect;
    request.header_count = 1;
    xs2a_response *response = send_signed(sandbox, tpp, request);
    char *status = body_member(response, "/transactionStatus");
    printf("status: %s\n", status);
    free(status);
    xs2a_response_free(response);
}

// The newest booking of an account, and its balance.
static void print_ledger(const char *whose, const xs2a_sandbox *sandbox, const char *account) {
    xs2a_text *ledger = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_ledger(sandbox, xs2a_str_of(account), &ledger, &error), &error);
    const char *pointers[4] = {"/bookings/0/amount", "/bookings/0/currency", "/balance/amount", "/balance/currency"};
    char *found[4];
    for (size_t i = 0; i < 4; i++) found[i] = member(xs2a_text_str(ledger), pointers[i]);
    printf("%s: %s %s, balance %s %s\n", whose, found[0], found[1], found[2], found[3]);
    for (size_t i = 0; i < 4; i++) free(found[i]);
    xs2a_text_free(ledger);
}

int main(void) {
    printf("2. a payment through SCA\n");
    xs2a_sandbox *sandbox = open_sandbox();
    xs2a_tpp *tpp = register_acme(sandbox);
    parties accounts = read_parties(sandbox);

    char *id = NULL, *link = NULL;
    create(sandbox, tpp, accounts, &id, &link);
    authorise(sandbox, link);
    print_status(sandbox, tpp, id);
    print_ledger("debtor", sandbox, accounts.debtor);
    print_ledger("creditor", sandbox, accounts.creditor);

    free(id);
    free(link);
    free(accounts.debtor);
    free(accounts.creditor);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
