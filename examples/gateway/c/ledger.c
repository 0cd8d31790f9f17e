#include "ledger.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

const customer customers[2] = {{"kari", "13039319955", "Kari Nordmann"}, {"ola", "12085592767", "Ola Nordmann"}};

const account accounts[4] = {
    {"kari", "jJ5uX1qk7Vb3nQ2r", "95360573002", "Brukskonto", 100000},
    {"kari", "p0Zt8sWm4Hc6yL9d", "95360573010", "Sparekonto", 500000},
    {"ola", "aE2gK7fT5xNq1RvB", "95360573037", "Brukskonto", 20000},
    {"ola", "wU6iS3oM9jYh8CzD", "95360573045", "Sparekonto", 0},
};

struct ledger {
    pthread_mutex_t lock;
    int journal;                // locked: these books are one process's
    off_t length;               // of what is whole in it
    bool is_broken;             // a line that is not whole could not be taken back
    order *orders;
    size_t count, capacity;
    unsigned order_seconds;
};

const customer *customer_with_identity(const char *identity) {
    for (size_t i = 0; i < sizeof customers / sizeof *customers; i++) {
        if (strcmp(customers[i].identity, identity) == 0) return &customers[i];
    }
    return NULL;
}

const account *account_with_bban(const char *bban) {
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        if (strcmp(accounts[i].bban, bban) == 0) return &accounts[i];
    }
    return NULL;
}

const account *account_with_id(const char *id) {
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        if (strcmp(accounts[i].id, id) == 0) return &accounts[i];
    }
    return NULL;
}

int64_t ore_of(const char *amount) {
    int64_t ore = 0;
    size_t digits = strspn(amount, "0123456789");
    if (digits == 0 || digits > 13 || amount[digits] != '.' || strlen(amount) != digits + 3) return -1;
    for (const char *c = amount; *c != '\0'; c++) {
        if (*c == '.') continue;
        if (!isdigit((unsigned char)*c)) return -1;
        ore = ore * 10 + (*c - '0');
    }
    return ore;
}

void text_ore(text *text, int64_t ore) {
    uint64_t size = ore < 0 ? 0 - (uint64_t)ore : (uint64_t)ore;
    text_form(text, "%s%" PRIu64 ".%02" PRIu64, ore < 0 ? "-" : "", size / 100, size % 100);
}

static order *find(ledger *ledger, const char *payment_id) {
    for (size_t i = 0; i < ledger->count; i++) {
        if (strcmp(ledger->orders[i].payment_id, payment_id) == 0) return &ledger->orders[i];
    }
    return NULL;
}

static int64_t balance(const ledger *ledger, const account *account) {
    int64_t sum = account->opening;
    for (size_t i = 0; i < ledger->count; i++) {
        const order *order = &ledger->orders[i];
        if (strcmp(order->status, "ACSC") != 0) continue;
        if (strcmp(order->debtor, account->bban) == 0) sum -= order->amount;
        if (strcmp(order->creditor, account->bban) == 0) sum += order->amount;
    }
    return sum;
}

// ---------------------------------------------------------------- the journal

// Whether one more order fits.
static bool has_capacity(ledger *ledger) {
    if (ledger->count < ledger->capacity) return true;
    size_t capacity = ledger->capacity * 2 + 16;
    order *orders = realloc(ledger->orders, capacity * sizeof *orders);
    if (orders == NULL) return false;
    ledger->orders = orders;
    ledger->capacity = capacity;
    return true;
}

// An order in its present state: a line of the journal. The last line of a payment id counts.
static void write_order(text *line, const order *order) {
    text_form(line, "{\"paymentId\":\"%s\",\"status\":\"%s\",\"day\":\"%s\"", order->payment_id, order->status,
              order->day);
    text_form(line, ",\"debtor\":\"%s\",\"creditor\":\"%s\",\"amount\":\"", order->debtor, order->creditor);
    text_ore(line, order->amount);
    text_put(line, "\",\"creditorName\":");
    text_json(line, xs2a_str_of(order->creditor_name));
    text_put(line, ",\"remittance\":");
    text_json(line, xs2a_str_of(order->remittance));
    text_put(line, "}\n");
}

