#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// One question: reads its members from `request`, writes the answer. False: no answer now; the TPP is answered
// SYSTEM_ERROR, and nothing is changed.
typedef bool (*question)(ledger *ledger, xs2a_str request, text *answer);

void core_day(const char *time_text, char day[11]) {
    time_t now = time(NULL);
    struct tm utc;
    if (time_text != NULL && strlen(time_text) >= 10) {
        memcpy(day, time_text, 10);
        day[10] = '\0';
    } else if (gmtime_r(&now, &utc) == NULL || strftime(day, 11, "%Y-%m-%d", &utc) == 0) {
        day[0] = '\0';
    }
}

// `{"<name>":<as it was asked>`: answers repeat what they answer.
static bool repeat(text *answer, xs2a_str request, const char *name) {
    char pointer[32];
    snprintf(pointer, sizeof pointer, "/%s", name);
    xs2a_text *found = json_member(request, pointer);
    xs2a_str value = xs2a_text_str(found);
    text_form(answer, "{\"%s\":", name);
    // An object comes as its JSON, a text as its contents.
    if (str_begins(value, "{")) text_add(answer, value.data, value.len);
    else text_json(answer, value);
    bool is_there = found != NULL;
    xs2a_text_free(found);
    return is_there;
}

static bool answer_null(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    (void)request;
    text_put(answer, "null");
    return true;
}

// ---------------------------------------------------------------- who

static bool psu(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    char identity[16];
    const customer *customer = NULL;
    if (json_copy(request, "/identity", identity, sizeof identity)) customer = customer_with_identity(identity);
    if (customer == NULL) text_put(answer, "null");
    else text_form(answer, "{\"person\":\"%s\"}", customer->person);
    return true;
}

// No person acts for a company here.
static bool agreements(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    bool is_asked = repeat(answer, request, "person");
    text_put(answer, ",\"agreements\":[]}");
    return is_asked;
}

// ---------------------------------------------------------------- accounts

static bool is_of_asker(xs2a_str request, const account *account) {
    char person[257], context[16];
    return json_copy(request, "/psu/person", person, sizeof person)
        && json_copy(request, "/psu/context", context, sizeof context)
        && strcmp(context, "PRIVATE") == 0 && strcmp(account->person, person) == 0;
}

static void show(text *answer, const account *account) {
    text_form(answer, "{\"accountId\":\"%s\",\"bban\":\"%s\",\"currency\":\"NOK\",\"name\":\"%s\"}", account->id,
              account->bban, account->name);
}

static const account *asked_account(xs2a_str request) {
    char id[65];
    return json_copy(request, "/accountId", id, sizeof id) ? account_with_id(id) : NULL;
}

static bool list_accounts(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    bool is_asked = repeat(answer, request, "psu"), is_first = true;
    text_put(answer, ",\"accounts\":[");
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        if (!is_of_asker(request, &accounts[i])) continue;
        if (!is_first) text_put(answer, ",");
        is_first = false;
        show(answer, &accounts[i]);
    }
    text_put(answer, "]}");
    return is_asked;
}

static bool one_account(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    const account *found = asked_account(request);
    if (found == NULL || !is_of_asker(request, found)) text_put(answer, "null");
    else show(answer, found);
    return true;
}

static bool balances(ledger *ledger, xs2a_str request, text *answer) {
    const account *found = asked_account(request);
    if (found == NULL || !repeat(answer, request, "accountId")) return false;
    text_put(answer, ",\"balances\":[{\"balanceType\":\"expected\",\"balanceAmount\":{\"amount\":\"");
    text_ore(answer, ledger_balance(ledger, found));
    text_put(answer, "\",\"currency\":\"NOK\"}}]}");
    return true;
}

// ---------------------------------------------------------------- transactions

// Whether an order was booked on an account, or (`is_pending`) is going to be.
static bool is_on(const order *order, const account *account, bool is_pending) {
    if (strcmp(order->status, is_pending ? "PDNG" : "ACSC") != 0) return false;
    return strcmp(order->debtor, account->bban) == 0 || strcmp(order->creditor, account->bban) == 0;
}

