// xs2a: an embeddable PSD2 access-to-account engine. Generated from ffi/src by `cargo test -p xs2a-ffi`; do not edit.
//
// The contract of every function:
//
// - Calls. A function that can fail returns an xs2a_result. It writes its output (`out`) only on XS2A_OK. On any
//   other result it writes, where `error` is not NULL, an xs2a_error that the caller frees; what `*error` held
//   before is neither read nor freed, so begin with NULL and free it after each failure. The results named with
//   a function are those to expect; XS2A_INTERNAL is possible everywhere, and XS2A_BAD_SIZE wherever a length goes in
//   that no memory has.
// - Answers. Whatever a TPP sent, the call succeeds and gives a response: a status of 400 or 500 is XS2A_OK.
// - Pointers. Each is NULL or points to what its type says, through the call; the struct behind a handle is not
//   to be looked into, and an xs2a_writer * is a number, no address. The library gives no pointer below 65536 but
//   NULL, for an empty text neither. NULL where something is required is XS2A_NULL_ARGUMENT; a function that cannot
//   fail gives nothing for it: 0, NULL, empty.
// - Handles. Who got one frees it, once, with its own function; freeing NULL is fine. `const` results are borrowed
//   and say how long they live.
// - Text. xs2a_str is UTF-8 and not NUL-terminated; xs2a_str_of() makes one of a literal.
// - Structs that begin with `size`. Fill them with zeros, set `size` to their sizeof, then what you want:
//       xs2a_request request = {0};  request.size = sizeof request;
//   Programs built with an older header keep working: what they do not know counts as zero.
// - Threads. Any function may be called from any thread at the same time, with the same handles; only freeing a
//   handle must come after the last use of it.
// - Processes. Open an engine, or a sandbox in a file, after fork(): in a process that was forked since, whatever needs
//   its file or its server fails with XS2A_STORE, and a request is answered 500; what lies in memory goes on. A process
//   that is to be forked frees what it opened before.
// - Callbacks run on the thread that called the library, on several at once. They may call the library, the handle that
//   asks included. No exception, longjmp or pthread_exit may leave one.
// - Stacks. A thread that calls the library needs 256 KiB of stack at least. That bears a call within a callback too;
//   each one deeper takes 32 KiB more.
// - Panics never cross: they become XS2A_INTERNAL, or nothing from a function that cannot fail.


#ifndef XS2A_H
#define XS2A_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Major version of the header.
#define XS2A_VERSION_MAJOR 0

// Minor version of the header.
#define XS2A_VERSION_MINOR 1

// Patch version of the header.
#define XS2A_VERSION_PATCH 0

// Version of the binary interface. It changes when a program built with an older header would no longer
// work with the library; compare it with xs2a_abi_version() where the library is loaded at run time.
#define XS2A_ABI_VERSION 1

// The outcome of a call. A number never changes its meaning and is never used again; a newer library may
// give numbers that are not listed here.
typedef enum {
  // Done; the outputs are written.
  XS2A_OK = 0,
  // The configuration cannot be used: a policy key, a trust anchor, a path.
  XS2A_CONFIG = 1,
  // The database cannot be reached, is of another version, or refused an operation.
  XS2A_STORE = 2,
  // The bank behind the engine failed or answered something it must not.
  XS2A_BANK = 3,
  // A call that should not have been made, such as authorising a link twice.
  XS2A_MISUSE = 4,
  // A bug of this library, a panic included. Please report it.
  XS2A_INTERNAL = 5,
  // A pointer that is required is NULL.
  XS2A_NULL_ARGUMENT = 6,
  // The size of a struct is none this library knows, or a length is beyond any memory.
  XS2A_BAD_SIZE = 7,
  // A text is not UTF-8.
  XS2A_NOT_UTF8 = 8,
  // An argument has not the form it must have: a time, a context, JSON.
  XS2A_BAD_ARGUMENT = 9,
  // The database was lost during a commit, and cannot say whether that is in: what was asked for may have
  // been done. Wherever XS2A_STORE may come this may come too, of PostgreSQL.
  XS2A_OUTCOME_UNKNOWN = 10,
} xs2a_result;

// Bytes the caller owns: free them with xs2a_bytes_free().
typedef struct xs2a_bytes xs2a_bytes;

// An engine. Any function may be called from any thread at the same time.
typedef struct xs2a_engine xs2a_engine;

// What went wrong. Owned by the caller: free it with xs2a_error_free().
typedef struct xs2a_error xs2a_error;

// A list of header fields. Owned by the caller: free it with xs2a_headers_free().
typedef struct xs2a_headers xs2a_headers;

// A complete answer, ready to be sent. Owned by the caller: free it with xs2a_response_free().
typedef struct xs2a_response xs2a_response;

// An engine over the simulated bank with a manual clock and a test PKI. Owned by the caller: free it with
// xs2a_sandbox_free(). Any function may be called from any thread at the same time, but for that one.
typedef struct xs2a_sandbox xs2a_sandbox;

// Text the caller owns: free it with xs2a_text_free().
typedef struct xs2a_text xs2a_text;

