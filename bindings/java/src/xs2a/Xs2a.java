package xs2a;

import java.util.List;

/** The functions that need no engine. */
public final class Xs2a extends ToolCalls {
    private Xs2a() {}

    /**
     * What an explanation may use beside the request. A text that is null is absent.
     *
     * @param now the bank's clock when the request was refused, by RFC 3339; absent: the present
     * @param certificates a PEM bundle of certificates of other TPPs, and of earlier ones of this TPP
     * @param policy a JSON object as an engine's {@code policy}
     * @param basePaths what a gateway may add to the path or strip from it, such as {@code /psd2}
     * @param earlier calls before this one, the oldest first
     * @param budgetMilliseconds how long the search may take; 0: 50
     */
    public record ExplainOptions(String now, String certificates, String policy, List<String> basePaths,
            List<Request> earlier, int budgetMilliseconds) {}

    /**
     * Finds the mistake that made a signature, Digest, keyId, certificate or Date fail. Gives JSON with the members ok,
     * reason, mistake, text, proof, expected, signed and hypotheses.
     */
    public static String explain(Request request, ExplainOptions options) {
        return Calls.takeText(Calls.run("xs2a_explain", true, frame -> new Object[] {request,
                frame.struct(options.now(), options.certificates(), options.policy(),
                        frame.array(options.basePaths()), options.basePaths().size(), frame.array(options.earlier()),
                        options.earlier().size(), options.budgetMilliseconds())}));
    }

    /**
     * A payment to check. A text that is null is absent.
     *
     * @param service the payment service, such as {@code payments}
     * @param product the payment product, such as {@code sepa-credit-transfers}
     * @param at when it would be sent, by RFC 3339; absent: now
     * @param environment {@code sandbox} or {@code production}; absent: {@code sandbox}
     * @param acceptFix as the x-accept-fix header: names of announced changes, with commas between
     */
    public record PaymentCheck(String service, String product, byte[] body, String at, String environment,
            String acceptFix) {}

    /** What an engine would say about a payment before the bank is asked: a JSON array, empty for a good body. */
    public static String validatePayment(PaymentCheck check) {
        return Calls.takeText(Calls.run("xs2a_validate_payment", true, frame -> new Object[] {frame.struct(
                check.service(), check.product(), check.body(), check.at(), check.environment(), check.acceptFix())}));
    }

    /** The status of a signing basket of payments with these statuses: the worst case among them. */
    public static String basketStatus(List<String> paymentStatuses) {
        return Calls.takeText(Calls.run("xs2a_basket_status", true,
                frame -> new Object[] {frame.array(paymentStatuses), paymentStatuses.size()}));
    }

    /**
     * Verifies a bank's signed answer; the body is as it was received. Gives JSON as {@link #verifySignature} does.
     *
     * @param now by RFC 3339; null: the present
     * @param trustAnchors a PEM bundle; null, not an empty text: the chain is not checked
     */
    public static String verifyResponse(List<Header> headers, byte[] body, String now, String trustAnchors) {
        return Calls.takeText(Calls.run("xs2a_verify_response", true,
                frame -> new Object[] {frame.headers(headers), headers.size(), body, now, trustAnchors}));
    }
}
