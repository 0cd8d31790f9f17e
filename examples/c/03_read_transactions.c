// Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions.

#include "story.h"

#define ACCOUNTS "/v1/accounts?withBalance=true"
#define PAYMENT \
    "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"}," \
    "\"creditorName\":\"Testodius To\"," \
    "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"}," \
    "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"}," \
    "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}," \
    "\"remittanceInformationUnstructured\":\"Invoice 1001\"}"

enum { TARGET_BYTES_MAX = 512 };

// The bank as the TPP reaches it, and how the bank knows the customer to the TPP.
typedef struct {
    xs2a_sandbox *sandbox;
    xs2a_tpp *tpp;
    char psu_id[UUID_CHARS + 1];
} bank;

static void create_payment(const bank *at, char **link) {
    const xs2a_header headers[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
    };
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.headers = headers;
    request.header_count = sizeof headers / sizeof *headers;
    request.body = xs2a_slice_of(PAYMENT);
    xs2a_response *response = send_signed(at->sandbox, at->tpp, request);
    *link = body_member(response, "/_links/scaRedirect/href");
    xs2a_response_free(response);
}

// Reads as the TPP of the customer who is present.
static xs2a_response *get(const bank *at, const char *target) {
    const xs2a_header headers[] = {
        field("x-accept-fix", ""),
        field("PSU-ID", at->psu_id),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-IP-Address", "192.0.2.1"),
    };
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("GET");
    request.target = xs2a_str_of(target);
    request.headers = headers;
    request.header_count = sizeof headers / sizeof *headers;
    return send_signed(at->sandbox, at->tpp, request);
}

// A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
static void pay(bank *at) {
    char *link = NULL;
    create_payment(at, &link);
    xs2a_text *call_back = approve(at->sandbox, link);
    read_psu_id(xs2a_text_str(call_back), at->psu_id);
    xs2a_text_free(call_back);
    free(link);
}

// A payment opens no accounts: that takes a consent, and the refusal carries the link to it.
static void get_consent(const bank *at) {
    xs2a_response *response = get(at, ACCOUNTS);
    char *code = body_member(response, "/tppMessages/0/code");
    char *link = body_member(response, "/_links/scaRedirect/href");
    printf("before consent: %d %s\n", (int)xs2a_response_status(response), code);
    xs2a_text *call_back = approve(at->sandbox, link);
    printf("call-back: %.*s\n", SHOW(xs2a_text_str(call_back)));
    xs2a_text_free(call_back);
    free(link);
    free(code);
    xs2a_response_free(response);
}

// The first account with its balance; gives its id and the target of its transactions.
static void read_account(const bank *at, char **id, char **transactions) {
    xs2a_response *response = get(at, ACCOUNTS);
    char *bban = body_member(response, "/accounts/0/bban");
    char *amount = body_member(response, "/accounts/0/balances/0/balanceAmount/amount");
    char *currency = body_member(response, "/accounts/0/balances/0/balanceAmount/currency");
    printf("account: %s %s %s\n", bban, amount, currency);
    *id = body_member(response, "/accounts/0/resourceId");
    *transactions = body_member(response, "/accounts/0/_links/transactions/href");
    free(currency);
    free(amount);
    free(bban);
    xs2a_response_free(response);
}

// The newest transaction; gives its id, which the caller frees.
static char *read_list(const bank *at, const char *target) {
    xs2a_response *response = get(at, target);
    char *date = body_member(response, "/transactions/booked/0/bookingDate");
    char *amount = body_member(response, "/transactions/booked/0/transactionAmount/amount");
    char *message = body_member(response, "/transactions/booked/0/remittanceInformationUnstructured");
    char *id = body_member(response, "/transactions/booked/0/transactionId");
    printf("booked: %s %s %s\n", date, amount, message);
    free(message);
    free(amount);
    free(date);
    xs2a_response_free(response);
    return id;
}

static void read_details(const bank *at, const char *account, const char *transaction) {
    char target[TARGET_BYTES_MAX];
    int length = snprintf(target, sizeof target, "/v1/accounts/%s/transactions/%s", account, transaction);
    if (length < 0 || (size_t)length >= sizeof target) exit(EXIT_FAILURE);
    xs2a_response *response = get(at, target);
    char *creditor = body_member(response, "/transactionsDetails/creditorAccount/bban");
    char *code = body_member(response, "/transactionsDetails/bankTransactionCode");
    printf("details: to %s %s\n", creditor, code);
    free(code);
    free(creditor);
    xs2a_response_free(response);
}

int main(void) {
    printf("3. reading transactions\n");
    bank at = {open_sandbox(), NULL, {0}};
    at.tpp = register_acme(at.sandbox);

    pay(&at);
    get_consent(&at);
    char *account = NULL, *transactions = NULL;
    read_account(&at, &account, &transactions);
    char *transaction = read_list(&at, transactions);
    read_details(&at, account, transaction);

    free(transaction);
    free(transactions);
    free(account);
    xs2a_tpp_free(at.tpp);
    xs2a_sandbox_free(at.sandbox);
    return EXIT_SUCCESS;
}
