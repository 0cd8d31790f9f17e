// libxs2a_sandbox: everything of libxs2a (xs2a.h), and a simulated bank with a test PKI, for tests and for development.
// Generated from ffi/sandbox/src by `cargo test -p xs2a-ffi`: not to be edited.
//
// In a program it takes the place of libxs2a: link or load this library alone. The contract of every function is that
// of xs2a.h.


#ifndef XS2A_SANDBOX_H
#define XS2A_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "xs2a.h"

// The structs of Arrow's C data interface and C stream interface, as Arrow's specification has them.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

// A list of header fields. Owned by the caller: free it with xs2a_headers_free().
typedef struct xs2a_headers xs2a_headers;

// An engine over the simulated bank with a manual clock and a test PKI. Owned by the caller: free it with
// xs2a_sandbox_free(). Any function except that one may be called from any thread at the same time.
typedef struct xs2a_sandbox xs2a_sandbox;

// A TPP with certificate and key from the test PKI. It signs by the clock of its sandbox and may outlive it.
// Owned by the caller: free it with xs2a_tpp_free().
typedef struct xs2a_tpp xs2a_tpp;

// How to open a sandbox. Fill it with zeros, then set `size` and the members you need.
typedef struct {
  // sizeof(xs2a_sandbox_options).
  size_t size;
  // Path of an SQLite file. Absent: in memory.
  xs2a_str database;
  // Where the clock starts, by RFC 3339. Absent: the present, or the stored time of the file's clock.
  xs2a_str now;
  // The source of ids and serial numbers of certificates: the same seed, `now` and calls give the same bytes.
  // The root and the key pairs of the test PKI are the same with every seed.
  uint64_t seed;
  // What precedes `/v1/` in request paths, such as `/api-sandbox`.
  xs2a_str base_path;
  // The policy as a JSON object. Absent: the defaults.
  xs2a_str policy;
} xs2a_sandbox_options;

// How a journal is written. Fill it with zeros, then set `size`, `form` and the members you need.
typedef struct {
  // sizeof(xs2a_journal_options).
  size_t size;
  // `text`: a line or two for each entry. `har`: an HTTP Archive 1.2. `curl`: a shell script. `pytest`: a test for
  // pytest that repeats every step.
  xs2a_str form;
  // Scheme and host that HAR and curl address. Absent: those of the links to the SCA site.
  xs2a_str origin;
  // The number of newest entries to write; 0: all. A pytest file always has all.
  size_t last;
  // 1 where identity numbers are shown as they are; 0 where they are masked. A pytest file is never masked.
  uint8_t unmasked;
} xs2a_journal_options;

// What the PSU does at the bank's site. Fill it with zeros, then set `size` and the PSU's entries. All zero means
// that the PSU cancels.
typedef struct {
  // sizeof(xs2a_sca_answer).
  size_t size;
  // The number the PSU enters, such as `13039319955`.
  xs2a_str customer_number;
  // `PRIVATE` or `CORPORATE`; absent: `PRIVATE`.
  xs2a_str context;
  // Id or name of the agreement, for `CORPORATE`.
  xs2a_str agreement;
  // The accounts the PSU picks: bban, iban or masked PAN each. NULL: all that are offered. A PSU without an account
  // then gives a consent to no account, although the bank's page only offers to cancel.
  const xs2a_str *accounts;
  // How many accounts.
  size_t account_count;
  // 1 where the PSU approves, 0 where the PSU cancels.
  uint8_t approve;
} xs2a_sca_answer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// How many fields the list has; 0 where `headers` is NULL.
size_t xs2a_headers_count(const xs2a_headers *headers);

// The list as an array of xs2a_headers_count() fields: what xs2a_request.headers takes. Lives as long as
// `headers`; NULL where it is empty or NULL.
const xs2a_header *xs2a_headers_data(const xs2a_headers *headers);

// The field at `index`, counted from 0. Lives as long as `headers`; both parts are empty where there is none.
xs2a_header xs2a_headers_get(const xs2a_headers *headers, size_t index);

// The value of the first field of that name, in any letter case. Lives as long as `headers`; NULL with length 0 where
// there is none.
xs2a_str xs2a_headers_value(const xs2a_headers *headers,
                            xs2a_str name);

// Frees a list of header fields. NULL is fine.
void xs2a_headers_free(xs2a_headers *headers);