// A TPP with certificate and key from the test PKI. It signs by the clock of its sandbox and may outlive it.
// Owned by the caller: free it with xs2a_tpp_free().
typedef struct xs2a_tpp xs2a_tpp;

// Where a callback writes its answer. It is good until that callback returns, and belongs to the library.
typedef struct xs2a_writer xs2a_writer;

// Borrowed text: UTF-8, not NUL-terminated. As an argument it need only live through the call. NULL with
// length 0 is the empty text, and means "absent" where an argument is optional.
typedef struct {
  // The first byte.
  const char *data;
  // How many bytes.
  size_t len;
} xs2a_str;

// Borrowed bytes. As an argument they need only live through the call. NULL with length 0 is empty.
typedef struct {
  // The first byte.
  const uint8_t *data;
  // How many bytes.
  size_t len;
} xs2a_slice;

// One header field, borrowed.
typedef struct {
  // The name, in any case.
  xs2a_str name;
  // The value: bytes, as they came.
  xs2a_slice value;
} xs2a_header;

// An HTTP request of borrowed pieces. Fill it with zeros, then set `size` and what there is.
typedef struct {
  // sizeof(xs2a_request).
  size_t size;
  // The method, such as `POST`.
  xs2a_str method;
  // The target as sent: path and query.
  xs2a_str target;
  // The header fields in the order sent.
  const xs2a_header *headers;
  // How many header fields.
  size_t header_count;
  // The body, empty where there is none.
  xs2a_slice body;
} xs2a_request;

// The bank behind an engine. Fill it with zeros, then set `size`, `call` and what else you want.
//
// The engine calls on the thread of the call that needs an answer, so from several threads at once where the host
// calls from several; a callback may take its time, but it must return. It may call the engine, but not free it.
// An answer that took longer than the policy `bank_seconds_max` (10 by default) is logged and counts as none, but for
// `submit_payment` and `cancel_payment`, which have done something.
// A C++ exception, or a longjmp, out of a callback is undefined behaviour.
typedef struct {
  // sizeof(xs2a_bank_callbacks).
  size_t size;
  // Handed to each callback as it is.
  void *user_data;
  // Answers one question of the bank: `request` is a JSON object, the answer is JSON that it writes with
  // xs2a_writer_write(). What `method` names and what its request and answer hold stands in docs/bank.md; both texts
  // live through the callback. Gives 0 where it wrote the answer; any other number where the bank has none, for
  // whatever reason: the TPP is then answered SYSTEM_ERROR, and nothing is changed. Required.
  int32_t (*call)(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer);
  // Whether the TPP with this authorisation number, such as `PSDNO-FSA-912345678`, is registered: 1 where it is,
  // 0 where it is not, another number where that cannot be told now. NULL: every certificate that leads to a trust
  // anchor counts, or who is in what xs2a_engine_replace_register() was told. Asked on every call of a TPP; with
  // `registry_ages` in the configuration only where its last answer is as old as that.
  int32_t (*is_registered)(void *user_data, xs2a_str organisation_id);
  // The time in microseconds since 1970 in UTC. NULL: the machine's clock. Outside of the years 1 to 9999 TPPs are
  // answered 500, and the host's own calls that go by the time XS2A_MISUSE.
  int64_t (*now)(void *user_data);
  // Takes a line of the engine's log, from `info` on: `level` is `info`, `warn` or `error`; `place` is who says it,
  // such as `xs2a::engine::deliver`; `message` holds no data of a PSU and no key. What an engine logs that it calls
  // goes nowhere. NULL: nothing is logged.
  void (*log)(void *user_data, xs2a_str level, xs2a_str place, xs2a_str message);
} xs2a_bank_callbacks;

// How to open a sandbox. Fill it with zeros, then set `size` and what you want otherwise.
typedef struct {
  // sizeof(xs2a_sandbox_options).
  size_t size;
  // Path of an SQLite file. Absent: in memory.
  xs2a_str database;
  // Where the clock starts, by RFC 3339. Absent: the present, or where the clock of the file stood.
  xs2a_str now;
  // What ids and serial numbers of certificates are drawn from: the same seed, `now` and calls give the same bytes.
  // The root and the key pairs of the test PKI are the same with every seed.
  uint64_t seed;
  // What stands before `/v1/` in request paths, such as `/api-sandbox`.
  xs2a_str base_path;
  // The policy as a JSON object. Absent: the defaults.
  xs2a_str policy;
} xs2a_sandbox_options;

// How a journal is written. Fill it with zeros, then set `size`, `form` and what you want otherwise.
typedef struct {
  // sizeof(xs2a_journal_options).
  size_t size;
  // `text`: a line or two for each entry. `har`: an HTTP Archive 1.2. `curl`: a shell script. `pytest`: a test for
  // pytest, which does everything again.
  xs2a_str form;
  // Scheme and host that HAR and curl address. Absent: those of the links to the SCA site.
  xs2a_str origin;
  // Only so many of the newest entries; 0: all. A pytest file always has all.
  size_t last;
  // 1 where identity numbers are shown as they are; 0 where they are masked. A pytest file is never masked.
  uint8_t unmasked;
} xs2a_journal_options;

