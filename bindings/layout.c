// The layouts that the bindings for Java and .NET assume: each struct is a row of words of 8 bytes, in the order of the
// header; a smaller number is in the low bytes of its word. The compiler compares them with the headers.

#include <stddef.h>

#include "xs2a_sandbox.h"

#define WORD(at, type, member) \
    _Static_assert(offsetof(type, member) == 8 * (at), #type "." #member " is not where the bindings write it")
#define WORDS(count, type) _Static_assert(sizeof(type) == 8 * (count), "the bindings write " #type " of another size")

WORDS(2, xs2a_str);
WORD(1, xs2a_str, len);
WORDS(2, xs2a_slice);
WORD(1, xs2a_slice, len);
WORDS(4, xs2a_header);
WORD(2, xs2a_header, value);

WORDS(11, xs2a_request);
WORD(1, xs2a_request, method);
WORD(3, xs2a_request, target);
WORD(5, xs2a_request, headers);
WORD(6, xs2a_request, header_count);
WORD(7, xs2a_request, body);
WORD(9, xs2a_request, correlation_id);

WORDS(3, xs2a_timing);
WORD(1, xs2a_timing, bank);
WORD(2, xs2a_timing, store);

WORDS(4, xs2a_run_report);
WORD(1, xs2a_run_report, withdrawn);
WORD(2, xs2a_run_report, failed);
WORD(3, xs2a_run_report, dead_letters);

WORDS(9, xs2a_bank_callbacks);
WORD(1, xs2a_bank_callbacks, user_data);
WORD(2, xs2a_bank_callbacks, call);
WORD(3, xs2a_bank_callbacks, is_registered);
WORD(4, xs2a_bank_callbacks, now);
WORD(5, xs2a_bank_callbacks, log);
WORD(6, xs2a_bank_callbacks, revocation);
WORD(7, xs2a_bank_callbacks, sign);
WORD(8, xs2a_bank_callbacks, destroy);

WORDS(12, xs2a_explain_options);
WORD(1, xs2a_explain_options, now);
WORD(3, xs2a_explain_options, certificates);
WORD(5, xs2a_explain_options, policy);
WORD(7, xs2a_explain_options, base_paths);
WORD(8, xs2a_explain_options, base_path_count);
WORD(9, xs2a_explain_options, earlier);
WORD(10, xs2a_explain_options, earlier_count);
WORD(11, xs2a_explain_options, budget_milliseconds);

WORDS(13, xs2a_payment_check);
WORD(1, xs2a_payment_check, service);
WORD(3, xs2a_payment_check, product);
WORD(5, xs2a_payment_check, body);
WORD(7, xs2a_payment_check, at);
WORD(9, xs2a_payment_check, environment);
WORD(11, xs2a_payment_check, accept_fix);

WORDS(10, xs2a_sandbox_options);
WORD(1, xs2a_sandbox_options, database);
WORD(3, xs2a_sandbox_options, now);
WORD(5, xs2a_sandbox_options, seed);
WORD(6, xs2a_sandbox_options, base_path);
WORD(8, xs2a_sandbox_options, policy);

WORDS(7, xs2a_journal_options);
WORD(1, xs2a_journal_options, form);
WORD(3, xs2a_journal_options, origin);
WORD(5, xs2a_journal_options, last);
WORD(6, xs2a_journal_options, unmasked);

WORDS(10, xs2a_sca_answer);
WORD(1, xs2a_sca_answer, customer_number);
WORD(3, xs2a_sca_answer, context);
WORD(5, xs2a_sca_answer, agreement);
WORD(7, xs2a_sca_answer, accounts);
WORD(8, xs2a_sca_answer, account_count);
WORD(9, xs2a_sca_answer, approve);