// Opens a sandbox. The default data set is loaded where the database is new.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG, XS2A_STORE,
// XS2A_MISUSE (now lies before the clock of the file, or outside of the years 1 to 9999; libxs2a is loaded too).
xs2a_result xs2a_sandbox_new(const xs2a_sandbox_options *options,
                             xs2a_sandbox **out,
                             xs2a_error **error);

// Closes a sandbox and its engine, after the engine has written evidence of reads that waits; that this fails is
// logged. Every pointer from xs2a_sandbox_engine() becomes invalid. NULL does nothing.
void xs2a_sandbox_free(xs2a_sandbox *sandbox);

// The engine of the sandbox, borrowed: it is valid as long as `sandbox`; do not free it. NULL if `sandbox` is NULL.
// Report the status of a payment with xs2a_sandbox_report_payment_status(): the simulated bank does not receive what
// is reported to the engine.
const xs2a_engine *xs2a_sandbox_engine(const xs2a_sandbox *sandbox);

// Gives the complete answer to one request, and to a browser that of the SCA site. An instant payment that the bank
// exempts from its SCA is settled when this returns.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_sandbox_handle(const xs2a_sandbox *sandbox,
                                const xs2a_request *request,
                                xs2a_response **out,
                                xs2a_error **error);

// The same for one HTTP/1.1 request as bytes, as xs2a_engine_handle_http(). A message that is no request is not in the
// journal.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_sandbox_handle_http(const xs2a_sandbox *sandbox,
                                     xs2a_slice message,
                                     xs2a_bytes **out,
                                     xs2a_error **error);

// Reports the status that a payment reached outside of this interface, such as `CANC` for one that the PSU cancelled
// in the bank's app. A payment that is reported cancelled or rejected is not carried out. One that is reported settled
// (ACSC) is booked at once, before its batch. For a bulk in PART and for a periodic payment only the status changes. A
// bulk that is reported PART is not carried out any more: its entries were paid elsewhere.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_MISUSE (no such payment; a status
// that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is yet to be booked), XS2A_STORE.
xs2a_result xs2a_sandbox_report_payment_status(const xs2a_sandbox *sandbox,
                                               xs2a_str payment_id,
                                               xs2a_str status,
                                               int8_t funds_available,
                                               xs2a_error **error);

// Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch settles it until
// it is released, rejected or cancelled. `why` may be empty.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such payment; one that is not authorised, or settled; a
// `why` of more than 400 characters), XS2A_STORE.
xs2a_result xs2a_sandbox_hold(const xs2a_sandbox *sandbox,
                              xs2a_str payment_id,
                              xs2a_str why,
                              xs2a_error **error);

// Releases a payment that is on hold. If its day came before, it is settled in the next batch.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such payment, or not on hold), XS2A_STORE.
xs2a_result xs2a_sandbox_release(const xs2a_sandbox *sandbox, xs2a_str payment_id, xs2a_error **error);

// The whole state as bytes: for xs2a_sandbox_restore().
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_snapshot(const xs2a_sandbox *sandbox, xs2a_bytes **out, xs2a_error **error);

// Restores a snapshot, the clock included.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a whole snapshot of this version), XS2A_STORE.
xs2a_result xs2a_sandbox_restore(const xs2a_sandbox *sandbox, xs2a_slice image, xs2a_error **error);

// A second sandbox in memory with the state of this one; later changes of one do not affect the other.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_fork(const xs2a_sandbox *sandbox, xs2a_sandbox **out, xs2a_error **error);

// Restores the default data set: deletes customers, accounts, payments and authorisations; keeps registered TPPs,
// trust anchors and the clock.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_initialize(const xs2a_sandbox *sandbox,
                                    xs2a_error **error);

// Gives a card account another status: enabled, blocked or deleted, which is final. The id is the resourceId of
// the sandbox's own routes.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (unknown card account or status, or one that is
// deleted already), XS2A_STORE.
xs2a_result xs2a_sandbox_set_card_status(const xs2a_sandbox *sandbox,
                                         xs2a_str card_account_id,
                                         xs2a_str status,
                                         xs2a_error **error);

// The default data set as JSON: customers, accounts, the creditor with a KID agreement, the person engaged in
// both corporations.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_default_data(const xs2a_sandbox *sandbox, xs2a_text **out, xs2a_error **error);

