import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import xs2a.Engine;
import xs2a.Request;
import xs2a.Response;
import xs2a.Result;
import xs2a.RunReport;
import xs2a.Timing;
import xs2a.Xs2a;

/** The tests of what a gateway records of its calls, and of what an operator asks and does. */
final class OperateTest {
    private static void equalAt(String json, String pointer, String expected) {
        BindingTest.equal(expected, Xs2a.jsonAt(json, pointer));
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    static void answerHasTheRecordOfItsCall() {
        try (Gateway gateway = new Gateway()) {
            gateway.bank.first.put("fee", OperateTest::pause);
            Response created = gateway.create();
            BindingTest.equal("createPayment", created.operation());
            BindingTest.equal(gateway.tpp.organisationId(), created.tpp());
            BindingTest.equal("Acme Pay", created.tppName());
            BindingTest.equal(List.of("PSP_PI", "PSP_AI"), created.roles());
            Timing took = created.timing();
            Duration minute = Duration.ofMinutes(1);
            BindingTest.check(took.bank().compareTo(Duration.ofMillis(2)) >= 0 && took.bank().compareTo(minute) < 0,
                    took);
            BindingTest.check(!took.store().isZero() && took.total().compareTo(took.bank().plus(took.store())) >= 0
                    && took.total().compareTo(minute) < 0, took);
            Response unsigned = gateway.engine.handle(new Request("GET", "/v1/accounts", List.of()));
            BindingTest.equal("getAccounts", unsigned.operation());
            BindingTest.check(unsigned.tpp() == null && unsigned.tppName() == null, unsigned);
            BindingTest.equal(List.of(), unsigned.roles());
            Response unknown = gateway.engine.handle(new Request("GET", "/v1/unknown", List.of()));
            BindingTest.check(unknown.operation() == null, unknown.operation());
        }
    }

    static void correlationIdReachesTheBank() {
        try (Gateway gateway = new Gateway()) {
            String longest = "x".repeat(64);
            for (String id : List.of("gateway-7", longest)) {
                gateway.callAs(id, "POST", Gateway.STRAKS + "?allowLogicalDuplicate=true", Gateway.PAYMENT);
                equalAt(gateway.bank.asked.get("fee"), "/correlationId", id);
            }
            gateway.create();
            String asked = gateway.bank.asked.get("fee");
            BindingTest.check(!asked.contains("correlationId"), asked);
            for (String wrong : List.of("a b", "å", longest + "x")) {
                Request request = new Request("GET", "/v1/accounts", List.of()).withCorrelationId(wrong);
                BindingTest.fails(Result.MISUSE, () -> gateway.engine.handle(request));
            }
        }
    }

    static void runEndsWhenTheHostSaysSo() {
        try (Gateway gateway = new Gateway()) {
            Engine engine = gateway.engine;
            for (int i = 0; i < 3; i++) {
                engine.completeSca(Gateway.authorisation(gateway.create()), Gateway.APPROVED);
            }
            // The first order ends the run.
            BindingTest.equal(new RunReport(1, 0, 0, 0), engine.runDueWhile(gateway.bank.orders::isEmpty));
            BindingTest.thrown(IllegalArgumentException.class, () -> engine.runDueWhile(() -> {
                throw new IllegalArgumentException("by intention");
            }));
            BindingTest.equal(1, gateway.bank.orders.size());
            BindingTest.equal(new RunReport(2, 0, 0, 0), engine.runDueWhile(() -> true));
            engine.close();
            BindingTest.thrown(IllegalStateException.class, () -> engine.runDueWhile(() -> true));
        }
    }

    static void healthAndFiguresAreGivenAsText() {
        try (Gateway gateway = new Gateway()) {
            gateway.create();
            String health = gateway.engine.health();
            equalAt(health, "/ok", "true");
            equalAt(health, "/trustAnchors/valid", "1");
            String figures = gateway.engine.metrics();
            String counted = "xs2a_requests_total{operation=\"createPayment\",status=\"201\"} 1\n";
            BindingTest.check(figures.contains(counted), figures);
        }
    }

    static void consentsAndPaymentsAreListed() {
        try (Gateway gateway = new Gateway()) {
            Engine engine = gateway.engine;
            Response started = gateway.call("POST", "/v1/bank-offered-consents", "");
            engine.completeSca(Gateway.authorisation(started), Gateway.APPROVED);
            equalAt(engine.consents("{\"psu\":\"kari\",\"limit\":1}"), "/0/state", "valid");
            BindingTest.equal("[]", engine.consents("{\"psu\":\"ola\"}"));
            BindingTest.equal(true, engine.revokeConsent("kari", gateway.tpp.organisationId()));
            BindingTest.equal(false, engine.revokeConsent("kari", gateway.tpp.organisationId()));
            equalAt(engine.consents(""), "/0/state", "revokedByPsu");
            Response created = gateway.create();
            String path = created.at("/_links/self/href");
            String payment = path.substring(path.lastIndexOf('/') + 1);
            equalAt(engine.payments(""), "/0/id", payment);
            BindingTest.equal("[]", engine.payments("{\"after\":\"" + payment + "\"}"));
            engine.completeSca(Gateway.authorisation(created), Gateway.APPROVED);
            equalAt(engine.payment(payment), "/events/0/from", "RCVD");
            BindingTest.check(engine.payment("unknown") == null, "an unknown payment");
            BindingTest.fails(Result.MISUSE, () -> engine.consents("{\"limit\":0}"));
        }
    }

    /** The SHA-256 of the DER of a certificate. */
    private static String digest(String pem) {
        try {
            var stream = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
            byte[] der = CertificateFactory.getInstance("X.509").generateCertificate(stream).getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
        } catch (GeneralSecurityException failed) {
            throw new AssertionError(failed);
        }
    }

    static void blockedTppIsRefusedUntilItIsUnblocked() {
        try (Gateway gateway = new Gateway()) {
            String tpp = gateway.tpp.organisationId();
            blocks(gateway, tpp, null, Map.of("/0/tpp", tpp), "TPP-03");
            String certificate = digest(gateway.tpp.certificatePem());
            blocks(gateway, null, certificate, Map.of("/0/certificate", certificate), "TPP-04");
            BindingTest.fails(Result.MISUSE, () -> gateway.engine.block(null, null, null, null));
            BindingTest.fails(Result.BAD_ARGUMENT, () -> gateway.engine.block(tpp, "", "tomorrow", ""));
        }
    }

    private static void blocks(Gateway gateway, String tpp, String certificate, Map<String, String> subject,
            String reason) {
        String until = "2026-09-01T10:00:01Z";
        gateway.engine.block(tpp, certificate, until, "phishing");
        Response refused = gateway.create();
        BindingTest.equal(403, refused.status());
        BindingTest.equal(reason, refused.reason());
        String blocked = gateway.engine.blocked();
        subject.forEach((pointer, expected) -> equalAt(blocked, pointer, expected));
        equalAt(blocked, "/0/until", until);
        equalAt(blocked, "/0/why", "phishing");
        BindingTest.equal(true, gateway.engine.unblock(tpp, certificate));
        BindingTest.equal(false, gateway.engine.unblock(tpp, certificate));
        BindingTest.equal(201, gateway.create().status());
    }

    static void run() {
        answerHasTheRecordOfItsCall();
        correlationIdReachesTheBank();
        runEndsWhenTheHostSaysSo();
        healthAndFiguresAreGivenAsText();
        consentsAndPaymentsAreListed();
        blockedTppIsRefusedUntilItIsUnblocked();
    }
}