static bool read_order(xs2a_str line, order *order) {
    char amount[32];
    memset(order, 0, sizeof *order);
    bool is_whole = json_copy(line, "/paymentId", order->payment_id, sizeof order->payment_id)
        && json_copy(line, "/status", order->status, sizeof order->status)
        && json_copy(line, "/day", order->day, sizeof order->day)
        && json_copy(line, "/debtor", order->debtor, sizeof order->debtor)
        && json_copy(line, "/creditor", order->creditor, sizeof order->creditor)
        && json_copy(line, "/amount", amount, sizeof amount)
        && json_copy(line, "/creditorName", order->creditor_name, sizeof order->creditor_name)
        && json_copy(line, "/remittance", order->remittance, sizeof order->remittance);
    order->amount = is_whole ? ore_of(amount) : -1;
    return order->amount >= 0;
}

// Moves an order to the end, or adds it there. The caller has checked that it fits.
static void put_last(ledger *ledger, order *before, order now) {
    now.number = before == NULL ? ledger->count : before->number;
    if (before != NULL) {
        size_t behind = (size_t)(ledger->orders + ledger->count - before) - 1;
        memmove(before, before + 1, behind * sizeof *before);
        ledger->count--;
    }
    ledger->orders[ledger->count++] = now;
}

// On the disk first, then in memory: what the engine was answered is never forgotten.
static bool keep(ledger *ledger, const order *changed) {
    order *before = find(ledger, changed->payment_id);
    if (ledger->is_broken || (before == NULL && !has_capacity(ledger))) return false;
    text line = {0};
    write_order(&line, changed);
    bool is_written = !line.failed;
    for (size_t done = 0; is_written && done < line.len;) {
        ssize_t count = write(ledger->journal, line.data + done, line.len - done);
        if (count > 0) done += (size_t)count;
        else if (count == 0 || errno != EINTR) is_written = false;
    }
    if (is_written && fdatasync(ledger->journal) != 0) is_written = false;
    if (!is_written) {
        log_line("error", "core", "the journal cannot be written: %s", strerror(errno));
        ledger->is_broken = ftruncate(ledger->journal, ledger->length) != 0;
        text_free(&line);
        return false;
    }
    ledger->length += (off_t)line.len;
    text_free(&line);
    put_last(ledger, before, *changed);
    return true;
}

static bool read_journal(ledger *ledger, const char *path) {
    struct stat found;
    if (fstat(ledger->journal, &found) != 0 || found.st_size < 0) return false;
    size_t size = (size_t)found.st_size, done = 0;
    char *whole = malloc(size + 1);
    if (whole == NULL) return false;
    while (done < size) {
        ssize_t count = pread(ledger->journal, whole + done, size - done, (off_t)done);
        if (count > 0) done += (size_t)count;
        else if (count == 0 || errno != EINTR) break;
    }
    size_t start = 0;
    bool is_read = done == size;
    for (char *end; is_read && (end = memchr(whole + start, '\n', size - start)) != NULL;) {
        order read;
        size_t length = (size_t)(end - (whole + start));
        is_read = read_order((xs2a_str){whole + start, length}, &read);
        order *before = is_read ? find(ledger, read.payment_id) : NULL;
        is_read = is_read && (before != NULL || has_capacity(ledger));
        if (is_read) put_last(ledger, before, read);
        start += length + 1;
    }
    free(whole);
    // Bytes after the last whole line were being written when the process died: no caller had an answer about them.
    if (is_read && start < size) is_read = ftruncate(ledger->journal, (off_t)start) == 0;
    if (!is_read) log_line("error", "core", "%s is no journal that can be read", path);
    ledger->length = (off_t)start;
    return is_read;
}

