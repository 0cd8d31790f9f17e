#include "sca.h"

#include <string.h>

#include "ledger.h"
#include "log.h"

static const char *const HTML = "text/html; charset=utf-8";

static void page(reply *reply, unsigned status, const char *heading, const text *content) {
    reply->status = status;
    reply->content_type = HTML;
    text_put(&reply->body, "<!DOCTYPE html>\n<html lang=\"en\">\n<title>Toy bank</title>\n<h1>");
    text_put(&reply->body, heading);
    text_put(&reply->body, "</h1>\n");
    if (content != NULL) text_add(&reply->body, content->data, content->len);
    if (content != NULL && content->failed) reply->body.failed = true;
    text_put(&reply->body, "</html>\n");
}

// What is normal has a result of its own; for every other the database or the core is unavailable.
static void failed(reply *reply, xs2a_result result) {
    switch (result) {
    case XS2A_OK: // no authorisation
    case XS2A_NOT_FOUND:
    case XS2A_EXPIRED:
    case XS2A_NOT_UTF8:
        page(reply, 404, "This link is not valid, or not any more", NULL);
        break;
    default:
        page(reply, 503, "Please try again later", NULL);
    }
}

// `<li>250.00 NOK to Testine Test, account 95360573037</li>`: who approves must have seen amount and payee.
static void show_payment(text *content, xs2a_str payment) {
    const char *const members[] = {
        "/instructedAmount/amount", "/instructedAmount/currency", "/creditorName", "/creditorAccount/bban",
        "/creditorAccount/iban",
    };
    const char *const before[] = {"", " ", " to ", ", account ", ", account "};
    text_put(content, "<li>");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        xs2a_text *member = json_member(payment, members[i]);
        if (member == NULL) continue;
        text_put(content, before[i]);
        text_html(content, xs2a_text_str(member));
        xs2a_text_free(member);
    }
    text_put(content, "</li>\n");
}

// Every payment of the orders; a bulk is a list of payments.
static void show_orders(text *content, xs2a_str orders) {
    xs2a_str order, payment;
    for (size_t at = 0; json_next(orders, &at, &order);) {
        xs2a_text *payments = json_member(order, "/payments");
        if (payments == NULL) show_payment(content, order);
        for (size_t i = 0; json_next(xs2a_text_str(payments), &i, &payment);) show_payment(content, payment);
        xs2a_text_free(payments);
    }
}

static void show(const xs2a_engine *engine, xs2a_str id, reply *reply) {
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    xs2a_result result = xs2a_engine_authorisation(engine, id, &found, &error);
    if (result != XS2A_OK) log_error("error", "gateway::sca", "an authorisation cannot be read", &error);
    if (found == NULL) {
        failed(reply, result);
        return;
    }
    xs2a_str authorisation = xs2a_text_str(found);
    text content = {0};
    text_put(&content, "<p>This page has no login. It is in the place of the bank's own site.</p>\n<p>");
    const char *const shown[] = {"/tpp", "/kind"};
    for (size_t i = 0; i < 2; i++) {
        xs2a_text *member = json_member(authorisation, shown[i]);
        text_html(&content, xs2a_text_str(member));
        text_put(&content, i == 0 ? " asks for: " : "</p>\n<ul>\n");
        xs2a_text_free(member);
    }
    xs2a_text *orders = json_member(authorisation, "/orders");
    show_orders(&content, xs2a_text_str(orders));
    xs2a_text_free(orders);
    text_put(&content, "</ul>\n<form method=\"post\">\n<p><label>I am <select name=\"person\">\n");
    for (size_t i = 0; i < sizeof customers / sizeof *customers; i++) {
        text_form(&content, "<option value=\"%s\">%s</option>\n", customers[i].person, customers[i].name);
    }
    text_put(&content, "</select></label></p>\n<p><button name=\"outcome\" value=\"approved\">Approve</button>\n"
                       "<button name=\"outcome\" value=\"aborted\">Cancel</button></p>\n</form>\n");
    page(reply, 200, "Approve at the toy bank", &content);
    text_free(&content);
    xs2a_text_free(found);
}

// A field of the form. Names and values of this page hold nothing that is encoded.
static bool field(xs2a_slice form, const char *name, char *into, size_t size) {
    const char *data = (const char *)form.data;
    size_t name_len = strlen(name);
    for (size_t start = 0; start < form.len;) {
        const char *found = memchr(data + start, '&', form.len - start);
        size_t len = found == NULL ? form.len - start : (size_t)(found - (data + start));
        if (len > name_len && memcmp(data + start, name, name_len) == 0 && data[start + name_len] == '=') {
            size_t value_len = len - name_len - 1;
            if (value_len >= size) return false;
            memcpy(into, data + start + name_len + 1, value_len);
            into[value_len] = '\0';
            return true;
        }
        start += len + 1;
    }
    return false;
}

static const char *customer_named(xs2a_slice form) {
    char person[32];
    if (!field(form, "person", person, sizeof person)) return NULL;
    for (size_t i = 0; i < sizeof customers / sizeof *customers; i++) {
        if (strcmp(customers[i].person, person) == 0) return customers[i].person;
    }
    return NULL;
}

static bool complete(const xs2a_engine *engine, const xs2a_request *request, xs2a_str id, reply *reply) {
    char outcome[16];
    const char *person = customer_named(request->body);
    bool is_whole = field(request->body, "outcome", outcome, sizeof outcome) && person != NULL;
    if (!is_whole || (strcmp(outcome, "approved") != 0 && strcmp(outcome, "aborted") != 0)) {
        page(reply, 400, "This is not what the page sends", NULL);
        return false;
    }
    text json = {0};
    if (strcmp(outcome, "aborted") == 0) text_put(&json, "{\"outcome\":\"aborted\"}");
    else text_form(&json, "{\"outcome\":\"approved\",\"psu\":{\"person\":\"%s\",\"context\":\"PRIVATE\"}}", person);
    xs2a_text *back = NULL;
    xs2a_error *error = NULL;
    xs2a_result result = xs2a_engine_complete_sca(engine, id, text_str(&json), &back, &error);
    text_free(&json);
    if (result == XS2A_OK) {
        xs2a_str url = xs2a_text_str(back);
        reply->status = 303;
        reply->content_type = HTML;
        text_add(&reply->location, url.data, url.len);
        xs2a_text_free(back);
        return true;
    }
    log_error("error", "gateway::sca", "an authorisation cannot be completed", &error);
    failed(reply, result);
    return false;
}

bool sca_answer(const xs2a_engine *engine, const xs2a_request *request, xs2a_str id, reply *reply) {
    if (str_is(request->method, "GET")) show(engine, id, reply);
    else if (str_is(request->method, "POST")) return complete(engine, request, id, reply);
    else page(reply, 405, "GET or POST", NULL);
    return false;
}
