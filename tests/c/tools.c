// The pure functions.

#include "check.h"

static void digests(void) {
    // RFC 3230 over the empty body: the hashes of FIPS 180-4.
    const char *sha_256 = "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_digest(xs2a_slice_of(NULL), xs2a_str_of(NULL), &text, &error));
    take_text(text, sha_256);
    OK(xs2a_digest(xs2a_slice_of(""), xs2a_str_of("SHA-256"), &text, &error));
    take_text(text, sha_256);
    OK(xs2a_digest(xs2a_slice_of(""), xs2a_str_of("SHA-512"), &text, &error));
    take_text(text, "SHA-512=z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==");
    FAILS(XS2A_MISUSE, xs2a_digest(xs2a_slice_of(""), xs2a_str_of("MD5"), &text, &error));
}

static void signing_strings(void) {
    const xs2a_header headers[] = {
        {xs2a_str_of("Date"), xs2a_slice_of("Tue, 01 Sep 2026 10:00:00 GMT")},
        {xs2a_str_of("X-Request-ID"), xs2a_slice_of("6f0a4a2e-0d0f-4b59-a8b1-4a1a3a6f1e2d")},
    };
    xs2a_request request = new_request("GET", "/v1/accounts");
    request.headers = headers;
    request.header_count = 2;
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_signing_string(&request, xs2a_str_of("x-request-id date"), &text, &error));
    take_text(text, "x-request-id: 6f0a4a2e-0d0f-4b59-a8b1-4a1a3a6f1e2d\ndate: Tue, 01 Sep 2026 10:00:00 GMT");
    FAILS(XS2A_MISUSE, xs2a_signing_string(&request, xs2a_str_of("digest"), &text, &error));
    // What no header can be called.
    FAILS(XS2A_MISUSE, xs2a_signing_string(&request, xs2a_str_of("date,x-request-id"), &text, &error));
    FAILS(XS2A_MISUSE, xs2a_signing_string(&request, xs2a_str_of("date:"), &text, &error));
    FAILS(XS2A_MISUSE, xs2a_signing_string(&request, xs2a_str_of("(date"), &text, &error));

    request.headers = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_signing_string(&request, xs2a_str_of("date"), &text, &error));
    request.header_count = 0;
    request.target = xs2a_str_of("/\xe6");
    FAILS(XS2A_NOT_UTF8, xs2a_signing_string(&request, xs2a_str_of(""), &text, &error));
}

static void what_is_unsigned_is_not_verified(void) {
    const xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_verify_signature(&request, xs2a_str_of("2026-09-01T10:00:00Z"), xs2a_str_of(NULL), &text, &error));
    check_member(xs2a_text_str(text), "/ok", "false");
    check_member(xs2a_text_str(text), "/text", "TPP-Signature-Certificate: the header is required");
    xs2a_text_free(text);
    FAILS(XS2A_BAD_ARGUMENT, xs2a_verify_signature(&request, xs2a_str_of("today"), xs2a_str_of(NULL), &text, &error));
}

static void payments_are_validated(void) {
    xs2a_payment_check check = {0};
    check.size = sizeof check;
    check.service = xs2a_str_of("payments");
    check.product = xs2a_str_of("instant-norwegian-domestic-credit-transfers-straks");
    check.body = xs2a_slice_of("{}");
    check.at = xs2a_str_of("2026-09-01T10:00:00Z");
    check.accept_fix = xs2a_str_of("structured-addresses, amount-as-string");
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_validate_payment(&check, &text, &error));
    check_member(xs2a_text_str(text), "/0/category", "ERROR");
    check_member(xs2a_text_str(text), "/0/code", "FORMAT_ERROR");
    xs2a_text_free(text);

    check.body = xs2a_slice_of(PAYMENT);
    OK(xs2a_validate_payment(&check, &text, &error));
    take_text(text, "[]");
    check.environment = xs2a_str_of("production");
    OK(xs2a_validate_payment(&check, &text, &error));
    take_text(text, "[]");

    check.service = xs2a_str_of("bulk-payments");
    OK(xs2a_validate_payment(&check, &text, &error));
    check_member(xs2a_text_str(text), "/0/code", "PRODUCT_INVALID");
    xs2a_text_free(text);
    check.product = xs2a_str_of("norwegian-domestic-credit-transfers");
    check.body = xs2a_slice_of("{\"payments\":[{}],\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}");
    OK(xs2a_validate_payment(&check, &text, &error));
    check_member(xs2a_text_str(text), "/0/path", "/payments/0/instructedAmount");
    xs2a_text_free(text);
    // Another account than that of the bulk.
    check.body = xs2a_slice_of("{\"payments\":[" PAYMENT "],"
                               "\"debtorAccount\":{\"bban\":\"95360573010\",\"currency\":\"NOK\"}}");
    OK(xs2a_validate_payment(&check, &text, &error));
    check_member(xs2a_text_str(text), "/0/category", "ERROR");
    check_member(xs2a_text_str(text), "/0/path", "/payments/0/debtorAccount");
    xs2a_text_free(text);
    // Money is exchanged between two accounts in kroner.
    check.service = xs2a_str_of("payments");
    check.environment = xs2a_str_of("sandbox");
    check.body = xs2a_slice_of(
        "{\"instructedAmount\":{\"amount\":\"5.00\",\"currency\":\"EUR\"},\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},\"creditorAddress\":{\"country\":"
        "\"NO\"},\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}");
    OK(xs2a_validate_payment(&check, &text, &error));
    check_member(xs2a_text_str(text), "/0/category", "ERROR");
    check_member(xs2a_text_str(text), "/0/path", "/creditorAddress/townName");
    xs2a_text_free(text);

    check.environment = xs2a_str_of("moon");
    FAILS(XS2A_MISUSE, xs2a_validate_payment(&check, &text, &error));
    check.environment = xs2a_str_of(NULL);
    check.at = xs2a_str_of("2026-09-01");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_validate_payment(&check, &text, &error));
    check.at = xs2a_str_of("0001-01-01T00:00:00+00:01");
    FAILS(XS2A_MISUSE, xs2a_validate_payment(&check, &text, &error));
}