// Adds generated customers with accounts, agreements and a history of bookings until yesterday; the same seed, clock
// and earlier calls give the same customers. The plan is a JSON object: `{"persons":100,"companies":4,"months":12}`;
// these are the defaults of absent members. With `"lives_on":true` the lives go on when the clock moves: at each
// midnight in Oslo the bank books the day that ended. With `"cases":10` there are ten cases of fraud or money
// laundering for a thousand persons, rounded up, and payments that look like cases come with them; 1000 at most. With
// `"events":true` persons change jobs, move, have children, retire and die.
// Their numbers belong to no real person: docs/guide/data.md describes how they are marked.
//
// Gives JSON: `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`, with
// customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the balances after the
// history; `from` is null without one.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such plan, one beyond the limits, `cases` together
// with `lives_on`, a history that begins before the year 1, or no numbers left), XS2A_STORE. On a failure nothing is
// changed.
xs2a_result xs2a_sandbox_populate(const xs2a_sandbox *sandbox,
                                  xs2a_str plan,
                                  xs2a_text **out,
                                  xs2a_error **error);

// The ledger of one account, by bban or iban, as JSON: `{"account":{…},"balance":{…},"bookings":[…]}`, the
// newest booking first, amounts as exact signed strings.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such account), XS2A_STORE.
xs2a_result xs2a_sandbox_ledger(const xs2a_sandbox *sandbox,
                                xs2a_str account,
                                xs2a_text **out,
                                xs2a_error **error);

// The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with the answers
// of a sandbox whose policy has `sign_responses`. NULL with length 0 where `sandbox` is NULL. Lives as long as the
// library.
xs2a_str xs2a_sandbox_root_pem(const xs2a_sandbox *sandbox);

// The time of the sandbox's clock, by RFC 3339 in UTC.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_now(const xs2a_sandbox *sandbox, xs2a_text **out, xs2a_error **error);

// Sets the clock to a time by RFC 3339; every event of the bank up to that time takes place. The clock never goes
// back.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (no time), XS2A_MISUSE (earlier than now,
// or after the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_set_now(const xs2a_sandbox *sandbox,
                                 xs2a_str time,
                                 xs2a_error **error);

// Moves the clock forward by `seconds`; every event of the bank up to that time takes place.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (negative, or beyond the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_advance(const xs2a_sandbox *sandbox, int64_t seconds, xs2a_error **error);

// Moves the clock to the time of the bank's next event, which then takes place. Gives that time by
// RFC 3339; NULL if no event waits: the clock then does not move.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (beyond the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_advance_to_next_event(const xs2a_sandbox *sandbox,
                                               xs2a_text **out,
                                               xs2a_error **error);

// The calls and control steps of the sandbox since it was opened or forked, as text: the newest 10,000 entries, at
// most 16 MiB of them. It has the calls by xs2a_sandbox_handle(), not those by xs2a_engine_handle().
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (form), XS2A_CONFIG (origin),
// XS2A_MISUSE (a pytest file that cannot repeat the steps: the database file existed before, entries were dropped, a
// fault was added before the fork, or a snapshot or an exported state was read), XS2A_STORE.
xs2a_result xs2a_sandbox_journal(const xs2a_sandbox *sandbox,
                                 const xs2a_journal_options *options,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Empties the journal.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_clear_journal(const xs2a_sandbox *sandbox, xs2a_error **error);

// Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`, `reasons`,
// `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row of the table, and `unrouted`
// `{"calls","statuses"}`. `family`: 0 for what this sandbox saw, 1 for what it saw with the one it was forked from
// and all other forks of that.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_coverage(const xs2a_sandbox *sandbox,
                                  uint8_t family,
                                  xs2a_text **out,
                                  xs2a_error **error);

// Adds up two coverages, such as those of two processes.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no coverage of this version).
xs2a_result xs2a_coverage_merge(xs2a_str one, xs2a_str other, xs2a_text **out, xs2a_error **error);

// A coverage in words, a line for each kind. `untouched`: 1 to list below each what was not seen.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no coverage of this version).
xs2a_result xs2a_coverage_text(xs2a_str coverage, uint8_t untouched, xs2a_text **out, xs2a_error **error);

