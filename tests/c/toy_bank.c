#include "toy_bank.h"

#include <stdarg.h>

#define NOK(amount) "{\"amount\":\"" amount "\",\"currency\":\"NOK\"}"
#define ACCOUNT "{\"accountId\":\"acc\",\"bban\":\"95360573002\",\"currency\":\"NOK\"}"
#define CARD "{\"cardAccountId\":\"card\",\"maskedPan\":\"123456******1234\",\"currency\":\"NOK\"}"
#define BALANCES "[{\"balanceType\":\"expected\",\"balanceAmount\":" NOK("7.50") "}]"
#define LINES "[{\"bookingDate\":\"2026-08-30\",\"transactionAmount\":" NOK("1.00") "}]"
#define LINE "{\"accountId\":\"acc\",\"transactionId\":\"line\",\"transactionAmount\":" NOK("1.00") "}"

const char *const bank_methods[METHODS] = {
    "psu",      "debtor_account", "kid_agreement", "fee",          "rate",          "requires_sca", "submit_payment",
    "cancel_payment", "agreements", "accounts",    "account",      "balances",      "booked",       "pending",
    "transaction", "card_accounts", "card_account", "card_balances", "card_booked", "card_pending",
};

// A member of the request as text: the contents of a string, else JSON. The caller frees it.
static xs2a_text *asked(xs2a_str request, const char *pointer) {
    xs2a_text *found = NULL;
    CHECK(xs2a_json_at(request, xs2a_str_of(pointer), &found, NULL) == XS2A_OK);
    return found;
}

static bool member_is(xs2a_str request, const char *pointer, const char *expected) {
    xs2a_text *found = asked(request, pointer);
    const bool holds = is(xs2a_text_str(found), expected);
    xs2a_text_free(found);
    return holds;
}

static void say(xs2a_writer *answer, const char *form, ...) {
    char text[4096];
    va_list values;
    va_start(values, form);
    int length = vsnprintf(text, sizeof text, form, values);
    va_end(values);
    CHECK(length > 0 && (size_t)length < sizeof text);
    CHECK(xs2a_writer_write(answer, xs2a_slice_of(text), NULL) == XS2A_OK);
}

// `{"<name>":<as it was asked>,<rest>}`
static void say_of(xs2a_writer *answer, xs2a_str request, const char *name, const char *rest) {
    char pointer[32];
    snprintf(pointer, sizeof pointer, "/%s", name);
    xs2a_text *found = asked(request, pointer);
    xs2a_str text = xs2a_text_str(found);
    const char *quote = text.data[0] == '{' ? "" : "\"";
    say(answer, "{\"%s\":%s%.*s%s,%s}", name, quote, (int)text.len, text.data, quote, rest);
    xs2a_text_free(found);
}

static void submit(toy_bank *bank, xs2a_str request, xs2a_writer *answer) {
    xs2a_text *id = asked(request, "/paymentId");
    xs2a_str text = xs2a_text_str(id);
    if (!is(text, bank->last_order)) {
        bank->orders++;
        CHECK(text.len < sizeof bank->last_order);
        memcpy(bank->last_order, text.data, text.len);
        bank->last_order[text.len] = '\0';
    }
    xs2a_text_free(id);
    if (bank->answers_nonsense) {
        say_of(answer, request, "paymentId", "\"transactionStatus\":\"RCVD\"");
        return;
    }
    bool instant = !member_is(request, "/product", "payments/norwegian-domestic-credit-transfers");
    say_of(answer, request, "paymentId",
           instant ? "\"transactionStatus\":\"ACSC\",\"fundsAvailable\":true" : "\"transactionStatus\":\"PDNG\"");
}

// The answers of a bank that is well.
static void answer_well(toy_bank *bank, xs2a_str method, xs2a_str request, xs2a_writer *answer) {
    if (is(method, "psu")) {
        if (member_is(request, "/identity", "13039319955")) say(answer, "{\"person\":\"kari\"}");
        else say(answer, "null");
    } else if (is(method, "debtor_account")) {
        say_of(answer, request, "account", "\"currency\":\"NOK\"");
    } else if (is(method, "kid_agreement") || is(method, "requires_sca")) {
        say(answer, "null");
    } else if (is(method, "transaction")) {
        say(answer, member_is(request, "/transactionId", "line") ? LINE : "null");
    } else if (is(method, "fee")) {
        say(answer, "{\"fee\":" NOK("0.00") "}");
    } else if (is(method, "rate")) {
        const bool sells = member_is(request, "/sourceCurrency", "EUR");
        say(answer, "{\"sourceCurrency\":\"%s\",\"targetCurrency\":\"%s\",\"rate\":\"11.5\"}", sells ? "EUR" : "NOK",
            sells ? "NOK" : "EUR");
    } else if (is(method, "submit_payment")) {
        submit(bank, request, answer);
    } else if (is(method, "cancel_payment")) {
        bank->is_cancelled = true;
        say_of(answer, request, "paymentId", "\"cancelled\":true");
    } else if (is(method, "agreements")) {
        say_of(answer, request, "person", "\"agreements\":[]");
    } else if (is(method, "accounts")) {
        say_of(answer, request, "psu", "\"accounts\":[" ACCOUNT "]");
    } else if (is(method, "account")) {
        say(answer, member_is(request, "/accountId", "acc") ? ACCOUNT : "null");
    } else if (is(method, "balances")) {
        say_of(answer, request, "accountId", "\"balances\":" BALANCES);
    } else if (is(method, "booked")) {
        say_of(answer, request, "accountId", "\"transactions\":" LINES ",\"total\":1");
    } else if (is(method, "pending")) {
        say_of(answer, request, "accountId", "\"transactions\":[]");
    } else if (is(method, "card_accounts")) {
        say_of(answer, request, "psu", "\"cardAccounts\":[" CARD "]");
    } else if (is(method, "card_account")) {
        say(answer, member_is(request, "/cardAccountId", "card") ? CARD : "null");
    } else if (is(method, "card_balances")) {
        say_of(answer, request, "cardAccountId", "\"balances\":" BALANCES);
    } else if (is(method, "card_booked")) {
        say_of(answer, request, "cardAccountId", "\"transactions\":" LINES ",\"total\":1");
    } else {
        CHECK(is(method, "card_pending"));
        say_of(answer, request, "cardAccountId", "\"transactions\":[]");
    }
}

