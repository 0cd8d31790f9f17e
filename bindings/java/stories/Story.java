import java.util.List;
import xs2a.Header;
import xs2a.Request;
import xs2a.Response;
import xs2a.Sandbox;
import xs2a.SandboxOptions;
import xs2a.ScaAnswer;
import xs2a.Tpp;
import xs2a.Xs2a;

/** What the stories share: a sandbox that gives the same bytes every time, and a TPP that signs. */
final class Story implements AutoCloseable {
    static final String PAYMENTS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
    static final String CUSTOMER = "13039319955";
    static final Header REDIRECT = new Header("TPP-Redirect-URI", "https://tpp.example/callback?state=42");
    static final Header SESSION = new Header("TPP-Session-ID", "session-1");
    static final Header PRESENT = new Header("PSU-IP-Address", "192.0.2.1");
    static final List<Header> HEADERS = List.of(new Header("x-accept-fix", ""), SESSION, REDIRECT,
            new Header("PSU-Context", "PRIVATE"), PRESENT, new Header("Content-Type", "application/json"));
    static final String INVOICE = "\"remittanceInformationUnstructured\":\"Invoice 1001\"";

    final Sandbox bank = Sandbox.open(SandboxOptions.repeatable(1, "2026-09-01T10:00:00Z"));
    final Tpp tpp = bank.registerTpp("Acme Pay", "AISP,PISP");

    @Override
    public void close() {
        tpp.close();
        bank.close();
    }

    /** Signs as the TPP, and sends to the bank. */
    Response send(String method, String target, List<Header> headers, String body) {
        return send(bank, tpp, method, target, headers, body);
    }

    static Response send(Sandbox bank, Tpp tpp, String method, String target, List<Header> headers, String body) {
        return bank.handle(tpp.sign(new Request(method, target, headers, bytes(body))));
    }

    Response get(String target, List<Header> headers) {
        return send("GET", target, headers, "");
    }

    /** The customer approves at the bank; gives the URL to which the customer is sent back. */
    String approve(String link) {
        return bank.authorise(link, ScaAnswer.approve(CUSTOMER));
    }

    static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    static String psuId(String callback) {
        return callback.split("psu-id=")[1].split("&")[0];
    }

    /** The body of a payment. */
    static String order(String amount, String creditor, String debtor, String remittance) {
        return """
                {"instructedAmount":{"amount":"%s","currency":"NOK"},"creditorName":"Testodius To",\
                "creditorAccount":{"bban":"%s","currency":"NOK"},"creditorAddress":{"townName":"Oslo","country":"NO"},\
                "debtorAccount":{"bban":"%s","currency":"NOK"},%s}""".formatted(amount, creditor, debtor, remittance);
    }

    /** The number of members of a JSON array. */
    static int count(String array) {
        int count = 0;
        while (has(array, "/" + count)) {
            count++;
        }
        return count;
    }

    static boolean has(String json, String pointer) {
        try {
            Xs2a.jsonAt(json, pointer);
            return true;
        } catch (xs2a.Xs2aException none) {
            return false;
        }
    }
}