// Answers an scaRedirect link as the PSU would. Gives the URL to which the PSU returns. A failed SCA, such as one with
// an unknown customer number, is reported in that URL and is XS2A_OK.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (context), XS2A_MISUSE (a link
// that is unknown, used or too old; accounts or an agreement that are not offered), XS2A_BANK (an active fault
// makes the bank fail), XS2A_STORE.
xs2a_result xs2a_sandbox_authorise(const xs2a_sandbox *sandbox,
                                   xs2a_str sca_redirect,
                                   const xs2a_sca_answer *answer,
                                   xs2a_text **out,
                                   xs2a_error **error);

// Revokes the consents of a private customer to a TPP, in every context. A repetition changes nothing. The TPP is
// not notified: its next call is answered CONSENT_UNKNOWN.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number; a TPP that
// is neither registered here nor known to the customer), XS2A_STORE.
xs2a_result xs2a_sandbox_revoke_consent(const xs2a_sandbox *sandbox,
                                        xs2a_str customer_number,
                                        xs2a_str organisation_id,
                                        xs2a_error **error);

// Sets the result of the bank's risk analysis for a private customer from now on. `demanded`: reading accounts is
// answered 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a payment with their
// PSU-ID is authorised without an SCA, and a TPP-Session-ID that was never seen reads accounts as a call without one
// does. `as_ruled`: neither; this is the initial value.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number, or an unknown demand),
// XS2A_STORE.
xs2a_result xs2a_sandbox_set_sca_demand(const xs2a_sandbox *sandbox,
                                        xs2a_str customer_number,
                                        xs2a_str demand,
                                        xs2a_error **error);

// The whole state as canonical JSON (RFC 8785): for xs2a_sandbox_import_json(), to read, to keep under version
// control, and to change by hand. Equal states are equal texts. Policies and base path are not in it.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_export_json(const xs2a_sandbox *sandbox,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Takes the state that an exported text holds, in any spelling of the same JSON. Invalid values are reported with
// their places (JSON Pointer), up to twenty at once; nothing is changed then. References between rows are checked if
// each row is valid by itself; sums and the keys of TPPs are checked last.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no exported sandbox of this version, or invalid
// values), XS2A_STORE.
xs2a_result xs2a_sandbox_import_json(const xs2a_sandbox *sandbox,
                                     xs2a_str json,
                                     xs2a_error **error);

// What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…: RCVD → ACSC"]`.
// An empty array: no difference. At most 1001 lines: beyond a thousand the last has the number of the others.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a whole snapshot of this version), XS2A_STORE.
xs2a_result xs2a_snapshot_diff(xs2a_slice before,
                               xs2a_slice after,
                               xs2a_text **out,
                               xs2a_error **error);

// Every policy with its present value, as a JSON object.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_policy(const xs2a_sandbox *sandbox, xs2a_text **out, xs2a_error **error);

// Changes the policies that a JSON object names, from the next call on; the others stay. Each call is answered
// under one set of policies. They are not part of a snapshot; a fork begins with the present ones.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (an unknown key or an invalid value; nothing is
// changed then).
xs2a_result xs2a_sandbox_set_policy(const xs2a_sandbox *sandbox,
                                    xs2a_str policy,
                                    xs2a_error **error);

// Accounts whose balance differs from the sum of their bookings, as a JSON array: normally empty. Each entry is
// `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_reconcile(const xs2a_sandbox *sandbox,
                                   xs2a_text **out,
                                   xs2a_error **error);

// A table of what the bank holds, such as `transactions`, as a stream of Arrow's C stream interface; docs/tables.md
// describes the tables and their columns. The stream reads some thousand rows at a time, each part in one state of the
// sandbox; rows that are added after the first part are left out.
//
// The caller owns the stream, and ends it by `out->release(out)`. It may outlive the sandbox: reading it then fails
// with a text in get_last_error(). One thread at a time may read it.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such table).
xs2a_result xs2a_sandbox_table(const xs2a_sandbox *sandbox,
                               xs2a_str name,
                               struct ArrowArrayStream *out,
                               xs2a_error **error);

// Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma between;
// the names of ETSI TS 119 495 (`PSP_AI`, …) are accepted too. An empty text gives no role: such a TPP is refused by
// each call that needs one.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such role, an empty name), XS2A_STORE.
xs2a_result xs2a_sandbox_register_tpp(const xs2a_sandbox *sandbox,
                                      xs2a_str name,
                                      xs2a_str roles,
                                      xs2a_tpp **out,
                                      xs2a_error **error);

