// libxs2a: an embeddable PSD2 access-to-account engine. Generated from ffi/src by `cargo test -p xs2a-ffi`: not to be
// edited.
//
// The contract of every function:
//
// - Calls. A function that can fail returns an xs2a_result. It writes its output (`out`) only on XS2A_OK. On any
//   other result it writes an xs2a_error to `*error`, unless `error` is NULL; the caller frees it. The old value of
//   `*error` is neither read nor freed, so begin with NULL and free the error after each failure. The comment of a
//   function names the results to expect. Every function can also return XS2A_INTERNAL, and every function with a
//   length can return XS2A_BAD_SIZE for a length that is larger than any memory.
// - Answers. For every request of a TPP the call succeeds and gives a response: a status of 400 or 500 is XS2A_OK.
// - Pointers. Each is NULL or points to a valid value of its type until the call returns. Do not read the struct
//   behind a handle; an xs2a_writer * is a number, not an address. Except for NULL, the library returns no pointer
//   below 65536, also not for an empty text. NULL for a required argument is XS2A_NULL_ARGUMENT; a function that
//   cannot fail then returns 0, NULL or an empty text.
// - Handles. The caller that got a handle frees it, once, with the function of its type; freeing NULL does nothing.
//   `const` results are borrowed; their comment says until when they are valid.
// - Text. xs2a_str is UTF-8 and not NUL-terminated; xs2a_str_of() makes one of a literal.
// - Structs that begin with `size`. Fill them with zeros, set `size` to their sizeof, then set the members you need:
//       xs2a_request request = {0};  request.size = sizeof request;
//   Programs built with an older header keep working: members that it does not have count as zero.
// - Threads. Any function may be called from any thread at the same time, with the same handles. Free a handle
//   only after its last use.
// - Processes. Open an engine, or a sandbox in a file, after fork(). In a process that was forked later, every call
//   that needs its file or its server fails with XS2A_STORE, and a request is answered 500; a sandbox in memory keeps
//   working. Free engines and sandboxes before the process forks.
// - Callbacks run on the thread that called the library, on several threads at once. They may call the library, also
//   with the same handle. No exception, longjmp or pthread_exit may leave a callback.
// - Stacks. A thread that calls the library needs at least 256 KiB of stack. That is enough for a call within a
//   callback; each further level needs 32 KiB more.
// - Libraries. A program uses libxs2a, or in its place libxs2a_sandbox (xs2a_sandbox.h), which has all of this and the
//   sandbox; never both. On Linux xs2a_engine_new() and xs2a_sandbox_new() fail with XS2A_MISUSE if both shared
//   libraries are loaded under their own names (soname). A library that has another soname, or that is linked
//   statically, is not detected: the build of the program has to ensure that there is only one.
// - A panic never crosses the interface: it becomes XS2A_INTERNAL, or 0, NULL or an empty text from a function that
//   cannot fail.


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

// The outcome of a call. A number never changes its meaning and is never reused; a newer library may
// return numbers that are not listed here.
typedef enum {
  // Done; the outputs are written.
  XS2A_OK = 0,
  // The configuration cannot be used: a policy key, a trust anchor, a path.
  XS2A_CONFIG = 1,
  // The database cannot be reached, is of another version, or refused an operation.
  XS2A_STORE = 2,
  // The bank behind the engine failed, or its answer is not allowed.
  XS2A_BANK = 3,
  // A call that should not have been made: a mistake of the program. What is normal in operation has numbers of its
  // own: XS2A_NOT_FOUND, XS2A_EXPIRED, XS2A_CONFLICT, XS2A_NOT_OFFERED.
  XS2A_MISUSE = 4,
  // A bug of this library, a panic included. Please report it.
  XS2A_INTERNAL = 5,
  // A required pointer is NULL.
  XS2A_NULL_ARGUMENT = 6,
  // The size of a struct is unknown to this library, or a length is larger than any memory.
  XS2A_BAD_SIZE = 7,
  // A text is not UTF-8.
  XS2A_NOT_UTF8 = 8,
  // An argument has a wrong form: a time, a context, JSON.
  XS2A_BAD_ARGUMENT = 9,
  // The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have
  // been done. Every function that can return XS2A_STORE can return this too.
  XS2A_OUTCOME_UNKNOWN = 10,
  // What the call names does not exist: an authorisation, a payment, a dead letter, a member of JSON. Normal in
  // operation.
  XS2A_NOT_FOUND = 11,
  // The authorisation is used, or older than 10 minutes. Normal in operation: show the PSU that the link is over.
  XS2A_EXPIRED = 12,
  // The state of the payment does not allow the call. Normal in operation: another channel was faster.
  XS2A_CONFLICT = 13,
  // An account of the PSU's choice is not among those that the bank offers now. Let the PSU choose again.
  XS2A_NOT_OFFERED = 14,
} xs2a_result;

