// The trust of a sandbox's engine is not replaced, and what is not as it must be is refused.

#include "sandbox.h"

void test_trust_of_a_sandbox(void) {
    const xs2a_str text = xs2a_str_of("text"), not_utf8 = xs2a_str_of("\xff"), at = xs2a_str_of("2026-09-01T10:00:00Z");
    const xs2a_slice bytes = xs2a_slice_of("bytes"), torn = {NULL, 1};
    xs2a_sandbox *sandbox = new_sandbox();
    const xs2a_engine *engines[] = {NULL, xs2a_sandbox_engine(sandbox)};
    const xs2a_result expected[] = {XS2A_NULL_ARGUMENT, XS2A_MISUSE};
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    size_t count = SIZE_MAX;
    for (int i = 0; i < 2; i++) {
        const xs2a_engine *engine = engines[i];
        FAILS(expected[i], xs2a_engine_replace_trust_anchors(engine, text, &count, &error));
        FAILS(expected[i], xs2a_engine_supply_crl(engine, bytes, text, &count, &error));
        FAILS(expected[i], xs2a_engine_clear_crls(engine, &error));
        FAILS(expected[i], xs2a_engine_next_crl_due(engine, &out, &error));
        FAILS(expected[i], xs2a_engine_replace_register(engine, bytes, &count, &error));
        FAILS(expected[i], xs2a_engine_forget_registration(engine, text, &error));
    }
    const xs2a_engine *engine = engines[1];
    FAILS(XS2A_NOT_UTF8, xs2a_engine_replace_trust_anchors(engine, not_utf8, &count, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_engine_supply_crl(engine, bytes, not_utf8, &count, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_supply_crl(engine, torn, text, &count, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_replace_register(engine, torn, &count, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_engine_forget_registration(engine, not_utf8, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_replace_trust_anchors(engine, text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_trusted_list_anchors(torn, text, at, &out, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_trusted_list_anchors(bytes, not_utf8, at, &out, &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_trusted_list_anchors(bytes, text, text, &out, &error));
    FAILS(XS2A_MISUSE, xs2a_trusted_list_anchors(bytes, text, at, &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text) && count == SIZE_MAX);
    xs2a_sandbox_free(sandbox);
}