// A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox, so a test
// can continue in a fork, after a restore, and in a file that is opened again.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such TPP), XS2A_STORE.
xs2a_result xs2a_sandbox_tpp(const xs2a_sandbox *sandbox,
                             xs2a_str organisation_id,
                             xs2a_tpp **out,
                             xs2a_error **error);

// Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another process with
// a sandbox on the same file reads them when it opens the file again.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (no usable certificate), XS2A_STORE.
xs2a_result xs2a_sandbox_trust(const xs2a_sandbox *sandbox,
                               xs2a_str pem,
                               xs2a_error **error);

// The name the TPP was registered with. Lives as long as `tpp`, as do the other texts of it.
xs2a_str xs2a_tpp_name(const xs2a_tpp *tpp);

// The authorisation number in the certificate (organizationIdentifier, 2.5.4.97).
xs2a_str xs2a_tpp_organisation_id(const xs2a_tpp *tpp);

// The certificate as PEM.
xs2a_str xs2a_tpp_certificate_pem(const xs2a_tpp *tpp);

// The private key as PEM (PKCS #8). A test key: never use it elsewhere.
xs2a_str xs2a_tpp_private_key_pem(const xs2a_tpp *tpp);

// The roles as registered, with a comma between: `AISP,PISP`.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_tpp_roles(const xs2a_tpp *tpp, xs2a_text **out, xs2a_error **error);

// Signs a request. Gives its header fields plus Date, X-Request-ID, Digest, TPP-Signature-Certificate and
// Signature if they are absent. Date is by the clock of its sandbox. X-Request-ID is derived from the sandbox's seed,
// so every program begins with the same ids: for another engine than this sandbox, pass your own Date and
// X-Request-ID.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8 (header values too), XS2A_MISUSE, XS2A_INTERNAL.
xs2a_result xs2a_tpp_sign(const xs2a_tpp *tpp,
                          const xs2a_request *request,
                          xs2a_headers **out,
                          xs2a_error **error);

// Frees a TPP; its registration stays. NULL is fine.
void xs2a_tpp_free(xs2a_tpp *tpp);

// Sets a fault, a JSON object with what goes wrong, and when. `kind`: `refusal` (the default) with `code` and, where
// a code has several, `status`; `bank_down`; `no_rate`; `slow` with `seconds`, by which the clock moves;
// `sca` with `outcome`: `aborted`, `expired`, or `failed` with a `code`; `submit_payment`: the bank does not take an
// authorised payment, which is delivered again. Conditions: `operation`, `tpp` (its organisation id), `product`,
// `target` (a part of it). How often: `nth`, `times`, `probability`. docs/guide/testing.md describes all. Gives the
// number of the fault. Faults are not part of a snapshot, and a fork begins without faults; `slow` needs
// xs2a_sandbox_handle().
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an invalid fault).
xs2a_result xs2a_sandbox_add_fault(const xs2a_sandbox *sandbox,
                                   xs2a_str json,
                                   uint64_t *out,
                                   xs2a_error **error);

// The active faults as a JSON array, the oldest first: each as it was written, with `id`, `seen` (how often its
// conditions were met) and `hits` (how often it struck).
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_faults(const xs2a_sandbox *sandbox,
                                xs2a_text **out,
                                xs2a_error **error);

// Removes a fault by its number.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (no such fault is set).
xs2a_result xs2a_sandbox_remove_fault(const xs2a_sandbox *sandbox, uint64_t id, xs2a_error **error);

// Removes every fault.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_clear_faults(const xs2a_sandbox *sandbox, xs2a_error **error);

// A signed request that the sandbox answers with a code of the contract, such as `KID_INVALID`, if it is the next
// request, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as text, and the
// answer to expect: `code`, `status`, `reason`. Prepares the sandbox for it: registers a TPP, may open accounts or
// order payments for customers, and for CONSENT_EXPIRED moves the clock by 180 days. Use a fork if the sandbox must
// not change.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such code; the default data set was
// changed), XS2A_BANK (an active fault makes the bank fail), XS2A_STORE.
xs2a_result xs2a_sandbox_provoke(const xs2a_sandbox *sandbox,
                                 xs2a_str code,
                                 xs2a_text **out,
                                 xs2a_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* XS2A_SANDBOX_H */