// Bytes the caller owns: free them with xs2a_bytes_free().
typedef struct xs2a_bytes xs2a_bytes;

// An engine. Any function may be called from any thread at the same time.
typedef struct xs2a_engine xs2a_engine;

// What went wrong. Owned by the caller: free it with xs2a_error_free().
typedef struct xs2a_error xs2a_error;

// A complete answer, ready to be sent. Owned by the caller: free it with xs2a_response_free().
typedef struct xs2a_response xs2a_response;

// Text the caller owns: free it with xs2a_text_free().
typedef struct xs2a_text xs2a_text;

// Where a callback writes its answer. It belongs to the library and is valid until the callback returns.
typedef struct xs2a_writer xs2a_writer;

// Borrowed text: UTF-8, not NUL-terminated. As an argument it must be valid until the call returns. NULL with
// length 0 is the empty text, and means "absent" where an argument is optional.
typedef struct {
  // The first byte.
  const char *data;
  // How many bytes.
  size_t len;
} xs2a_str;

// Borrowed bytes. As an argument they must be valid until the call returns. NULL with length 0 is empty.
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

// How long a call took, in microseconds.
typedef struct {
  // From the request to its complete answer.
  uint64_t total;
  // Of that, waiting for the bank.
  uint64_t bank;
  // Of that, waiting for the store.
  uint64_t store;
} xs2a_timing;

// An HTTP request of borrowed pieces. Fill it with zeros, then set `size` and the members you have.
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
  // Your own id of the call, empty where there is none: 1 to 64 visible ASCII characters. The bank gets it with each
  // question as the member `correlationId`; lines of log and audit have it.
  xs2a_str correlation_id;
} xs2a_request;

// What a run of due orders did. It has these members in every version.
typedef struct {
  // Orders that the bank took.
  uint64_t submitted;
  // Orders that are not delivered any more, because their payments ended before.
  uint64_t withdrawn;
  // Orders that failed and will be delivered again.
  uint64_t failed;
  // Orders that became dead letters: see xs2a_engine_dead_letters().
  uint64_t dead_letters;
} xs2a_run_report;