static void write_huge(xs2a_writer *answer) {
    size_t piece = 1 << 20;
    char *spaces = malloc(piece);
    CHECK(spaces != NULL);
    memset(spaces, ' ', piece);
    const xs2a_slice bytes = {(const uint8_t *)spaces, piece};
    xs2a_error *error = NULL;
    for (int i = 0; i < 100; i++) {
        if (i < 16) OK(xs2a_writer_write(answer, bytes, &error));
        else FAILS(XS2A_BANK, xs2a_writer_write(answer, bytes, &error));
    }
    FAILS(XS2A_BANK, xs2a_writer_write(answer, xs2a_slice_of("null"), &error));
    free(spaces);
}

static void answer_other(xs2a_str method, xs2a_writer *answer) {
    if (is(method, "submit_payment")) say(answer, "{\"paymentId\":\"other\",\"transactionStatus\":\"ACSC\"}");
    else if (is(method, "cancel_payment")) say(answer, "{\"paymentId\":\"other\",\"cancelled\":true}");
    else if (is(method, "debtor_account"))
        say(answer, "{\"account\":{\"bban\":\"95360573099\",\"currency\":\"NOK\"},\"currency\":\"NOK\"}");
    else if (is(method, "accounts"))
        say(answer, "{\"psu\":{\"person\":\"ola\",\"context\":\"PRIVATE\"},\"accounts\":[]}");
    else if (is(method, "account")) say(answer, "{\"accountId\":\"other\",\"currency\":\"NOK\"}");
    else if (is(method, "balances")) say(answer, "{\"accountId\":\"other\",\"balances\":[]}");
    else if (is(method, "rate"))
        say(answer, "{\"sourceCurrency\":\"USD\",\"targetCurrency\":\"NOK\",\"rate\":\"11.5\"}");
    else if (is(method, "transaction"))
        say(answer, "{\"accountId\":\"acc\",\"transactionId\":\"other\",\"transactionAmount\":" NOK("1.00") "}");
    else if (is(method, "card_account"))
        say(answer, "{\"cardAccountId\":\"other\",\"maskedPan\":\"1***\",\"currency\":\"NOK\"}");
    else say(answer, "{\"cardAccountId\":\"other\",\"balances\":[]}");
}

static int32_t call(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer) {
    toy_bank *bank = user_data;
    const xs2a_slice torn = {NULL, 1};
    if (bank->within_call != NULL) bank->within_call(bank->context, method, answer);
    if (bank->troubled == NULL || !is(method, bank->troubled)) {
        answer_well(bank, method, request, answer);
        return 0;
    }
    switch (bank->trouble) {
    case WELL: answer_well(bank, method, request, answer); return 0;
    case FAILS: say(answer, "null"); return -7;
    case NOTHING: return 0;
    case NOT_JSON: say(answer, "{\"fee\":"); return 0;
    case NOT_UTF8: CHECK(xs2a_writer_write(answer, xs2a_slice_of("\"\xff\""), NULL) == XS2A_OK); return 0;
    case NULL_BYTES: CHECK(xs2a_writer_write(answer, torn, NULL) == XS2A_NULL_ARGUMENT); return 0;
    case HUGE_ANSWER: write_huge(answer); return 0;
    case OTHER_SHAPE: say(answer, "{}"); return 0;
    case OTHER_ID: answer_other(method, answer); return 0;
    case SLOW: bank->now += 10000001; answer_well(bank, method, request, answer); return 0;
    case TROUBLES: break;
    }
    abort();
}

static int32_t is_registered(void *user_data, xs2a_str organisation_id) {
    const toy_bank *bank = user_data;
    CHECK(organisation_id.len > 0);
    return bank->unregistered == 0 ? 1 : bank->unregistered == 1 ? 0 : -1;
}

static int64_t now(void *user_data) {
    const toy_bank *bank = user_data;
    return bank->now;
}

static void keep_log(void *user_data, xs2a_str level, xs2a_str target, xs2a_str message, xs2a_str fields) {
    toy_bank *bank = user_data;
    CHECK(begins(target, "xs2a::") && message.len > 0);
    // A JSON object in one line.
    xs2a_text *whole = asked(fields, "");
    CHECK(begins(xs2a_text_str(whole), "{") && memchr(fields.data, '\n', fields.len) == NULL);
    xs2a_text_free(whole);
    // Some of the shared vectors put an authority in place that is over.
    if (is(level, "warn") && begins(message, "no trust anchor is valid now")) return;
    if (bank->trouble == SLOW && is(level, "warn")) {
        CHECK(begins(message, "the bank was slow"));
        bank->warned++;
        return;
    }
    CHECK_TEXT(level, "error");
    bank->logged++;
    if (bank->heard != NULL) bank->heard(bank->context, fields);
}

xs2a_bank_callbacks toy_callbacks(toy_bank *bank) {
    xs2a_bank_callbacks callbacks = {0};
    callbacks.size = sizeof callbacks;
    callbacks.user_data = bank;
    callbacks.call = call;
    callbacks.is_registered = is_registered;
    callbacks.now = now;
    callbacks.log = keep_log;
    return callbacks;
}
