import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import xs2a.Bank;
import xs2a.Engine;
import xs2a.Header;
import xs2a.Request;
import xs2a.Response;
import xs2a.Sandbox;
import xs2a.SandboxOptions;
import xs2a.Tpp;

/** An engine over the toy bank, and a TPP that calls it. */
final class Gateway implements AutoCloseable {
    static final String STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
    static final String APPROVED = "{\"outcome\":\"approved\",\"psu\":{\"person\":\"kari\",\"context\":\"PRIVATE\"}}";
    static final String PAYMENT = """
            {"instructedAmount":{"amount":"250.00","currency":"NOK"},"creditorName":"Testodius To",\
            "creditorAccount":{"bban":"95360573037","currency":"NOK"},"creditorAddress":{"townName":"Oslo",\
            "country":"NO"},"debtorAccount":{"bban":"95360573002","currency":"NOK"}}""";
    static final List<Header> HEADERS = List.of(new Header("x-accept-fix", ""),
            new Header("TPP-Session-ID", "session-1"), new Header("TPP-Redirect-URI", "https://tpp.example/"),
            new Header("PSU-Context", "PRIVATE"), new Header("PSU-IP-Address", "192.0.2.1"),
            new Header("Content-Type", "application/json"));

    final ToyBank bank = new ToyBank();
    final Sandbox sandbox = Sandbox.open(SandboxOptions.repeatable(1, "2026-09-01T10:00:00Z"));
    final Tpp tpp = sandbox.registerTpp("Acme Pay", "AISP,PISP");
    final Engine engine;

    Gateway() {
        engine = Engine.open(configuration(tpp.certificatePem()), bank.bank());
    }

    /** An engine whose bank and configuration depend on sandbox and TPP. */
    Gateway(BiFunction<Gateway, Bank, Bank> change, Function<Gateway, String> configuration) {
        engine = Engine.open(configuration.apply(this), change.apply(this, bank.bank()));
    }

    static String configuration(String pem) {
        return "{\"database\":\"sqlite::memory:\",\"trust_anchors\":\"" + pem.replace("\n", "\\n")
                + "\",\"policy\":{\"account_check_digit\":\"warn\"}}";
    }

    @Override
    public void close() {
        engine.close();
        tpp.close();
        sandbox.close();
    }

    Response call(String method, String target, String body) {
        return callAs(null, method, target, body);
    }

    /** A call with the gateway's own id of it. */
    Response callAs(String correlationId, String method, String target, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Request request = new Request(method, target, HEADERS, bytes).withCorrelationId(correlationId);
        return engine.handle(tpp.sign(request));
    }

    /** A new payment. */
    Response create() {
        return call("POST", STRAKS + "?allowLogicalDuplicate=true", PAYMENT);
    }

    /** The id of the authorisation of an answer. */
    static String authorisation(Response created) {
        String link = created.at("/_links/scaRedirect/href");
        return link.substring(link.lastIndexOf('/') + 1);
    }
}