// The bank behind an engine. Fill it with zeros, then set `size`, `call` and the members you need.
//
// A callback runs on the thread of the call that needs its answer. If the host calls the engine from several threads,
// callbacks run on several threads. A callback may take long, but it must return. It may call the engine, but not free
// it. An answer that took longer than the policy `bank_seconds_max` (10 by default) is logged and not used, except for
// `submit_payment` and `cancel_payment`, which changed something at the bank; so is one after which all questions of
// the call took longer than `call_bank_seconds_max` (30).
// A C++ exception, or a longjmp, out of a callback is undefined behaviour.
typedef struct {
  // sizeof(xs2a_bank_callbacks).
  size_t size;
  // Passed to each callback unchanged.
  void *user_data;
  // Answers one question of the bank: `request` is a JSON object, the answer is JSON that it writes with
  // xs2a_writer_write(). docs/bank.md lists the values of `method`, with their requests and answers. `method` and
  // `request` are valid until the callback returns. Returns 0 if it wrote the answer, and any other number if the
  // bank has no answer, for any reason, which it may state with xs2a_writer_fail(): the TPP then gets SYSTEM_ERROR,
  // and nothing is changed. Required.
  int32_t (*call)(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer);
  // Whether the TPP with this authorisation number, such as `PSDNO-FSA-912345678`, is registered: 1 if it is, 0
  // if it is not, another number if that cannot be determined now. NULL: every certificate that leads to a
  // trust anchor counts, or only the institutions in the extract of xs2a_engine_replace_register(). Called on
  // every call of a TPP; with `registry_ages` in the configuration only if its last answer is older than that.
  int32_t (*is_registered)(void *user_data, xs2a_str organisation_id);
  // The time in microseconds since 1970 in UTC. NULL: the machine's clock. For a time outside of the years 1 to
  // 9999, TPPs are answered 500, and the host's own calls that need the time return XS2A_MISUSE.
  int64_t (*now)(void *user_data);
  // Takes a record of the engine's log, from `info` on: `level` is `info`, `warn` or `error`; `target` is the part
  // of the library, such as `xs2a::engine::deliver`; `message` is the same text each time; `fields` are the values,
  // a JSON object in one line, such as `{"tpp":"PSDNO-FSA-912345678","attempt":3}`. No text of a certificate can
  // end its string. Nothing of it is data of a PSU or a key. Records of an engine that this callback calls are
  // dropped. NULL: nothing is logged.
  void (*log)(void *user_data, xs2a_str level, xs2a_str target, xs2a_str message, xs2a_str fields);
  // Whether a certificate is revoked, for revocation by OCSP or by a service of yours: 0 if it is not, 1 if it is,
  // 2 if no answer is current (policy `stale_crl`), 3 if the source has none about it (policy `missing_crl`),
  // another number if that cannot be determined now: the TPP is answered 500. `certificate` and `issuer` are DER;
  // `issuer` is empty if the certificate is itself a trust anchor. Called on every call of a TPP for every
  // certificate of the chain except its anchor: keep each answer until its nextUpdate. NULL: the lists of
  // xs2a_engine_supply_crl() decide. Not used by a sandbox.
  int32_t (*revocation)(void *user_data, xs2a_slice certificate, xs2a_slice issuer);
  // Signs the bank's answers with a key that is not in this process, such as one in an HSM: RSASSA-PKCS1-v1_5 with
  // SHA-256 over `text` (the hash included), by the key of `certificate`, which is DER. It writes the bytes of the
  // signature with xs2a_writer_write(), and returns 0; any other number if it cannot sign, with the reason by
  // xs2a_writer_fail(). Each signature is verified with the certificate. Where it fails, the TPP is answered 500
  // without a signature and without data, and calls are refused, unprocessed, until it works again. Called for each
  // answer, where `response_key` of the configuration or xs2a_engine_replace_response_key() has a certificate
  // without a private key. It must return: the answer waits for it. NULL: there is no such function.
  int32_t (*sign)(void *user_data, xs2a_slice certificate, xs2a_slice text, xs2a_writer *signature);
  // Frees what `user_data` points to. Called once, when no callback will be called any more: by
  // xs2a_engine_free(), and by xs2a_engine_new() if that fails, unless `callbacks` is NULL or its `size` unknown: so
  // do not free the data after a failure. It may not call the engine. NULL: nothing is called.
  void (*destroy)(void *user_data);
} xs2a_bank_callbacks;

// What an explanation may use beside the request. Fill it with zeros, then set `size` and what there is.
typedef struct {
  // sizeof(xs2a_explain_options).
  size_t size;
  // The bank's clock when the request was refused, by RFC 3339. Absent: the present.
  xs2a_str now;
  // A PEM bundle of certificates of other TPPs, and of earlier ones of this TPP. Absent: none.
  xs2a_str certificates;
  // A JSON object as an engine's `policy`, such as `{"key_id_issuer":"exact"}`. Absent: the defaults.
  xs2a_str policy;
  // What a gateway may add to the path or strip from it, such as `/psd2`.
  const xs2a_str *base_paths;
  // How many base paths.
  size_t base_path_count;
  // Calls before this one, the oldest first.
  const xs2a_request *const *earlier;
  // How many calls before.
  size_t earlier_count;
  // How long the search may take. 0: 50.
  uint32_t budget_milliseconds;
} xs2a_explain_options;

// A payment to check. Fill it with zeros, then set `size` and the members you have.
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

// One line in English, safe to log: it has no data of a PSU and no key of its own. It may repeat an argument,
// with control characters and line breaks escaped. Lives as long as `error`; empty where that is NULL.
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

// The name of the operation that the request was routed to, such as `createPayment`. NULL with length 0 for an unknown
// path. Lives as long as `response`.
xs2a_str xs2a_response_operation(const xs2a_response *response);

// The organisation identifier in the TPP's certificate, such as `PSDNO-FSA-912345678`, if the certificate is valid.
// The call is proven to be that TPP's unless it was refused for its signature. NULL with length 0 where it is unknown.
// Lives as long as `response`.
xs2a_str xs2a_response_tpp(const xs2a_response *response);