static void show_order(text *answer, const order *order, const account *account) {
    bool is_debit = strcmp(order->debtor, account->bban) == 0;
    text_put(answer, "{");
    if (strcmp(order->status, "ACSC") == 0) text_form(answer, "\"transactionId\":\"t-%08zu\",", order->number);
    text_form(answer, "\"bookingDate\":\"%s\",\"transactionAmount\":{\"amount\":\"", order->day);
    text_ore(answer, is_debit ? -order->amount : order->amount);
    text_put(answer, "\",\"currency\":\"NOK\"},\"creditor\":{\"name\":");
    text_json(answer, xs2a_str_of(order->creditor_name));
    text_put(answer, "}");
    if (order->remittance[0] != '\0') {
        text_put(answer, ",\"remittanceInformationUnstructured\":");
        text_json(answer, xs2a_str_of(order->remittance));
    }
    text_put(answer, "}");
}

// A whole number; 0 where there is none.
static size_t number(xs2a_str request, const char *pointer) {
    char digits[24];
    return json_copy(request, pointer, digits, sizeof digits) ? (size_t)strtoull(digits, NULL, 10) : 0;
}

static bool booked(ledger *ledger, xs2a_str request, text *answer) {
    const account *account = asked_account(request);
    char from[11] = "", to[11] = "";
    json_copy(request, "/dateFrom", from, sizeof from);
    bool has_end = json_copy(request, "/dateTo", to, sizeof to);
    size_t offset = number(request, "/offset"), limit = number(request, "/limit"), count = 0, total = 0;
    order *orders = NULL;
    if (account == NULL || !repeat(answer, request, "accountId")) return false;
    if (!ledger_orders(ledger, &orders, &count)) return false;
    text_put(answer, ",\"transactions\":[");
    // The newest first: what was booked last is at the end.
    for (size_t place = count; place-- > 0;) {
        const order *order = &orders[place];
        if (!is_on(order, account, false)) continue;
        if (strcmp(order->day, from) < 0 || (has_end && strcmp(order->day, to) > 0)) continue;
        if (total >= offset && total - offset < limit) {
            if (total > offset) text_put(answer, ",");
            show_order(answer, order, account);
        }
        total++;
    }
    text_form(answer, "],\"total\":%zu}", total);
    free(orders);
    return true;
}

static bool pending(ledger *ledger, xs2a_str request, text *answer) {
    const account *account = asked_account(request);
    bool is_first = true;
    size_t count = 0;
    order *orders = NULL;
    if (account == NULL || !repeat(answer, request, "accountId")) return false;
    if (!ledger_orders(ledger, &orders, &count)) return false;
    text_put(answer, ",\"transactions\":[");
    for (size_t place = count; place-- > 0;) {
        if (!is_on(&orders[place], account, true)) continue;
        if (!is_first) text_put(answer, ",");
        is_first = false;
        show_order(answer, &orders[place], account);
    }
    text_put(answer, "]}");
    free(orders);
    return true;
}

// The members of the list's entry, behind the account's.
static bool show_alone(text *answer, xs2a_str request, const order *order, const account *account) {
    text entry = {0};
    show_order(&entry, order, account);
    bool is_shown = !entry.failed && repeat(answer, request, "accountId");
    text_put(answer, ",");
    if (is_shown) text_add(answer, entry.data + 1, entry.len - 1);
    text_free(&entry);
    return is_shown;
}

static bool transaction(ledger *ledger, xs2a_str request, text *answer) {
    const account *account = asked_account(request);
    char id[65], other[65];
    order *orders = NULL;
    size_t count = 0;
    if (account == NULL || !json_copy(request, "/transactionId", id, sizeof id)) return false;
    if (!ledger_orders(ledger, &orders, &count)) return false;
    const order *found = NULL;
    for (size_t place = 0; found == NULL && place < count; place++) {
        snprintf(other, sizeof other, "t-%08zu", orders[place].number);
        if (strcmp(id, other) == 0 && is_on(&orders[place], account, false)) found = &orders[place];
    }
    if (found == NULL) text_put(answer, "null");
    bool is_answered = found == NULL || show_alone(answer, request, found, account);
    free(orders);
    return is_answered;
}

// No cards either.
static bool card_accounts(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    bool is_asked = repeat(answer, request, "psu");
    text_put(answer, ",\"cardAccounts\":[]}");
    return is_asked;
}

// ---------------------------------------------------------------- payments

static bool debtor_account(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    char bban[35];
    const account *found = NULL;
    if (json_copy(request, "/account/bban", bban, sizeof bban)) found = account_with_bban(bban);
    if (found == NULL || !is_of_asker(request, found)) {
        text_put(answer, "null");
        return true;
    }
    bool is_asked = repeat(answer, request, "account");
    text_put(answer, ",\"currency\":\"NOK\"}");
    return is_asked;
}

