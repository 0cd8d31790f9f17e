// Forks, snapshots and what differs between them, policies, faults, the clock: the sandbox as a test drives it.

#include "story.h"

#define DOMESTIC "/v1/payments/norwegian-domestic-credit-transfers"

static const char ORDER[] =
    "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"},"
    "\"creditorName\":\"Testodius To\","
    "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},"
    "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
    "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"},"
    "\"remittanceInformationUnstructured\":\"Invoice 1001\"}";

static xs2a_response *send_call(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *method,
                                const char *target, const char *body) {
    const xs2a_header fields[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("Content-Type", "application/json"),
    };
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of(method);
    request.target = xs2a_str_of(target);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    request.body = xs2a_slice_of(body);
    return send_signed(sandbox, tpp, request);
}

// Asks for the payment's status, and prints what is answered.
static void show(const char *what, const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *target) {
    xs2a_response *response = send_call(sandbox, tpp, "GET", target, "");
    int status = xs2a_response_status(response);
    char *status_text = status == 200 ? body_member(response, "/transactionStatus") : NULL;
    printf("%s: %d %s\n", what, status, status_text == NULL ? "-" : status_text);
    free(status_text);
    xs2a_response_free(response);
}

// A fork has the same past and a future of its own: there the customer approves, and the bank's batch runs.
static void approve_in_a_fork(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *link, const char *target) {
    xs2a_error *error = NULL;
    xs2a_sandbox *fork = NULL;
    xs2a_tpp *same_tpp = NULL;
    xs2a_text *time = NULL;
    must(xs2a_sandbox_fork(sandbox, &fork, &error), &error);
    xs2a_text_free(approve(fork, link));
    must(xs2a_sandbox_tpp(fork, xs2a_tpp_organisation_id(tpp), &same_tpp, &error), &error);
    show("approved in a fork", fork, same_tpp, target);
    must(xs2a_sandbox_advance_to_next_event(fork, &time, &error), &error);
    printf("the fork's clock: %.*s\n", SHOW(xs2a_text_str(time)));
    show("settled in the fork", fork, same_tpp, target);
    xs2a_text_free(time);
    xs2a_tpp_free(same_tpp);
    xs2a_sandbox_free(fork);
}

static void print_lines(xs2a_str array) {
    for (int i = 0;; i++) {
        char pointer[16];
        snprintf(pointer, sizeof pointer, "/%d", i);
        xs2a_text *line = NULL;
        if (xs2a_json_at(array, xs2a_str_of(pointer), &line, NULL) != XS2A_OK) return;
        printf("changed: %.*s\n", SHOW(xs2a_text_str(line)));
        xs2a_text_free(line);
    }
}

// What an approval changes, in words; then back to before it.
static void approve_and_go_back(const xs2a_sandbox *sandbox, const char *link) {
    xs2a_error *error = NULL;
    xs2a_bytes *before = NULL, *after = NULL;
    xs2a_text *lines = NULL;
    must(xs2a_sandbox_snapshot(sandbox, &before, &error), &error);
    xs2a_text_free(approve(sandbox, link));
    must(xs2a_sandbox_snapshot(sandbox, &after, &error), &error);
    must(xs2a_snapshot_diff(xs2a_bytes_slice(before), xs2a_bytes_slice(after), &lines, &error), &error);
    print_lines(xs2a_text_str(lines));
    must(xs2a_sandbox_restore(sandbox, xs2a_bytes_slice(before), &error), &error);
    xs2a_text_free(lines);
    xs2a_bytes_free(after);
    xs2a_bytes_free(before);
}

static void set_policy(const xs2a_sandbox *sandbox, const char *policy) {
    xs2a_error *error = NULL;
    must(xs2a_sandbox_set_policy(sandbox, xs2a_str_of(policy), &error), &error);
}

static void set_fault(const xs2a_sandbox *sandbox, const char *fault) {
    xs2a_error *error = NULL;
    uint64_t number = 0;
    must(xs2a_sandbox_add_fault(sandbox, xs2a_str_of(fault), &number, &error), &error);
}

// The default data again; then everything as it was, from a text that could lie under version control.
static void initialize_and_go_back(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *target) {
    xs2a_error *error = NULL;
    xs2a_text *exported = NULL;
    must(xs2a_sandbox_export_json(sandbox, &exported, &error), &error);
    must(xs2a_sandbox_initialize(sandbox, &error), &error);
    show("initialized", sandbox, tpp, target);
    must(xs2a_sandbox_import_json(sandbox, xs2a_text_str(exported), &error), &error);
    show("imported", sandbox, tpp, target);
    xs2a_text_free(exported);
}

static int wrong_accounts(const xs2a_sandbox *sandbox) {
    xs2a_error *error = NULL;
    xs2a_text *found = NULL, *account = NULL;
    must(xs2a_sandbox_reconcile(sandbox, &found, &error), &error);
    int wrong = 0;
    char pointer[16] = "/0";
    while (xs2a_json_at(xs2a_text_str(found), xs2a_str_of(pointer), &account, NULL) == XS2A_OK) {
        xs2a_text_free(account);
        snprintf(pointer, sizeof pointer, "/%d", ++wrong);
    }
    xs2a_text_free(found);
    return wrong;
}

int main(void) {
    printf("5. drive the sandbox\n");
    xs2a_sandbox *sandbox = open_sandbox();
    xs2a_tpp *tpp = register_acme(sandbox);
    xs2a_response *created = send_call(sandbox, tpp, "POST", DOMESTIC, ORDER);
    char *link = body_member(created, "/_links/scaRedirect/href");
    char *target = body_member(created, "/_links/status/href");
    show("created", sandbox, tpp, target);

    approve_in_a_fork(sandbox, tpp, link, target);
    show("here", sandbox, tpp, target);

    approve_and_go_back(sandbox, link);
    show("restored", sandbox, tpp, target);

    // A known issue of the field, switched on and off.
    set_policy(sandbox, "{\"domestic_unreadable_before_approval\":true}");
    show("unreadable before approval", sandbox, tpp, target);
    set_policy(sandbox, "{\"domestic_unreadable_before_approval\":false}");
    show("readable again", sandbox, tpp, target);

    // The bank has had enough, once.
    set_fault(sandbox, "{\"code\":\"ACCESS_EXCEEDED\",\"times\":1}");
    show("with a fault", sandbox, tpp, target);
    show("after it", sandbox, tpp, target);

    initialize_and_go_back(sandbox, tpp, target);
    printf("accounts that do not add up: %d\n", wrong_accounts(sandbox));

    free(target);
    free(link);
    xs2a_response_free(created);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