// The name of the TPP in the subject of its certificate: as xs2a_response_tpp().
xs2a_str xs2a_response_tpp_name(const xs2a_response *response);

// The role at `index` in the TPP's certificate, such as `PSP_AI`, counted from 0; NULL with length 0 after the last:
// as xs2a_response_tpp().
xs2a_str xs2a_response_role(const xs2a_response *response,
                            size_t index);

// How long the call took; zeros where `response` is NULL.
xs2a_timing xs2a_response_timing(const xs2a_response *response);

// Frees a response. NULL is fine.
void xs2a_response_free(xs2a_response *response);

// Gives the complete answer to one request. An answer of 400 or 500 is XS2A_OK: the call succeeds for every request of
// a TPP.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_engine_handle(const xs2a_engine *engine,
                               const xs2a_request *request,
                               xs2a_response **out,
                               xs2a_error **error);

// As xs2a_engine_handle() for one HTTP/1.1 request as bytes, and gives the answer as bytes to send. `message` is one
// complete request and nothing after it, whose body has a Content-Length; any other is answered 400, with the section
// of RFC 9112 that it breaks and the byte where. Close the connection after an answer that has `Connection: close`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
xs2a_result xs2a_engine_handle_http(const xs2a_engine *engine,
                                    xs2a_slice message,
                                    xs2a_bytes **out,
                                    xs2a_error **error);

// Delivers the due orders to the bank: for the host's scheduler. It also writes evidence of reads and statistics that
// wait and deletes expired rows of the database, so a gateway without payments calls it from time to time too.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
xs2a_result xs2a_engine_run_due(const xs2a_engine *engine,
                                xs2a_run_report *out,
                                xs2a_error **error);

// As xs2a_engine_run_due(), until `goes_on` returns 0; it is called before each order, on the thread of this call. For
// a host that shuts down: a call to the bank is not interrupted, after it no order is delivered, and the other orders
// stay due. The rules for callbacks at the beginning of this header apply.
//
// Results: XS2A_NULL_ARGUMENT (goes_on too), XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
xs2a_result xs2a_engine_run_due_while(const xs2a_engine *engine,
                                      int32_t (*goes_on)(void *user_data),
                                      void *user_data,
                                      xs2a_run_report *out,
                                      xs2a_error **error);

