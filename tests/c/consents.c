// A consent: the PSU opens one account to a TPP, and takes it back.

#include "sandbox.h"

static xs2a_response *call(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *method,
                           const char *target, const char *psu_id) {
    const xs2a_header fields[] = {
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
        {xs2a_str_of("PSU-ID"), xs2a_slice_of(psu_id)},
    };
    xs2a_request request = new_request(method, target);
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    request.headers = fields;
    request.header_count = psu_id == NULL ? 1 : 2;
    sign_request(tpp, &request, &headers);
    OK(xs2a_engine_handle(xs2a_sandbox_engine(sandbox), &request, &response, &error));
    xs2a_headers_free(headers);
    return response;
}

static xs2a_text *member(const xs2a_response *response, const char *pointer) {
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(body_of(response), xs2a_str_of(pointer), &found, &error));
    return found;
}

// The PSU opens one account. `psu_id`: 36 characters and an end.
static void open_account(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *bban, char *psu_id) {
    xs2a_response *response = call(sandbox, tpp, "POST", "/v1/bank-offered-consents", NULL);
    CHECK(xs2a_response_status(response) == 201);
    xs2a_text *link = member(response, "/_links/scaRedirect/href"), *call_back = NULL;
    const xs2a_str unknown = xs2a_str_of("95360573037"), chosen = xs2a_str_of(bban);
    xs2a_error *error = NULL;
    xs2a_sca_answer answer = {0};
    answer.size = sizeof answer;
    answer.customer_number = xs2a_str_of("13039319955");
    answer.approve = 1;
    answer.account_count = 1;
    answer.accounts = &unknown;
    FAILS(XS2A_MISUSE, xs2a_sandbox_authorise(sandbox, xs2a_text_str(link), &answer, &call_back, &error));
    answer.accounts = &chosen;
    OK(xs2a_sandbox_authorise(sandbox, xs2a_text_str(link), &answer, &call_back, &error));
    const char *prefix = "https://tpp.example/?psu-id=";
    CHECK(begins(xs2a_text_str(call_back), prefix));
    memcpy(psu_id, xs2a_text_str(call_back).data + strlen(prefix), 36);
    psu_id[36] = '\0';
    xs2a_text_free(call_back);
    xs2a_text_free(link);
    xs2a_response_free(response);
}

static void the_opened_account_alone_is_listed(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp,
                                               const char *bban, const char *psu_id) {
    xs2a_response *response = call(sandbox, tpp, "GET", "/v1/accounts", psu_id);
    xs2a_text *second = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    CHECK(xs2a_response_status(response) == 200);
    take_text(member(response, "/accounts/0/bban"), bban);
    FAILS(XS2A_NOT_FOUND, xs2a_json_at(body_of(response), xs2a_str_of("/accounts/1"), &second, &error));
    xs2a_response_free(response);
}

static void an_sca_that_the_bank_demands_is_asked_for(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp,
                                                      const char *psu_id) {
    const xs2a_str person = xs2a_str_of("13039319955"), company = xs2a_str_of("18129215603"), torn = {NULL, 1};
    const xs2a_str demanded = xs2a_str_of("demanded"), as_ruled = xs2a_str_of("as_ruled");
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_sca_demand(sandbox, company, demanded, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_sca_demand(sandbox, person, xs2a_str_of("maybe"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_sca_demand(sandbox, torn, demanded, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_sca_demand(sandbox, person, torn, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_set_sca_demand(sandbox, person, xs2a_str_of("\xe6"), &error));
    OK(xs2a_sandbox_set_sca_demand(sandbox, person, demanded, &error));
    xs2a_response *response = call(sandbox, tpp, "GET", "/v1/accounts", psu_id);
    CHECK(xs2a_response_status(response) == 401);
    take_text(member(response, "/tppMessages/0/code"), "SCA_INVALID");
    xs2a_response_free(response);
    OK(xs2a_sandbox_set_sca_demand(sandbox, person, as_ruled, &error));
}

static void a_revoked_consent_is_over(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, const char *psu_id) {
    const xs2a_str person = xs2a_str_of("13039319955"), company = xs2a_str_of("18129215603"), torn = {NULL, 1};
    const xs2a_str organisation = xs2a_tpp_organisation_id(tpp);
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_revoke_consent(sandbox, company, organisation, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_revoke_consent(sandbox, torn, organisation, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_revoke_consent(sandbox, person, torn, &error));
    OK(xs2a_sandbox_revoke_consent(sandbox, person, organisation, &error));
    OK(xs2a_sandbox_revoke_consent(sandbox, person, organisation, &error));
    xs2a_response *response = call(sandbox, tpp, "GET", "/v1/accounts", psu_id);
    CHECK(xs2a_response_status(response) == 403);
    take_text(member(response, "/tppMessages/0/code"), "CONSENT_UNKNOWN");
    xs2a_response_free(response);
}

void test_consents(void) {
    const char *bban = "95360573010";
    char psu_id[37];
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    open_account(sandbox, tpp, bban, psu_id);
    the_opened_account_alone_is_listed(sandbox, tpp, bban, psu_id);
    an_sca_that_the_bank_demands_is_asked_for(sandbox, tpp, psu_id);
    the_opened_account_alone_is_listed(sandbox, tpp, bban, psu_id);
    a_revoked_consent_is_over(sandbox, tpp, psu_id);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}