// What the PSU does at the bank's site. Fill it with zeros, then set `size` and what the PSU enters: all zero
// is a PSU who cancels.
typedef struct {
  // sizeof(xs2a_sca_answer).
  size_t size;
  // The number the PSU enters, such as `13039319955`.
  xs2a_str customer_number;
  // `PRIVATE` or `CORPORATE`; absent: `PRIVATE`.
  xs2a_str context;
  // Id or name of the agreement, for `CORPORATE`.
  xs2a_str agreement;
  // The accounts the PSU picks: bban, iban or masked PAN each. NULL: all that are offered; a PSU who has nothing
  // to open then gives a consent to nothing, where the bank's page offers to cancel alone.
  const xs2a_str *accounts;
  // How many accounts.
  size_t account_count;
  // 1 where the PSU approves, 0 where the PSU cancels.
  uint8_t approve;
} xs2a_sca_answer;

// A payment to look at. Fill it with zeros, then set `size` and what there is.
typedef struct {
  // sizeof(xs2a_payment_check).
  size_t size;
  // The payment service, such as `payments`.
  xs2a_str service;
  // The payment product, such as `sepa-credit-transfers`.
  xs2a_str product;
  // The body as it would be sent.
  xs2a_slice body;
  // When it would be sent, by RFC 3339. Absent: now.
  xs2a_str at;
  // `sandbox` or `production`; absent: `sandbox`.
  xs2a_str environment;
  // As the x-accept-fix header: names of announced changes, with commas between.
  xs2a_str accept_fix;
} xs2a_payment_check;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.1.0`. Lives as long as the library.
xs2a_str xs2a_version(void);

// The version of the library's binary interface; see XS2A_ABI_VERSION.
uint32_t xs2a_abi_version(void);

// The result the failed call returned; XS2A_OK where `error` is NULL.
xs2a_result xs2a_error_code(const xs2a_error *error);

// One line in English, safe to log: of itself no data of a PSU, no key. It may repeat an argument,
// with controls and line breaks escaped. Lives as long as `error`; empty where that is NULL.
xs2a_str xs2a_error_message(const xs2a_error *error);

// Frees an error. NULL is fine.
void xs2a_error_free(xs2a_error *error);

// The text up to the terminating NUL, without it: for literals. NULL gives the empty text.
xs2a_str xs2a_str_of(const char *nul_terminated);

// The bytes up to the terminating NUL, without it: for literals. NULL gives none.
xs2a_slice xs2a_slice_of(const char *nul_terminated);

// The text itself. Lives as long as `text`; empty where that is NULL.
xs2a_str xs2a_text_str(const xs2a_text *text);

// Frees a text. NULL is fine.
void xs2a_text_free(xs2a_text *text);

// The bytes themselves. Live as long as `bytes`; none where that is NULL.
xs2a_slice xs2a_bytes_slice(const xs2a_bytes *bytes);

// Frees bytes. NULL is fine.
void xs2a_bytes_free(xs2a_bytes *bytes);

// The HTTP status; 0 where `response` is NULL.
uint16_t xs2a_response_status(const xs2a_response *response);

// How many header fields there are.
size_t xs2a_response_header_count(const xs2a_response *response);

// The header field at `index`, counted from 0 in the order they are to be sent. Lives as long as `response`;
// both parts are empty where there is none.
xs2a_header xs2a_response_header(const xs2a_response *response, size_t index);

// The body as it is to be sent: compressed where Content-Encoding says so. Lives as long as `response`.
xs2a_slice xs2a_response_body(const xs2a_response *response);

// The library's own stable id of the first refusal, such as `SIG-07`: for logs and tests, not sent to the
// TPP. NULL with length 0 where nothing was refused. Lives as long as the library.
xs2a_str xs2a_response_reason(const xs2a_response *response);

// Frees a response. NULL is fine.
void xs2a_response_free(xs2a_response *response);

// How many fields the list has; 0 where `headers` is NULL.
size_t xs2a_headers_count(const xs2a_headers *headers);

// The list as an array of xs2a_headers_count() fields: what xs2a_request.headers takes. Lives as long as
// `headers`; NULL where it is empty or NULL.
const xs2a_header *xs2a_headers_data(const xs2a_headers *headers);

// The field at `index`, counted from 0. Lives as long as `headers`; both parts are empty where there is none.
xs2a_header xs2a_headers_get(const xs2a_headers *headers, size_t index);

// The value of the first field of that name, whatever its case. Lives as long as `headers`; NULL with length
// 0 where there is none.
xs2a_str xs2a_headers_value(const xs2a_headers *headers, xs2a_str name);

// Frees a list of header fields. NULL is fine.
void xs2a_headers_free(xs2a_headers *headers);

// Gives the complete answer to one request. An answer of 400 or 500 is XS2A_OK: whatever the TPP sent, the
// call succeeds.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_engine_handle(const xs2a_engine *engine,
                               const xs2a_request *request,
                               xs2a_response **out,
                               xs2a_error **error);

// Delivers to the bank what is due: for the host's scheduler. Gives JSON,
// `{"submitted":1,"withdrawn":0,"failed":0,"setAside":0}`: how many payments the bank took, how many had come to their
// end before, how many it could not take now, and how many it cannot take: see xs2a_engine_set_aside(). It also
// forgets what is over in the database, so that a gateway without payments calls it once in a while too.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
xs2a_result xs2a_engine_run_due(const xs2a_engine *engine,
                                xs2a_text **out,
                                xs2a_error **error);

// When xs2a_engine_run_due() next has something to do, by RFC 3339 in UTC; NULL where nothing waits now: the
// next SCA that is completed may order something, and so may the next call, where the bank exempts payments.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
xs2a_result xs2a_engine_next_due(const xs2a_engine *engine, xs2a_text **out, xs2a_error **error);

// Writes the answer, or a further piece of it. Beyond 16 MiB nothing more is taken, and the whole answer counts as
// none. What several threads write at once stands in the answer piece by piece, in any order. A writer is good until
// the callback that was given it returns: later, from whatever thread, nothing is taken, and no other answer changes.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback has returned), XS2A_BANK (too long).
xs2a_result xs2a_writer_write(xs2a_writer *writer,
                              xs2a_slice json,
                              xs2a_error **error);

// Makes an engine over the host's own bank. `config`: a JSON object, such as
// `{"database":"sqlite:///var/lib/xs2a.db","trust_anchors":"-----BEGIN CERTIFICATE-----…","policy":{}}`; its keys
// stand in docs/configuration.md. The callbacks are copied; what `user_data` points to must outlive the engine.
// Owned by the caller: free it with xs2a_engine_free().
//
// Results: XS2A_NULL_ARGUMENT (callbacks, or their `call`), XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_CONFIG, XS2A_STORE.
xs2a_result xs2a_engine_new(xs2a_str config,
                            const xs2a_bank_callbacks *callbacks,
                            xs2a_engine **out,
                            xs2a_error **error);

// Frees an engine that xs2a_engine_new() made, once the last call of it and of its callbacks has ended. NULL is
// fine. The engine of a sandbox is not freed: it belongs to that.
void xs2a_engine_free(xs2a_engine *engine);

// What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as JSON:
// `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, and of `person`, `identity`, `context`,
// `corporate` and `brand` those that the call named; the others are absent. `kind` is payment, cancellation, basket,
// consent or identification; `orders` are payment bodies, with amounts and payees, each with its `paymentId`,
// `product` and `fee` as the bank is told them, and empty for the last two.
// `person` and `corporate` are whom the SCA must be for, by the bank's own references; `identity` is the person by
// the number of X-PSU-IDENTITY. NULL where the link is unknown, used or dead.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_STORE.
xs2a_result xs2a_engine_authorisation(const xs2a_engine *engine,
                                      xs2a_str id,
                                      xs2a_text **out,
                                      xs2a_error **error);

// Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
// `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with `corporate`
// in `psu` for the context `CORPORATE`, and without the account ids where the PSU opens all (an SCA for anything but a
// consent opens none, and they are not looked at); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`,
// `otherPsu`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another form; a link that is unknown, used or dead; an
// account that is not offered), XS2A_STORE, XS2A_BANK. The link then stays open. After XS2A_OUTCOME_UNKNOWN it may be
// used: ask xs2a_engine_authorisation().
xs2a_result xs2a_engine_complete_sca(const xs2a_engine *engine,
                                     xs2a_str id,
                                     xs2a_str outcome,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Takes back what a person (the bank's own reference) opened to a TPP, in every context. Doing so again changes
// nothing. The TPP is not told: its next call is answered CONSENT_UNKNOWN.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (U+0000 in the reference), XS2A_STORE.
xs2a_result xs2a_engine_revoke_consent(const xs2a_engine *engine,
                                       xs2a_str person,
                                       xs2a_str organisation_id,
                                       xs2a_error **error);

// Tells where a payment stands at the bank, such as `ACSC` for one that was settled. `funds_available`: 1 where the
// money was there, 0 where it was not, below zero where that is not known.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_MISUSE (no such payment; a status
// that cannot follow), XS2A_STORE.
xs2a_result xs2a_engine_report_payment_status(const xs2a_engine *engine,
                                              xs2a_str payment_id,
                                              xs2a_str status,
                                              int8_t funds_available,
                                              xs2a_error **error);

// Puts other trust anchors in the place of those there are: the certificates of `pem`, one or several. From the next
// call on the new ones count alone. Gives how many there are. On a failure the old ones stay.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (no certificate, or one that cannot be read), XS2A_MISUSE
// (the engine of a sandbox).
xs2a_result xs2a_engine_replace_trust_anchors(const xs2a_engine *engine,
                                              xs2a_str pem,
                                              size_t *out,
                                              xs2a_error **error);

// Takes certificate revocation lists: one in DER, or one or several in PEM, each in the place of the one that its
// issuer's key signed before. `authorities`: PEM of the certificates of those who may have issued them. They count
// from the next call on. Gives how many there were. On a failure nothing is taken. They are not in the database:
// supply them after every start, before the first request, or who is revoked is in again.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (a list or an authority that cannot be read; a list that
// is older than the one there, of nobody named, a delta list, without nextUpdate, with a wrong signature),
// XS2A_MISUSE (the engine of a sandbox).
xs2a_result xs2a_engine_supply_crl(const xs2a_engine *engine,
                                   xs2a_slice lists,
                                   xs2a_str authorities,
                                   size_t *out,
                                   xs2a_error **error);

// Forgets every revocation list that was supplied.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
xs2a_result xs2a_engine_clear_crls(const xs2a_engine *engine, xs2a_error **error);

// When the first revocation list ceases to count (nextUpdate), by RFC 3339 in UTC: supply the next one before. NULL
// where there is none, as after each start.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
xs2a_result xs2a_engine_next_crl_due(const xs2a_engine *engine,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Puts an extract of the European Banking Authority's register, JSON as that publishes it, in the place of the one
// there is. From the next call on a TPP that it has not is refused; before the first extract every certificate that
// leads to a trust anchor counts. Gives how many institutions count. On a failure the old one stays. It is not in the
// database: supply it after every start, before the first request.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_CONFIG (another form), XS2A_MISUSE (an engine with the callback `is_registered`;
// the engine of a sandbox).
xs2a_result xs2a_engine_replace_register(const xs2a_engine *engine,
                                         xs2a_slice json,
                                         size_t *out,
                                         xs2a_error **error);

// Forgets what the callback `is_registered` answered about an authorisation number, where answers are remembered
// (`registry_ages` of the configuration): it is asked at that TPP's next call. For notices of withdrawal.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an engine without that callback; the engine of a sandbox).
xs2a_result xs2a_engine_forget_registration(const xs2a_engine *engine,
                                            xs2a_str organisation_id,
                                            xs2a_error **error);

// The certificates of an EU trusted list (XML of ETSI TS 119 612) whose services issue certificates of a type:
// `certificate_type` is `qseal`, `qwac` or `any` (of the two), `at` the time by RFC 3339. Gives PEM, for
// xs2a_engine_replace_trust_anchors(); empty where the list has none. The list's signature is NOT verified here:
// verify it first. Certificates that cannot be read are left out.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (at), XS2A_MISUSE (another type), XS2A_CONFIG (no
// trusted list; after its NextUpdate).
xs2a_result xs2a_trusted_list_anchors(xs2a_slice verified_xml,
                                      xs2a_str certificate_type,
                                      xs2a_str at,
                                      xs2a_text **out,
                                      xs2a_error **error);

// Lists the payments that are not delivered to the bank any more, until somebody looks at them: a JSON array of
// `{"paymentId","attempts","why","since"}`, the longest first, at most 1000. Each stays as it was until
// xs2a_engine_retry_order(), or until xs2a_engine_report_payment_status() tells where it stands. An order that cannot
// be read in the store is among them, with what stands there as its payment id.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_engine_set_aside(const xs2a_engine *engine,
                                  xs2a_text **out,
                                  xs2a_error **error);

// Lets a payment that is set aside be delivered again, from now on.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (it is not set aside), XS2A_STORE.
xs2a_result xs2a_engine_retry_order(const xs2a_engine *engine, xs2a_str payment_id, xs2a_error **error);

// Hands the lines of the audit from the time `start` until before `end`, both by RFC 3339, to `take_line`, oldest
// first: each a JSON object in one line (docs/guide/audit.md), which lives through the callback. Another result of it
// than 0 ends that, and is no error. What the header's beginning says of callbacks holds for it. However long the
// audit, little of it is in memory.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (start, end), XS2A_STORE.
xs2a_result xs2a_engine_audit(const xs2a_engine *engine,
                              xs2a_str start,
                              xs2a_str end,
                              int32_t (*take_line)(void *user_data, xs2a_str line),
                              void *user_data,
                              xs2a_error **error);

// Opens a sandbox. The default data set is loaded where the database is new.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG, XS2A_STORE,
// XS2A_MISUSE (now lies before the clock of the file, or outside of the years 1 to 9999).
xs2a_result xs2a_sandbox_new(const xs2a_sandbox_options *options,
                             xs2a_sandbox **out,
                             xs2a_error **error);

// Closes a sandbox: its engine, and every pointer xs2a_sandbox_engine() gave, is gone. NULL is fine.
void xs2a_sandbox_free(xs2a_sandbox *sandbox);

// The engine of the sandbox, borrowed: it lives as long as `sandbox`, and is not freed. NULL where that is NULL.
// Where a payment stands is told to xs2a_sandbox_report_payment_status(): the simulated bank does not hear what the
// engine is told.
const xs2a_engine *xs2a_sandbox_engine(const xs2a_sandbox *sandbox);

// Gives the complete answer to one request, and to a browser that of the SCA site. An instant payment that the bank
// exempts from its SCA is settled when this returns.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_sandbox_handle(const xs2a_sandbox *sandbox,
                                const xs2a_request *request,
                                xs2a_response **out,
                                xs2a_error **error);

// Tells where a payment stands by another way than this interface, such as `CANC` for one that the PSU
// cancelled in the bank's app. A payment that is cancelled or rejected so is not carried out; one that is settled so
// (ACSC) is booked at once, before its batch; of a bulk in PART and of a periodic payment the status alone changes.
// A bulk reported PART is not carried out any more: what there is to pay was paid elsewhere.
// `funds_available`: 1 where the money is there, 0 where it is not, below zero where that is not known.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_MISUSE (no such payment; a status
// that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is yet to be booked), XS2A_STORE.
xs2a_result xs2a_sandbox_report_payment_status(const xs2a_sandbox *sandbox,
                                               xs2a_str payment_id,
                                               xs2a_str status,
                                               int8_t funds_available,
                                               xs2a_error **error);

// The whole state as bytes: for xs2a_sandbox_restore().
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_snapshot(const xs2a_sandbox *sandbox, xs2a_bytes **out, xs2a_error **error);

// Goes back to a snapshot, the clock included.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a whole snapshot of this version), XS2A_STORE.
xs2a_result xs2a_sandbox_restore(const xs2a_sandbox *sandbox, xs2a_slice image, xs2a_error **error);

// A second sandbox in memory with the state of this one; from here on they go their own ways.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_fork(const xs2a_sandbox *sandbox, xs2a_sandbox **out, xs2a_error **error);

// Goes back to the default data set: customers, accounts, payments and authorisations are gone; registered
// TPPs, trust anchors and the clock stay.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_initialize(const xs2a_sandbox *sandbox, xs2a_error **error);

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

// Lets customers move in beside those who are there, with accounts, agreements and a history that adds up until
// yesterday; of the same seed, clock and calls before come the same ones. The plan is a JSON object:
// `{"persons":100,"companies":4,"months":12}`, where each member may be absent and is that then. Nobody has their
// numbers: docs/guide/data.md tells how they are marked.
//
// Gives JSON: `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`, with
// customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the balances after the
// history; `from` is null without one.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such plan, one beyond the limits, a history that begins
// before the year 1, or no numbers left), XS2A_STORE. Nothing has happened then.
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

// The time of the sandbox's clock, by RFC 3339 in UTC.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_now(const xs2a_sandbox *sandbox, xs2a_text **out, xs2a_error **error);

// Sets the clock to a time by RFC 3339; what the bank does on the way is done. The clock never goes back.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (no time), XS2A_MISUSE (earlier than now,
// or after the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_set_now(const xs2a_sandbox *sandbox, xs2a_str time, xs2a_error **error);

// Moves the clock forward by `seconds`; what the bank does on the way is done.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (negative, or beyond the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_advance(const xs2a_sandbox *sandbox, int64_t seconds, xs2a_error **error);

// Moves the clock to the next time at which the bank does something, and does it. Gives that time by
// RFC 3339; NULL where nothing waits: the clock then stays.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (beyond the year 9999), XS2A_STORE.
xs2a_result xs2a_sandbox_advance_to_next_event(const xs2a_sandbox *sandbox,
                                               xs2a_text **out,
                                               xs2a_error **error);

// What was done with the sandbox since it was opened or forked off, as text: the newest 10,000 entries, at most
// 16 MiB of them. Calls by xs2a_engine_handle() are not among them, those by xs2a_sandbox_handle() are.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (form), XS2A_CONFIG (origin),
// XS2A_MISUSE (a pytest file where the same cannot be done again: the database file existed before, entries are
// gone, a fault was set before the sandbox was forked off, or a snapshot or an exported state was taken), XS2A_STORE.
xs2a_result xs2a_sandbox_journal(const xs2a_sandbox *sandbox,
                                 const xs2a_journal_options *options,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Forgets what is in the journal.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_clear_journal(const xs2a_sandbox *sandbox, xs2a_error **error);

// Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`, `reasons`,
// `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row there is, and `unrouted`
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

// A coverage in words, a line for each kind. `untouched`: 1 where what was not seen is listed below each.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no coverage of this version).
xs2a_result xs2a_coverage_text(xs2a_str coverage, uint8_t untouched, xs2a_text **out, xs2a_error **error);

// Answers an scaRedirect link in the place of the PSU. Gives the URL the PSU is sent back to; an SCA that
// failed, such as by an unknown customer number, is told there and is XS2A_OK.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (context), XS2A_MISUSE (a link
// that is unknown, used or too old; accounts or an agreement that are not offered), XS2A_BANK (a fault that was set
// makes the bank fail), XS2A_STORE.
xs2a_result xs2a_sandbox_authorise(const xs2a_sandbox *sandbox,
                                   xs2a_str sca_redirect,
                                   const xs2a_sca_answer *answer,
                                   xs2a_text **out,
                                   xs2a_error **error);

// A private customer takes back what they opened to a TPP, in every context. Doing so again changes nothing. The
// TPP is not told: its next call is answered CONSENT_UNKNOWN.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number; a TPP that
// is neither registered here nor known to the customer), XS2A_STORE.
xs2a_result xs2a_sandbox_revoke_consent(const xs2a_sandbox *sandbox,
                                        xs2a_str customer_number,
                                        xs2a_str organisation_id,
                                        xs2a_error **error);

// Sets what the bank's risk analysis says of a private customer from now on. `demanded`: reading accounts is answered
// 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a payment with their PSU-ID is
// authorised without an SCA, and a TPP-Session-ID that was never seen reads accounts as a call without one does.
// `as_ruled`: neither, as everybody begins.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number, or another word),
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

// Takes the state that an exported text tells, in any spelling of the same JSON. What cannot be is named with its
// place (JSON Pointer), up to twenty at once; nothing is changed then. Sums, and the keys of TPPs, are looked at once
// nothing else is wrong; what rows say of each other, where each of them is right by itself.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no exported sandbox of this version, or it holds what
// cannot be), XS2A_STORE.
xs2a_result xs2a_sandbox_import_json(const xs2a_sandbox *sandbox,
                                     xs2a_str json,
                                     xs2a_error **error);

// What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…: RCVD → ACSC"]`.
// An empty array: they hold the same. At most 1001 lines: beyond a thousand the last says how many more there are.
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

// Puts the keys of a JSON object in place of some policies, from the next call on; the others stay. One call is
// answered under one set of policies. They are not part of a snapshot; a fork begins with the present ones.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (an unknown key, a value that cannot be; nothing is
// changed then).
xs2a_result xs2a_sandbox_set_policy(const xs2a_sandbox *sandbox,
                                    xs2a_str policy,
                                    xs2a_error **error);

// Accounts whose balance is not what was booked on them, as a JSON array: empty, or something is wrong. Of each
// `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_sandbox_reconcile(const xs2a_sandbox *sandbox,
                                   xs2a_text **out,
                                   xs2a_error **error);

// Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma between;
// the names of ETSI TS 119 495 (`PSP_AI`, …) are taken too. Empty roles give none: such a TPP is refused by each call
// that needs one.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such role, an empty name), XS2A_STORE.
xs2a_result xs2a_sandbox_register_tpp(const xs2a_sandbox *sandbox,
                                      xs2a_str name,
                                      xs2a_str roles,
                                      xs2a_tpp **out,
                                      xs2a_error **error);

// A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox: so a test
// goes on in a fork, after a restore, and in a file that is opened again.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such TPP), XS2A_STORE.
xs2a_result xs2a_sandbox_tpp(const xs2a_sandbox *sandbox,
                             xs2a_str organisation_id,
                             xs2a_tpp **out,
                             xs2a_error **error);

// Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another process with
// a sandbox on the same file learns of them when it opens the file anew.
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
// Signature where they were absent. Date is by the clock of its sandbox, and X-Request-ID comes of the sandbox's seed,
// so that each program begins with the same: for another engine than its sandbox, bring your own of both.
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
// `target` (a part of it). How often: `nth`, `times`, `probability`. docs/guide/testing.md says more. Gives the number
// of the fault. Faults are no part of a snapshot, and a fork begins without any; `slow` needs
// xs2a_sandbox_handle().
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (what cannot be meant).
xs2a_result xs2a_sandbox_add_fault(const xs2a_sandbox *sandbox,
                                   xs2a_str json,
                                   uint64_t *out,
                                   xs2a_error **error);

// The faults that are set as a JSON array, the first one first: each as it was written, with `id`, `seen` (how often
// there was an occasion for it) and `hits` (how often it struck).
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_faults(const xs2a_sandbox *sandbox,
                                xs2a_text **out,
                                xs2a_error **error);

// Takes a fault away by its number.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (no such fault is set).
xs2a_result xs2a_sandbox_remove_fault(const xs2a_sandbox *sandbox, uint64_t id, xs2a_error **error);

// Takes every fault away.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_sandbox_clear_faults(const xs2a_sandbox *sandbox, xs2a_error **error);

// A signed request that earns a code of the contract, such as `KID_INVALID`, if it is the next that the sandbox is
// asked, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as text, and what it
// earns: `code`, `status`, `reason`. Brings the sandbox to where the request earns it: a TPP is registered,
// customers may have opened accounts or ordered payments, CONSENT_EXPIRED moves the clock by 180 days. Ask a fork
// where nothing of this may stay.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such code; the default data set is not there any
// more), XS2A_BANK (a fault that was set makes the bank fail), XS2A_STORE.
xs2a_result xs2a_sandbox_provoke(const xs2a_sandbox *sandbox,
                                 xs2a_str code,
                                 xs2a_text **out,
                                 xs2a_error **error);

// The text that is signed, for a list of names as it stands in a Signature header, such as
// `date digest x-request-id`. The body is not looked at.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_MISUSE (a name the request does not have).
xs2a_result xs2a_signing_string(const xs2a_request *request,
                                xs2a_str names,
                                xs2a_text **out,
                                xs2a_error **error);

// The value of a Digest header, such as `SHA-256=…`. `algorithm`: `SHA-256` or `SHA-512`, in any case; absent:
// `SHA-256`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another algorithm).
xs2a_result xs2a_digest(xs2a_slice body,
                        xs2a_str algorithm,
                        xs2a_text **out,
                        xs2a_error **error);

// Looks at a signed request as the engine does: certificate, Digest, Date, signature. `now`: by RFC 3339.
// `trust_anchors`: a PEM bundle; absent (NULL, not merely empty): the chain is not looked at.
//
// Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; text names the header that it is about,
// such as `Date: the header is required`; certificate as xs2a_parse_certificate() gives it, null where there is none.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
xs2a_result xs2a_verify_signature(const xs2a_request *request,
                                  xs2a_str now,
                                  xs2a_str trust_anchors,
                                  xs2a_text **out,
                                  xs2a_error **error);

// Looks at a bank's signed answer: certificate (ASPSP-Signature-Certificate), Digest, Date, signature. `body`: as it
// was received, before it is decompressed. `now`: by RFC 3339; absent: the present. `trust_anchors`: a PEM bundle;
// absent (NULL, not merely empty): the chain is not looked at.
//
// Gives JSON as xs2a_verify_signature() does. That X-Request-ID is the request's is for the caller to see; the status
// and the other headers are not signed.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
xs2a_result xs2a_verify_response(const xs2a_header *headers,
                                 size_t header_count,
                                 xs2a_slice body,
                                 xs2a_str now,
                                 xs2a_str trust_anchors,
                                 xs2a_text **out,
                                 xs2a_error **error);

// The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with the answers
// of a sandbox whose policy has `sign_responses`. NULL with length 0 where `sandbox` is NULL. Lives as long as the
// library.
xs2a_str xs2a_sandbox_root_pem(const xs2a_sandbox *sandbox);

// What an engine would say about a payment before the bank is asked. Gives a JSON array, empty where the body
// is fine: `[{"category":"ERROR","code":"FORMAT_ERROR","path":"/creditorName","text":"…"}]`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (at), XS2A_MISUSE (environment; at is
// outside of the years 1 to 9999).
xs2a_result xs2a_validate_payment(const xs2a_payment_check *check,
                                  xs2a_text **out,
                                  xs2a_error **error);

// The interface that TPPs call, as an OpenAPI 3.1 document in JSON: a sandbox's has its own routes, production's has
// not. Absent: environment `sandbox`, base_path empty; one such as `/psd2` is what an engine's policy has.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (environment), XS2A_CONFIG (base_path).
xs2a_result xs2a_openapi(xs2a_str environment,
                         xs2a_str base_path,
                         xs2a_text **out,
                         xs2a_error **error);

// Which status may follow which, as a JSON object: `{"RCVD":["PDNG",…],…,"ACSC":[]}`.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_payment_transitions(xs2a_text **out, xs2a_error **error);

// The status of a signing basket of payments with these statuses, such as `PATC`: the worst case among them.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_MISUSE (no payment; no status of a payment).
xs2a_result xs2a_basket_status(const xs2a_str *payment_statuses,
                               size_t count,
                               xs2a_text **out,
                               xs2a_error **error);

// How many fraction digits amounts of a currency have (ISO 4217). XDR alone has none laid down: its amounts have any
// number of them up to five, and 5 is what this says.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (a code that is not accepted).
xs2a_result xs2a_minor_units(xs2a_str currency,
                             uint8_t *out,
                             xs2a_error **error);

// Whether a text is a KID: 2 to 25 digits, the last may be `-`, valid by modulus 10 or 11. 1 or 0.
int32_t xs2a_kid_is_valid(xs2a_str text);

// Whether a text is a Norwegian account number with a right check digit. 1 or 0.
int32_t xs2a_account_number_is_valid(xs2a_str text);

// Whether a text is an IBAN (ISO 13616) with right check digits, in any case, with or without spaces. 1 or 0.
int32_t xs2a_iban_is_valid(xs2a_str text);

// Whether a text has the form of a BIC (ISO 9362, as the contract writes it). 1 or 0.
int32_t xs2a_bic_is_valid(xs2a_str text);

// Reads a distinguished name (RFC 2253, RFC 4514). Gives a JSON array of RDNs in the order written, each an
// array of `[oid, value]`: `[[["2.5.4.3","Acme"]],[["2.5.4.6","NO"]]]`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (not a distinguished name).
xs2a_result xs2a_parse_distinguished_name(xs2a_str text, xs2a_text **out, xs2a_error **error);

// Reads a certificate, PEM, DER or base64 of DER. Gives JSON: `{"serial_number":"1A2B","issuer":"…","subject":"…",
// "not_before":"…","not_after":"…","roles":["PSP_AI"],"organisation_id":"…"}`; times by RFC 3339 in UTC,
// organisation_id null where there is none.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a certificate).
xs2a_result xs2a_parse_certificate(xs2a_slice pem_or_der,
                                   xs2a_text **out,
                                   xs2a_error **error);

// Reads a date of an HTTP header in any form of RFC 9110. Gives it by RFC 3339 in UTC.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (not such a date).
xs2a_result xs2a_parse_http_date(xs2a_str text, xs2a_text **out, xs2a_error **error);

// Decodes an encoded word, such as `=?utf-8?B?…?=` (RFC 2047). Other text is given as it is.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an encoded word that cannot be decoded).
xs2a_result xs2a_decode_encoded_word(xs2a_str text, xs2a_text **out, xs2a_error **error);

// Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
// contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double holds it.
// For programs without a JSON library; each call reads the whole text.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (not JSON, or nested too deep), XS2A_MISUSE
// (no such member).
xs2a_result xs2a_json_at(xs2a_str json,
                         xs2a_str pointer,
                         xs2a_text **out,
                         xs2a_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* XS2A_H */