// When xs2a_engine_run_due() next has something to do, by RFC 3339 in UTC: to deliver an order, or to write evidence
// of reads that waits. NULL if nothing waits now. The next read may add evidence. The next completed SCA may add an
// order, and so may the next call, if the bank exempts payments from their SCA.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
xs2a_result xs2a_engine_next_due(const xs2a_engine *engine,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Writes the answer, or a further piece of it. Beyond 16 MiB nothing more is taken, and the whole answer is
// discarded. Pieces that several threads write at once are added one after the other, in any order. A writer is valid
// until the callback that received it returns: later nothing is taken, from any thread, and no other answer changes.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback has returned), XS2A_BANK (too long).
xs2a_result xs2a_writer_write(xs2a_writer *writer,
                              xs2a_slice json,
                              xs2a_error **error);

// States why the callback has no answer, for one that then returns another number than 0: an error text of the bank's
// core, such as `the core is closed for the night`. It is part of the engine's log, of the errors of xs2a_engine_…()
// and of a dead letter, so name the fault and not the customer. Beyond 400 characters it is cut. A later text replaces
// it. If the callback returns 0, it is ignored.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (the callback has returned).
xs2a_result xs2a_writer_fail(xs2a_writer *writer,
                             xs2a_str why,
                             xs2a_error **error);

// Makes an engine over the host's own bank. `config`: a JSON object, such as
// `{"database":"sqlite:///var/lib/xs2a.db","trust_anchors":"-----BEGIN CERTIFICATE-----…","policy":{}}`;
// docs/configuration.md lists its keys. The callbacks are copied; what `user_data` points to must outlive the engine,
// and is freed by the callback `destroy`, also if this call fails. Owned by the caller: free it with
// xs2a_engine_free().
//
// Results: XS2A_NULL_ARGUMENT (callbacks, their `call`, or out), XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_CONFIG,
// XS2A_STORE, XS2A_MISUSE (libxs2a and libxs2a_sandbox are both loaded), XS2A_BANK (the callback `sign` failed).
xs2a_result xs2a_engine_new(xs2a_str config,
                            const xs2a_bank_callbacks *callbacks,
                            xs2a_engine **out,
                            xs2a_error **error);

// Frees an engine that xs2a_engine_new() made, after it has written evidence of reads that waits; that this fails is
// logged. Call it after the last call of the engine and of its callbacks has
// returned. NULL does nothing. Do not free the engine of a sandbox: it belongs to the sandbox.
void xs2a_engine_free(xs2a_engine *engine);

// What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as JSON:
// `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, `tppName` if the register or the TPP's
// certificate has a name, and those of `person`, `identity`, `context`, `corporate` and `brand` that the call named.
// `kind` is payment, cancellation, basket, consent or identification; `orders` are payment bodies, with amounts and
// payees, each with its `paymentId`, `product` and `fee` as the bank receives them, and empty for the last two.
// `person` and `corporate` are the bank's own references of the person and company that must complete the SCA;
// `identity` is the person by the number of X-PSU-IDENTITY. NULL if the link is unknown, used or expired.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_STORE.
xs2a_result xs2a_engine_authorisation(const xs2a_engine *engine,
                                      xs2a_str id,
                                      xs2a_text **out,
                                      xs2a_error **error);

// Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
// `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with `corporate`
// in `psu` for the context `CORPORATE`, and without the account ids if the PSU opens all (they are only read for a
// consent); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`,
// `otherPsu`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (the link is unknown), XS2A_EXPIRED (it is used, or older
// than 10 minutes), XS2A_NOT_OFFERED (an account), XS2A_MISUSE (another form), XS2A_STORE, XS2A_BANK. After the last
// four the link stays open. After XS2A_OUTCOME_UNKNOWN it may be
// used: ask xs2a_engine_authorisation().
xs2a_result xs2a_engine_complete_sca(const xs2a_engine *engine,
                                     xs2a_str id,
                                     xs2a_str outcome,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Revokes the consents of a person (the bank's own reference) to a TPP, in every context. `out`: 1 if there was one
// that was not revoked before, an expired one included; else 0, and nothing is changed. The TPP is not notified: its
// next call is answered CONSENT_UNKNOWN.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (U+0000 in the reference), XS2A_STORE.
xs2a_result xs2a_engine_revoke_consent(const xs2a_engine *engine,
                                       xs2a_str person,
                                       xs2a_str organisation_id,
                                       int32_t *out,
                                       xs2a_error **error);

// Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `funds_available`: 1 if
// the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is released by any
// status.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_NOT_FOUND (no such payment),
// XS2A_CONFLICT (a status that cannot follow), XS2A_STORE.
xs2a_result xs2a_engine_report_payment_status(const xs2a_engine *engine,
                                              xs2a_str payment_id,
                                              xs2a_str status,
                                              int8_t funds_available,
                                              xs2a_error **error);

// Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
// xs2a_engine_report_payment_status() reports a status, PDNG where it is merely released. `why` is part of that
// psuMessage, and may be empty.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (no such payment), XS2A_CONFLICT (one that cannot become
// PDNG), XS2A_MISUSE (a `why` of more than 400 characters), XS2A_STORE.
xs2a_result xs2a_engine_report_payment_on_hold(const xs2a_engine *engine,
                                               xs2a_str payment_id,
                                               xs2a_str why,
                                               xs2a_error **error);

// Replaces the trust anchors by the certificates of `pem`, one or several. Only the new ones count from the next call
// on. Gives their number. On a failure the old ones stay.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (no certificate, or one that cannot be read), XS2A_MISUSE
// (the engine of a sandbox).
xs2a_result xs2a_engine_replace_trust_anchors(const xs2a_engine *engine,
                                              xs2a_str pem,
                                              size_t *out,
                                              xs2a_error **error);

// Takes certificate revocation lists: one in DER, or one or several in PEM. Each replaces the earlier list of the same
// issuer key. `authorities`: PEM of the certificates that may have issued them. They count from the next call on.
// Gives the number of lists. On a failure no list is taken. They are not stored in the database:
// supply them after every start, before the first request, or revoked certificates are accepted again.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (a list or an authority that cannot be read; a list that is
// older than the one there, of no authority named, a delta list, without nextUpdate, with a wrong signature),
// XS2A_MISUSE (an engine with the callback `revocation`; the engine of a sandbox).
xs2a_result xs2a_engine_supply_crl(const xs2a_engine *engine,
                                   xs2a_slice lists,
                                   xs2a_str authorities,
                                   size_t *out,
                                   xs2a_error **error);

// Forgets every revocation list that was supplied.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
xs2a_result xs2a_engine_clear_crls(const xs2a_engine *engine, xs2a_error **error);

// When the first revocation list expires (nextUpdate), by RFC 3339 in UTC: supply the next one before. NULL if there
// is none, as after each start.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
xs2a_result xs2a_engine_next_crl_due(const xs2a_engine *engine,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Sets an extract of the European Banking Authority's register, JSON as published, in place of the previous one. From
// the next call on, a TPP is refused that is not in it, or that it does not allow the service in the bank's country
// (policy `country`); before the first extract every certificate that leads to a trust anchor counts. Gives the number
// of institutions. On a failure the old one stays. It is not stored in the database: supply it after every start,
// before the first request.
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

// Replaces the seal that answers are signed with: `certificate` and `private_key` are PEM. With NULL as `private_key`
// the callback `sign` signs with the key of the certificate; it is called once here. The new seal counts from the next
// call on; a call in progress may still be signed by the old one, which stays on a failure. An engine that signed no
// answers signs them from then on.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (a certificate or a key that cannot be read; two that do not
// belong together; a signature that does not verify), XS2A_BANK (the callback failed), XS2A_MISUSE (neither a private
// key nor that callback; the engine of a sandbox).
xs2a_result xs2a_engine_replace_response_key(const xs2a_engine *engine,
                                             xs2a_str certificate,
                                             xs2a_str private_key,
                                             xs2a_error **error);

// The certificates of an EU trusted list (XML of ETSI TS 119 612) for services that issue certificates of a type:
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

// Lists the dead letters, orders that are not delivered to the bank until an operator acts: a JSON array of
// `{"paymentId","attempts","why","since"}`, the oldest first, at most 1000. Their payments do not change until
// xs2a_engine_retry_order(), or until xs2a_engine_report_payment_status() reports its status. An order that cannot be
// read in the store is among them, with the stored value as its payment id.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_engine_dead_letters(const xs2a_engine *engine,
                                     xs2a_text **out,
                                     xs2a_error **error);

// Whether the engine can do its work now, as a JSON object (docs/guide/gateway.md): `{"ok":true,…}`. It reads the
// database and writes nothing. What fails is part of the result.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_engine_health(const xs2a_engine *engine,
                               xs2a_text **out,
                               xs2a_error **error);

// The figures of the engine in Prometheus' text format, version 0.0.4 (docs/guide/gateway.md).
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_engine_metrics(const xs2a_engine *engine, xs2a_text **out, xs2a_error **error);

// Lets a dead letter be delivered again, from now on.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (the payment has no dead letter), XS2A_STORE.
xs2a_result xs2a_engine_retry_order(const xs2a_engine *engine, xs2a_str payment_id, xs2a_error **error);

// Hands the lines of the audit from the time `start` until before `end`, both by RFC 3339, to `take_line`, oldest
// first: each a JSON object in one line (docs/guide/audit.md), which is valid until the callback returns. If the
// callback returns anything but 0, the export ends, without an error. The rules for callbacks at the beginning of this
// header apply. The audit is read in pages: memory does not grow with its length.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (start, end), XS2A_STORE.
xs2a_result xs2a_engine_audit(const xs2a_engine *engine,
                              xs2a_str start,
                              xs2a_str end,
                              int32_t (*take_line)(void *user_data, xs2a_str line),
                              void *user_data,
                              xs2a_error **error);

// Lists consents that count and ended ones, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `after`
// (the `id` of the last row of the page before) and `limit` (1 to 1000, 200 if absent); empty: all. Gives a JSON array
// of `{"id","state","tpp","psu","context","purpose","accounts","cardAccounts","grantedAt","validUntil"}`, and
// `tppName`, `corporate`, `lastAccessAt`, `endedAt`, `endedWhy`, each if there is one. `state` is valid, expired,
// revokedByPsu or replaced; `endedWhy` is expired, revoked or replaced. A consent that was revoked or replaced is
// listed for two years from then. `lastAccessAt` is at most a minute too early.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another query), XS2A_STORE.
xs2a_result xs2a_engine_consents(const xs2a_engine *engine,
                                 xs2a_str query,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Lists payments, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `status`, `createdFrom`,
// `createdTo` (times by RFC 3339, the second exclusive), `after` and `limit` as above; empty: all. Gives a JSON array
// of `{"id","tpp","product","status","order","fee","createdAt"}`, and `psu`, `context`, `corporate`, `fundsAvailable`,
// `onHold`, `basketId`, `authorisedAt`, each if there is one. A page is shorter than `limit` if its orders have 8 MiB:
// the end of the list is an empty page.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another query), XS2A_STORE.
xs2a_result xs2a_engine_payments(const xs2a_engine *engine,
                                 xs2a_str query,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Shows one payment: an object as xs2a_engine_payments() lists, with `events`, its history, oldest first: an array of
// `{"at","from","to","cause"}`. NULL if no payment has the id.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_STORE.
xs2a_result xs2a_engine_payment(const xs2a_engine *engine,
                                xs2a_str payment_id,
                                xs2a_text **out,
                                xs2a_error **error);

// Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in place of an
// earlier block of the same subject. One of both is given, the other is empty: `tpp`, the organisation identifier;
// `certificate`, the SHA-256 of its DER as 64 hexadecimal digits. `until`: when the block ends by itself, by RFC 3339;
// empty: it does not. `why`, at most 400 characters, is for the operator alone. A call that is being answered is
// completed; what PSUs approved before stays.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (until), XS2A_MISUSE (both or none, or another form;
// an `until` that is not later than now; another `why`), XS2A_STORE.
xs2a_result xs2a_engine_block(const xs2a_engine *engine,
                              xs2a_str tpp,
                              xs2a_str certificate,
                              xs2a_str until,
                              xs2a_str why,
                              xs2a_error **error);

// Removes a block, named as for xs2a_engine_block(). `out`: 1; 0 if there was none.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (both or none, or another form), XS2A_STORE.
xs2a_result xs2a_engine_unblock(const xs2a_engine *engine,
                                xs2a_str tpp,
                                xs2a_str certificate,
                                int32_t *out,
                                xs2a_error **error);

// Lists the blocks that have not ended: a JSON array of `{"tpp","since","why"}` or `{"certificate","since","why"}`,
// with `until` if the block ends by itself.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
xs2a_result xs2a_engine_blocked(const xs2a_engine *engine,
                                xs2a_text **out,
                                xs2a_error **error);

// Deletes what the database has of a person and no law keeps: consents, sessions, links, the ids by which TPPs know
// the person, counts of calls (docs/guide/retention.md). `psu`: the bank's own reference. Gives a JSON object:
// `erased`, the number of deleted rows by their kind, and `kept`, an array of `{"what","count","until","why"}`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFLICT (a payment of the person is open; the message names
// it), XS2A_STORE.
xs2a_result xs2a_engine_erase_psu(const xs2a_engine *engine,
                                  xs2a_str psu,
                                  xs2a_text **out,
                                  xs2a_error **error);

// The figures of the interface for each day (Europe/Oslo) from the first to the last, as `YYYY-MM-DD`, at most 400
// (docs/guide/statistics.md). `tpp`: the organisation identifier of the TPP whose requests are counted; empty: all.
// Gives a JSON array of `{"day","seconds","uptimePercent","downtimeSeconds","aisp","pisp","all","operations"}`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (other days), XS2A_STORE.
xs2a_result xs2a_engine_statistics(const xs2a_engine *engine,
                                   xs2a_str first_day,
                                   xs2a_str last_day,
                                   xs2a_str tpp,
                                   xs2a_text **out,
                                   xs2a_error **error);

// As xs2a_engine_statistics(), as a CSV (RFC 4180) with a header and a row for each day, without operations.
//
// Results: as xs2a_engine_statistics().
xs2a_result xs2a_engine_statistics_csv(const xs2a_engine *engine,
                                       xs2a_str first_day,
                                       xs2a_str last_day,
                                       xs2a_str tpp,
                                       xs2a_text **out,
                                       xs2a_error **error);

// The text that is signed, for a list of names as in a Signature header, such as `date digest x-request-id`. The body
// is not read.
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

// Verifies a signed request as the engine does: certificate, Digest, Date, signature. `now`: by RFC 3339.
// `trust_anchors`: a PEM bundle; absent (NULL, not an empty text): the chain is not checked.
//
// Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; `text` names the header concerned,
// such as `Date: the header is required`; `certificate` has the form of xs2a_parse_certificate(), or is null.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
xs2a_result xs2a_verify_signature(const xs2a_request *request,
                                  xs2a_str now,
                                  xs2a_str trust_anchors,
                                  xs2a_text **out,
                                  xs2a_error **error);

// Verifies a bank's signed answer: certificate (ASPSP-Signature-Certificate), Digest, Date, signature. `body`: as it
// was received, before it is decompressed. `now`: by RFC 3339; absent: the present. `trust_anchors`: a PEM bundle;
// absent (NULL, not an empty text): the chain is not checked.
//
// Gives JSON as xs2a_verify_signature() does. The caller has to compare X-Request-ID with that of the request. The
// status and the other headers are not signed.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
xs2a_result xs2a_verify_response(const xs2a_header *headers,
                                 size_t header_count,
                                 xs2a_slice body,
                                 xs2a_str now,
                                 xs2a_str trust_anchors,
                                 xs2a_text **out,
                                 xs2a_error **error);

// Finds the mistake that made a signature, Digest, keyId, certificate or Date fail. A mistake is named only if it is
// proven. `options` NULL: every default.
//
// Gives JSON: `{"ok":false,"reason":"SIG-13","mistake":"trailing-newline","text":"…","proof":"hash","expected":"…",
// "signed":"…","hypotheses":12}`. text says what was done and what to do instead; expected is the signing string as
// the bank builds it, signed the one that was signed, bytes that are not UTF-8 as \xNN; null where there is none.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (certificates,
// policy).
xs2a_result xs2a_explain(const xs2a_request *request,
                         const xs2a_explain_options *options,
                         xs2a_text **json,
                         xs2a_error **error);

// Every mistake that xs2a_explain() may name, as a JSON array, those of one part of a request together:
// `[{"id":"trailing-newline","sentence":"…","advice":"…","source":"…","wrong":"…","right":"…"}]`.
//
// Results: XS2A_NULL_ARGUMENT.
xs2a_result xs2a_mistakes(xs2a_text **out, xs2a_error **error);

// What an engine would say about a payment before the bank is asked. Gives a JSON array, empty where the body
// is fine: `[{"category":"ERROR","code":"FORMAT_ERROR","path":"/creditorName","text":"…"}]`.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (at), XS2A_MISUSE (environment; at is
// outside of the years 1 to 9999).
xs2a_result xs2a_validate_payment(const xs2a_payment_check *check,
                                  xs2a_text **out,
                                  xs2a_error **error);

// The interface that TPPs call, as an OpenAPI 3.1 document in JSON. That of a sandbox also has the sandbox's own
// routes. `environment`: `sandbox` or `production`; absent: `sandbox` in libxs2a_sandbox, and `production` in libxs2a,
// which has no other. `base_path`: as in the engine's policy, such as `/psd2`; absent: empty.
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

// How many fraction digits amounts of a currency have (ISO 4217). XDR has no defined number: its amounts
// have up to five, and this function returns 5.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (a code that is not accepted).
xs2a_result xs2a_minor_units(xs2a_str currency, uint8_t *out, xs2a_error **error);

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

// Checks an answer as an engine does that asks its bank `question`: the members, their values, and what the answer has
// to repeat. For tests of a bank, without an engine; docs/guide/gateway.md shows one. `method` is a question of
// docs/bank.md, `question` and `answer` are JSON.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (method), XS2A_MISUSE (the question is no JSON
// object), XS2A_BANK (an engine would not take the answer; the message has the place as a JSON Pointer).
xs2a_result xs2a_check_bank_answer(xs2a_str method,
                                   xs2a_str question,
                                   xs2a_str answer,
                                   xs2a_error **error);

// Writes a text as a JSON string: in quotes, with `"`, `\` and control characters escaped. For programs without a
// JSON library, which put a configuration, a query or an answer of the bank together from pieces: no text can end its
// string.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8.
xs2a_result xs2a_json_string(xs2a_str text,
                             xs2a_text **out,
                             xs2a_error **error);

// Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
// contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double holds it.
// For programs without a JSON library; each call reads the whole text.
//
// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (not JSON, or nested too deep), XS2A_NOT_FOUND
// (no such member).
xs2a_result xs2a_json_at(xs2a_str json,
                         xs2a_str pointer,
                         xs2a_text **out,
                         xs2a_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* XS2A_H */
