import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import xs2a.BankException;
import xs2a.LogRecord;
import xs2a.Response;
import xs2a.Result;
import xs2a.RevocationStatus;
import xs2a.Xs2a;
import xs2a.Xs2aException;

/** The tests of what a bank's functions explain, and of the functions for revocation and for the seal. */
final class CallbackTest {
    private static final String NOW = "2026-09-01T10:00:00Z";
    private static final String WHY = "core: closed \"for\" the night";

    static void errorTextReachesTheLogAndOtherExceptionsDoNot() {
        try (Gateway gateway = new Gateway()) {
            gateway.bank.explained.put("fee", WHY);
            assertLogged(gateway, "bank: fee: " + WHY);
            gateway.bank.explained.clear();
            gateway.bank.first.put("fee", () -> {
                throw new IllegalStateException("Kari Nordmann");
            });
            assertLogged(gateway, "bank: fee: the callback gave 1");
            gateway.bank.first.clear();
            String id = Gateway.authorisation(gateway.create());
            gateway.bank.explained.put("debtor_account", WHY);
            Xs2aException failed = BindingTest.thrown(Xs2aException.class,
                    () -> gateway.engine.completeSca(id, Gateway.APPROVED));
            BindingTest.equal(Result.BANK, failed.code());
            BindingTest.check(failed.getMessage().contains("debtor_account: " + WHY), failed);
        }
    }

    private static void assertLogged(Gateway gateway, String error) {
        gateway.bank.logged.clear();
        BindingTest.equal("SYS-02", gateway.create().reason());
        BindingTest.equal(1, gateway.bank.logged.size());
        LogRecord record = gateway.bank.logged.get(0);
        BindingTest.equal("error", record.level());
        BindingTest.equal("xs2a::pipeline::stages::respond", record.target());
        BindingTest.equal("a request could not be processed", record.message());
        BindingTest.equal(error, Xs2a.jsonAt(record.fields(), "/error"));
        BindingTest.equal("createPayment", Xs2a.jsonAt(record.fields(), "/operation"));
    }

    private static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der));
    }

    private static String configuration(String pem, String more) {
        return "{\"database\":\"sqlite::memory:\",\"trust_anchors\":" + Xs2a.jsonString(pem) + more + "}";
    }

    static void revocationIsAskedOnEveryCall() {
        AtomicReference<RevocationStatus> status = new AtomicReference<>();
        try (Gateway gateway = new Gateway((own, bank) -> bank.revocation((certificate, issuer) -> {
            certificate(certificate).verify(certificate(issuer).getPublicKey());
            return status.get();
        }), own -> configuration(own.sandbox.rootPem(),
                ",\"policy\":{\"account_check_digit\":\"warn\",\"missing_crl\":\"refuse\"}"))) {
            for (RevocationStatus given : RevocationStatus.values()) {
                status.set(given);
                String reason = switch (given) {
                    case GOOD -> "";
                    case REVOKED -> "CRT-15";
                    case STALE -> "CRT-16";
                    case UNLISTED -> "CRT-17";
                };
                Response answer = gateway.create();
                BindingTest.equal(reason, answer.reason() == null ? "" : answer.reason());
            }
            BindingTest.equal(0, gateway.bank.failures.size());
            status.set(null);
            BindingTest.equal("SYS-02", gateway.create().reason());
            BindingTest.check(gateway.bank.failures.get(0).startsWith("revocation: "), gateway.bank.failures);
            BindingTest.fails(Result.MISUSE, () -> gateway.engine.supplyCrl(new byte[] {'x'}, ""));
        }
    }

    private static byte[] der(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    }

    static void answersAreSignedByAKeyThatTheEngineDoesNotHave() {
        AtomicReference<String> failure = new AtomicReference<>();
        try (Gateway gateway = new Gateway((own, bank) -> bank.signer((certificate, text) -> {
            if (failure.get() != null) {
                throw new BankException(failure.get());
            }
            BindingTest.equal(certificate(der(own.tpp.certificatePem())), certificate(certificate));
            PrivateKey key = KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(der(own.tpp.privateKeyPem())));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(text);
            return signature.sign();
        }), own -> configuration(own.tpp.certificatePem(), ",\"response_key\":{\"certificate\":"
                + Xs2a.jsonString(own.tpp.certificatePem())
                + "},\"policy\":{\"account_check_digit\":\"warn\",\"sign_responses\":true}"))) {
            String trusted = gateway.tpp.certificatePem();
            Response answer = gateway.create();
            BindingTest.equal(201, answer.status());
            String found = Xs2a.verifyResponse(answer.headers(), answer.body(), NOW, trusted);
            BindingTest.equal("true", Xs2a.jsonAt(found, "/ok"));
            failure.set("the token is locked");
            BindingTest.equal(500, gateway.create().status());
            LogRecord last = gateway.bank.logged.get(gateway.bank.logged.size() - 1);
            BindingTest.equal("bank: sign: the token is locked", Xs2a.jsonAt(last.fields(), "/error"));
            BindingTest.fails(Result.BANK, () -> gateway.engine.replaceResponseKey(trusted, null));
            failure.set(null);
            gateway.engine.replaceResponseKey(trusted, null);
            BindingTest.equal(201, gateway.create().status());
        }
    }

    static void run() {
        errorTextReachesTheLogAndOtherExceptionsDoNot();
        revocationIsAskedOnEveryCall();
        answersAreSignedByAKeyThatTheEngineDoesNotHave();
    }
}