static bool fee(ledger *ledger, xs2a_str request, text *answer) {
    (void)ledger;
    (void)request;
    text_put(answer, "{\"fee\":{\"amount\":\"0.00\",\"currency\":\"NOK\"}}");
    return true;
}

static bool read_payment(xs2a_str request, order *order) {
    char amount[32];
    bool is_read = json_copy(request, "/paymentId", order->payment_id, sizeof order->payment_id)
        && json_copy(request, "/order/debtorAccount/bban", order->debtor, sizeof order->debtor)
        && json_copy(request, "/order/creditorName", order->creditor_name, sizeof order->creditor_name)
        && (json_copy(request, "/order/creditorAccount/bban", order->creditor, sizeof order->creditor)
            || json_copy(request, "/order/creditorAccount/iban", order->creditor, sizeof order->creditor))
        && json_copy(request, "/order/instructedAmount/amount", amount, sizeof amount);
    if (!json_copy(request, "/order/remittanceInformationUnstructured", order->remittance, sizeof order->remittance)) {
        json_copy(request, "/order/remittanceInformationStructured/reference", order->remittance,
                  sizeof order->remittance);
    }
    order->amount = is_read ? ore_of(amount) : -1;
    return order->amount >= 0;
}

// Single payments in NOK are carried out: instant ones at once, others by the batch of their day. Others are rejected.
static bool submit_payment(ledger *ledger, xs2a_str request, text *answer) {
    order order = {0};
    char product[96], now[40], status[5];
    if (!json_copy(request, "/product", product, sizeof product) || !json_copy(request, "/now", now, sizeof now)) {
        return false;
    }
    core_day(now, order.day);
    json_copy(request, "/order/requestedExecutionDate", order.day, sizeof order.day);
    if (order.day[0] == '\0') core_day(now, order.day);
    bool is_single = strncmp(product, "payments/", 9) == 0 && read_payment(request, &order);
    bool is_instant = strstr(product, "/instant-") != NULL;
    if (!is_single) strcpy(status, "RJCT");
    else if (!ledger_take(ledger, &order, is_instant ? AT_ONCE : BY_BATCH, status)) return false;
    bool is_asked = repeat(answer, request, "paymentId");
    text_form(answer, ",\"transactionStatus\":\"%s\"", status);
    if (strcmp(status, "ACSC") == 0) text_put(answer, ",\"fundsAvailable\":true");
    text_put(answer, "}");
    return is_asked;
}

static bool cancel_payment(ledger *ledger, xs2a_str request, text *answer) {
    char id[65], now[40], day[11], status[5];
    if (!json_copy(request, "/paymentId", id, sizeof id) || !json_copy(request, "/now", now, sizeof now)) return false;
    core_day(now, day);
    if (!ledger_cancel(ledger, id, day, status)) return false;
    bool is_asked = repeat(answer, request, "paymentId");
    if (strcmp(status, "CANC") == 0) text_put(answer, ",\"cancelled\":true}");
    else text_form(answer, ",\"cancelled\":false,\"transactionStatus\":\"%s\"}", status);
    return is_asked;
}

// The other questions are about cards, which the toy bank does not have: the engine does not ask them.
static const struct {
    const char *method;
    question answer;
} questions[] = {
    {"psu", psu}, {"agreements", agreements},
    {"accounts", list_accounts}, {"account", one_account}, {"balances", balances},
    {"booked", booked}, {"pending", pending}, {"transaction", transaction},
    {"card_accounts", card_accounts}, {"card_account", answer_null},
    {"debtor_account", debtor_account}, {"kid_agreement", answer_null}, {"fee", fee}, {"rate", answer_null},
    {"requires_sca", answer_null}, {"submit_payment", submit_payment}, {"cancel_payment", cancel_payment},
};

int32_t core_call(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer) {
    const core *core = user_data;
    question asked = NULL;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (str_is(method, questions[i].method)) asked = questions[i].answer;
    }
    text written = {0};
    bool is_answered = asked != NULL && asked(core->ledger, request, &written) && !written.failed;
    if (is_answered) {
        xs2a_slice json = {(const uint8_t *)written.data, written.len};
        is_answered = xs2a_writer_write(answer, json, NULL) == XS2A_OK;
    }
    // The engine logs it with the question, and with the ids of the call that asked.
    if (!is_answered) xs2a_writer_fail(answer, xs2a_str_of("the ledger has no answer"), NULL);
    text_free(&written);
    return is_answered ? 0 : 1;
}