ledger *ledger_open(const char *path, unsigned order_seconds) {
    ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL) return NULL;
    pthread_mutex_init(&ledger->lock, NULL);
    ledger->order_seconds = order_seconds;
    ledger->journal = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (ledger->journal < 0 || flock(ledger->journal, LOCK_EX | LOCK_NB) != 0) {
        log_line("error", "core", "%s cannot be opened by this process alone: %s", path, strerror(errno));
        ledger_close(ledger);
        return NULL;
    }
    if (!read_journal(ledger, path)) {
        ledger_close(ledger);
        return NULL;
    }
    return ledger;
}

void ledger_close(ledger *ledger) {
    if (ledger == NULL) return;
    if (ledger->journal >= 0) close(ledger->journal);
    pthread_mutex_destroy(&ledger->lock);
    free(ledger->orders);
    free(ledger);
}

// ---------------------------------------------------------------- orders and cancellations

// Whether the money is there, and goes somewhere else.
static const char *settled(const ledger *ledger, const order *order) {
    const account *debtor = account_with_bban(order->debtor);
    bool can_be = debtor != NULL && order->amount > 0 && strcmp(order->debtor, order->creditor) != 0
        && balance(ledger, debtor) >= order->amount;
    return can_be ? "ACSC" : "RJCT";
}

bool ledger_take(ledger *ledger, const order *given, settling when, char *status) {
    pthread_mutex_lock(&ledger->lock);
    const order *before = find(ledger, given->payment_id);
    bool is_kept = before != NULL;
    order taken = is_kept ? *before : *given;
    if (!is_kept) {
        strcpy(taken.status, when == BY_BATCH ? "PDNG" : settled(ledger, given));
        is_kept = keep(ledger, &taken);
    }
    strcpy(status, taken.status);
    pthread_mutex_unlock(&ledger->lock);
    sleep(ledger->order_seconds);
    return is_kept;
}

bool ledger_cancel(ledger *ledger, const char *payment_id, const char *day, char *status) {
    pthread_mutex_lock(&ledger->lock);
    const order *before = find(ledger, payment_id);
    order changed = {0};
    if (before != NULL) changed = *before;
    bool is_kept = before != NULL && strcmp(before->status, "PDNG") != 0;
    if (!is_kept) {
        if (before == NULL) {
            strncpy(changed.payment_id, payment_id, sizeof changed.payment_id - 1);
            strncpy(changed.day, day, sizeof changed.day - 1);
        }
        strcpy(changed.status, "CANC");
        is_kept = keep(ledger, &changed);
    }
    strcpy(status, changed.status);
    pthread_mutex_unlock(&ledger->lock);
    return is_kept;
}

bool ledger_run_batch(ledger *ledger, const char *day) {
    bool is_kept = true;
    pthread_mutex_lock(&ledger->lock);
    // What is booked goes to the end, so that the next to look at is at the same place.
    for (size_t i = 0; is_kept && i < ledger->count;) {
        order booked = ledger->orders[i];
        if (strcmp(booked.status, "PDNG") != 0 || strcmp(booked.day, day) > 0) {
            i++;
            continue;
        }
        strcpy(booked.status, settled(ledger, &booked));
        strncpy(booked.day, day, sizeof booked.day - 1);
        is_kept = keep(ledger, &booked);
    }
    pthread_mutex_unlock(&ledger->lock);
    return is_kept;
}

int64_t ledger_balance(ledger *ledger, const account *account) {
    pthread_mutex_lock(&ledger->lock);
    int64_t sum = balance(ledger, account);
    pthread_mutex_unlock(&ledger->lock);
    return sum;
}

bool ledger_orders(ledger *ledger, order **orders, size_t *count) {
    pthread_mutex_lock(&ledger->lock);
    *count = ledger->count;
    *orders = malloc((ledger->count + 1) * sizeof **orders);
    if (*orders != NULL && ledger->count > 0) memcpy(*orders, ledger->orders, ledger->count * sizeof **orders);
    pthread_mutex_unlock(&ledger->lock);
    return *orders != NULL;
}
