// What libxs2a does without the sandbox: tools, vectors, and an engine over the toy bank that TPPs call. Argument: the
// folder of the shared vectors.

#include "../toy_bank.h"

static void the_interface_has_no_route_of_a_sandbox(void) {
    const xs2a_str absent = xs2a_str_of(NULL);
    xs2a_text *text = NULL, *of_production = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_openapi(absent, absent, &text, &error));
    OK(xs2a_openapi(xs2a_str_of("production"), absent, &of_production, &error));
    CHECK(same(xs2a_text_str(text), xs2a_text_str(of_production)));
    CHECK(contains(xs2a_text_str(text), xs2a_str_of("/v1/accounts")));
    CHECK(!contains(xs2a_text_str(text), xs2a_str_of("/v1/sandbox")));
    xs2a_text_free(text);
    xs2a_text_free(of_production);
    FAILS(XS2A_MISUSE, xs2a_openapi(xs2a_str_of("sandbox"), absent, &text, &error));
}

// Keys that the simulated bank alone reads.
static void policies_of_a_sandbox_are_unknown(const char *folder) {
    xs2a_str cases;
    char *buffer = read_file(folder, "trust.json", &cases), config[8192];
    const char *const policies[] = {"\"rates\":{}", "\"accept_foreign_debtor\":true", "\"explain_to_tpp\":true",
                                    "\"scenario_header\":true", "\"audit\":false"};
    const size_t unknown = sizeof policies / sizeof *policies - 1;
    xs2a_text *anchors = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(cases, xs2a_str_of("/0/config/trust_anchors"), &anchors, &error));
    const xs2a_str pem = xs2a_text_str(anchors);
    for (size_t i = 0; i <= unknown; i++) {
        size_t end = (size_t)snprintf(config, sizeof config, "{\"database\":\"sqlite::memory:\",\"policy\":{%s},"
                                      "\"trust_anchors\":\"", policies[i]);
        for (size_t at = 0; at < pem.len; at++) {
            CHECK(end + 8 < sizeof config);
            end += (size_t)snprintf(config + end, 3, pem.data[at] == '\n' ? "\\n" : "%c", pem.data[at]);
        }
        snprintf(config + end, sizeof config - end, "\"}");
        toy_bank bank = {0};
        const xs2a_bank_callbacks callbacks = toy_callbacks(&bank);
        xs2a_engine *engine = NULL;
        if (i < unknown) {
            FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
        } else {
            OK(xs2a_engine_new(xs2a_str_of(config), &callbacks, &engine, &error));
        }
        xs2a_engine_free(engine);
    }
    xs2a_text_free(anchors);
    free(buffer);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s <folder of the vectors>\n", arguments[0]);
        return EXIT_FAILURE;
    }
    RUN(test_plain_shapes());
    RUN(test_tools());
    RUN(test_vectors(arguments[1]));
    RUN(test_explain(arguments[1]));
    RUN(test_trust(arguments[1]));
    RUN(the_interface_has_no_route_of_a_sandbox());
    RUN(policies_of_a_sandbox_are_unknown(arguments[1]));
    return EXIT_SUCCESS;
}