static void the_interface_is_described(void) {
    xs2a_str absent = xs2a_str_of(NULL);
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_openapi(absent, xs2a_str_of("/psd2"), &text, &error));
    check_member(xs2a_text_str(text), "/openapi", "3.1.0");
    check_member(xs2a_text_str(text), "/servers/0/url", "/psd2");
    check_member(xs2a_text_str(text), "/paths/~1v1~1accounts/get/operationId", "getAccounts");
    xs2a_text_free(text);
    OK(xs2a_openapi(xs2a_str_of("production"), absent, &text, &error));
    check_member(xs2a_text_str(text), "/servers/0/url", "/");
    xs2a_text *own = NULL;
    const xs2a_str pointer = xs2a_str_of("/paths/~1v1~1sandbox~1initialize");
    FAILS(XS2A_NOT_FOUND, xs2a_json_at(xs2a_text_str(text), pointer, &own, &error));
    xs2a_text_free(text);
    FAILS(XS2A_MISUSE, xs2a_openapi(xs2a_str_of("moon"), absent, &text, &error));
    FAILS(XS2A_CONFIG, xs2a_openapi(absent, xs2a_str_of("psd2"), &text, &error));
}

static void transitions_are_listed(void) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_payment_transitions(&text, &error));
    check_member(xs2a_text_str(text), "/ACSC", "[]");
    check_member(xs2a_text_str(text), "/ACWP/0", "ACSC");
    xs2a_text_free(text);
}

static void a_basket_has_the_worst_status_of_its_payments(void) {
    xs2a_str statuses[] = {xs2a_str_of("PDNG"), xs2a_str_of("RCVD"), xs2a_str_of("CANC")};
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    const char *expected[] = {"ACTC", "PATC", "RJCT"};
    for (size_t count = 1; count <= 3; count++) {
        OK(xs2a_basket_status(statuses, count, &text, &error));
        take_text(text, expected[count - 1]);
    }
    text = UNTOUCHED(xs2a_text);
    FAILS(XS2A_MISUSE, xs2a_basket_status(statuses, 0, &text, &error));
    statuses[1] = xs2a_str_of("PATC");
    FAILS(XS2A_MISUSE, xs2a_basket_status(statuses, 2, &text, &error));
    statuses[1] = xs2a_str_of("\xe6");
    FAILS(XS2A_NOT_UTF8, xs2a_basket_status(statuses, 2, &text, &error));
    CHECK(text == UNTOUCHED(xs2a_text));
}

static void currencies_have_minor_units(void) {
    uint8_t units = 99;
    xs2a_error *error = NULL;
    OK(xs2a_minor_units(xs2a_str_of("NOK"), &units, &error));
    CHECK(units == 2);
    OK(xs2a_minor_units(xs2a_str_of("JPY"), &units, &error));
    CHECK(units == 0);
    OK(xs2a_minor_units(xs2a_str_of("KWD"), &units, &error));
    CHECK(units == 3);
    FAILS(XS2A_MISUSE, xs2a_minor_units(xs2a_str_of("XXX"), &units, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_minor_units(xs2a_str_of("\xe6"), &units, &error));
    CHECK(units == 3);
}

static void texts_are_read(void) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_parse_distinguished_name(xs2a_str_of("CN=Acme,C=NO"), &text, &error));
    take_text(text, "[[[\"2.5.4.3\",\"Acme\"]],[[\"2.5.4.6\",\"NO\"]]]");
    FAILS(XS2A_MISUSE, xs2a_parse_distinguished_name(xs2a_str_of("CN"), &text, &error));

    // The three forms of RFC 9110, 5.6.7.
    const char *dates[] = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    };
    for (size_t i = 0; i < 3; i++) {
        OK(xs2a_parse_http_date(xs2a_str_of(dates[i]), &text, &error));
        take_text(text, "1994-11-06T08:49:37Z");
    }
    FAILS(XS2A_MISUSE, xs2a_parse_http_date(xs2a_str_of("1994-11-06"), &text, &error));
    // Other names of the zone, and a zone that is none of them.
    const char *zones[] = {"UTC", "UT", "Z", "CET"};
    for (size_t i = 0; i < 4; i++) {
        char date[64];
        snprintf(date, sizeof date, "Sun, 06 Nov 1994 08:49:37 %s", zones[i]);
        if (i < 3) {
            OK(xs2a_parse_http_date(xs2a_str_of(date), &text, &error));
            take_text(text, "1994-11-06T08:49:37Z");
        } else FAILS(XS2A_MISUSE, xs2a_parse_http_date(xs2a_str_of(date), &text, &error));
    }

    // RFC 2047, both encodings.
    OK(xs2a_decode_encoded_word(xs2a_str_of("=?utf-8?B?w6Y=?="), &text, &error));
    take_text(text, "\xc3\xa6");
    OK(xs2a_decode_encoded_word(xs2a_str_of("=?iso-8859-1?Q?=E6?="), &text, &error));
    take_text(text, "\xc3\xa6");
    FAILS(XS2A_MISUSE, xs2a_decode_encoded_word(xs2a_str_of("=?utf-8?B?w6Y="), &text, &error));

    FAILS(XS2A_MISUSE, xs2a_parse_certificate(xs2a_slice_of("no certificate"), &text, &error));
}

// An error is one line, even if it repeats a line break.
static void a_message_repeats_no_line_break(void) {
    const xs2a_str forged = xs2a_str_of("/a\nERROR forged");
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    CHECK(xs2a_json_at(xs2a_str_of("{}"), forged, &text, &error) == XS2A_NOT_FOUND);
    CHECK_TEXT(xs2a_error_message(error), "not found: no member at `/a\\nERROR forged`");
    xs2a_error_free(error);
    error = NULL;
    CHECK(xs2a_digest(xs2a_slice_of(""), forged, &text, &error) != XS2A_OK);
    CHECK(contains(xs2a_error_message(error), xs2a_str_of("\\nERROR forged")));
    xs2a_error_free(error);
}

static void an_answer_of_a_bank_is_checked_as_by_an_engine(void) {
    const xs2a_str balances = xs2a_str_of("balances"), question = xs2a_str_of("{\"accountId\":\"acc\"}");
    const xs2a_str torn = {NULL, 1}, right = xs2a_str_of("{\"accountId\":\"acc\",\"balances\":[]}");
    xs2a_error *error = NULL;
    OK(xs2a_check_bank_answer(balances, question, right, &error));
    FAILS(XS2A_BANK,
          xs2a_check_bank_answer(balances, question, xs2a_str_of("{\"accountId\":\"b\",\"balances\":[]}"), &error));
    FAILS(XS2A_BANK, xs2a_check_bank_answer(balances, question, xs2a_str_of("null"), &error));
    FAILS(XS2A_BANK, xs2a_check_bank_answer(balances, question, xs2a_str_of("{"), &error));
    OK(xs2a_check_bank_answer(xs2a_str_of("rate"), question, xs2a_str_of("null"), &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_check_bank_answer(xs2a_str_of("balance"), question, right, &error));
    FAILS(XS2A_MISUSE, xs2a_check_bank_answer(balances, xs2a_str_of("[]"), right, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_check_bank_answer(balances, question, xs2a_str_of("\xff"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_check_bank_answer(torn, question, right, &error));
}

void test_tools(void) {
    an_answer_of_a_bank_is_checked_as_by_an_engine();
    a_message_repeats_no_line_break();
    digests();
    signing_strings();
    what_is_unsigned_is_not_verified();
    payments_are_validated();
    the_interface_is_described();
    transitions_are_listed();
    a_basket_has_the_worst_status_of_its_payments();
    currencies_have_minor_units();
    texts_are_read();
}
