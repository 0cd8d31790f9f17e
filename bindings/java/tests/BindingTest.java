import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import xs2a.Bank;
import xs2a.Engine;
import xs2a.Header;
import xs2a.Request;
import xs2a.Response;
import xs2a.Result;
import xs2a.RunReport;
import xs2a.Sandbox;
import xs2a.SandboxOptions;
import xs2a.ScaAnswer;
import xs2a.Xs2a;
import xs2a.Xs2aException;

/** The tests of the binding: the first check that does not hold ends the program. */
final class BindingTest {
    private static final String NOW = "2026-09-01T10:00:00Z";

    static void check(boolean holds, Object found) {
        if (!holds) {
            throw new AssertionError("found: " + found);
        }
    }

    static void equal(Object expected, Object found) {
        check(expected.equals(found), found + ", not " + expected);
    }

    static void fails(int code, Runnable run) {
        equal(code, thrown(Xs2aException.class, run).code());
    }

    static <T extends Throwable> T thrown(Class<T> type, Runnable run) {
        try {
            run.run();
        } catch (Throwable found) {
            check(type.isInstance(found), found);
            return type.cast(found);
        }
        throw new AssertionError("nothing is thrown");
    }

    static void paymentIsApprovedAndDeliveredOnceToABankInJava() {
        try (Gateway gateway = new Gateway()) {
            Engine engine = gateway.engine;
            Response created = gateway.create();
            equal(201, created.status());
            String id = Gateway.authorisation(created);
            equal("Testodius To", Xs2a.jsonAt(engine.authorisation(id), "/orders/0/creditorName"));
            equal("2026-09-01T10:00:01Z", engine.nextDue());
            String url = engine.completeSca(id, Gateway.APPROVED);
            check(url.startsWith("https://tpp.example/?psu-id="), url);
            check(engine.authorisation(id) == null, "the link is open");
            equal(NOW, engine.nextDue());
            equal(new RunReport(1, 0, 0, 0), engine.runDue());
            equal(new RunReport(0, 0, 0, 0), engine.runDue());
            Response status = gateway.call("GET", created.at("/_links/self/href") + "/status", "");
            equal("ACSC", status.at("/transactionStatus"));
            equal(1, gateway.bank.orders.size());
            equal(List.of(), gateway.bank.failures);
        }
    }

    private static final List<Runnable> THROWING = List.of(
            () -> { throw new IllegalArgumentException("by intention"); },
            () -> { throw new AssertionError("by intention"); },
            BindingTest::overflow);

    private static void overflow() {
        overflow();
    }

    static void whatACallbackThrowsIsItsFailureValue() {
        for (Runnable throwing : THROWING) {
            try (Gateway gateway = new Gateway()) {
                gateway.bank.first.put("fee", throwing);
                equal("SYS-02", gateway.create().reason());
                check(gateway.bank.failures.get(0).startsWith("call: java.lang."), gateway.bank.failures);
                gateway.bank.first.remove("fee");
                equal(201, gateway.create().status());
                gateway.bank.first.put("isRegistered", throwing);
                equal("SYS-02", gateway.create().reason());
                check(gateway.bank.failures.get(1).startsWith("isRegistered: "), gateway.bank.failures);
            }
        }
    }

    static void whatClockLogAndFailedThrowIsHarmless() {
        try (Gateway gateway = new Gateway()) {
            for (String function : List.of("log", "failed", "fee")) {
                gateway.bank.first.put(function, THROWING.get(0));
            }
            equal(500, gateway.create().status());
            gateway.bank.first.put("now", THROWING.get(0));
            // The machine's time counts, by which the request is too old or too new.
            equal("DAT-02", gateway.create().reason());
        }
    }

    static void callbacksLiveAsLongAsTheEngine() throws InterruptedException {
        try (Gateway gateway = new Gateway()) {
            for (int i = 0; i < 20; i++) {
                System.gc();
                System.runFinalization();
                equal(201, gateway.create().status());
            }
        }
    }

    static void auditEndsWhereItsReaderEndsItOrThrows() {
        try (Gateway gateway = new Gateway()) {
            gateway.engine.completeSca(Gateway.authorisation(gateway.create()), Gateway.APPROVED);
            String end = "2026-09-01T10:00:01Z";
            List<String> lines = new ArrayList<>();
            gateway.engine.audit(NOW, end, lines::add);
            check(lines.size() > 2, lines);
            lines.clear();
            gateway.engine.audit(NOW, end, line -> !lines.add(line));
            equal(1, lines.size());
            thrown(IllegalArgumentException.class, () -> gateway.engine.audit(NOW, end, line -> {
                throw new IllegalArgumentException("by intention");
            }));
            fails(Result.BAD_ARGUMENT, () -> gateway.engine.audit("today", end, line -> true));
        }
    }

    static void mistakesOfTheHostAreExceptionsWithTheirCode() {
        Bank bank = new ToyBank().bank();
        fails(Result.CONFIG, () -> Engine.open("", bank));
        fails(Result.CONFIG, () -> Engine.open("{}", bank));
        fails(Result.MISUSE, () -> Xs2a.minorUnits("XXY"));
        equal(0, Xs2a.minorUnits("JPY"));
        equal(2, Xs2a.minorUnits("NOK"));
        check(Xs2a.kidIsValid("1234567897") && !Xs2a.kidIsValid("1234567890"), "a KID");
        equal("PATC", Xs2a.basketStatus(List.of("ACSC", "RCVD")));
        fails(Result.MISUSE, () -> Xs2a.basketStatus(List.of()));
        equal("Ærlig ❤", Xs2a.jsonAt("[\"Ærlig ❤\"]", "/0"));
        Request request = new Request("GET", "/", List.of(new Header("x", "\u0100")));
        thrown(IllegalArgumentException.class, () -> Xs2a.signingString(request, "date"));
    }

    static void emptyTrustAnchorsAreNoAnchorsAndNullIsNoCheck() {
        try (Gateway gateway = new Gateway()) {
            Request signed = gateway.tpp.sign(new Request("GET", "/v1/accounts", List.of()));
            equal("CRT-08", Xs2a.jsonAt(Xs2a.verifySignature(signed, NOW, ""), "/reason"));
            equal("true", Xs2a.jsonAt(Xs2a.verifySignature(signed, NOW, null), "/ok"));
            equal("true", Xs2a.jsonAt(Xs2a.verifySignature(signed, NOW, gateway.tpp.certificatePem()), "/ok"));
        }
    }

    static void structsReachTheirMembers() {
        String found = Xs2a.validatePayment(new Xs2a.PaymentCheck("payments", "sepa-credit-transfers",
                new byte[] {'{', '}'}, NOW, "production", "x"));
        equal("FORMAT_ERROR", Xs2a.jsonAt(found, "/0/code"));
        fails(Result.MISUSE,
                () -> Xs2a.validatePayment(new Xs2a.PaymentCheck("payments", "x", null, null, "other", null)));
        try (Gateway gateway = new Gateway()) {
            Request earlier = gateway.tpp.sign(new Request("GET", "/v1/accounts", List.of()));
            List<Header> headers = new ArrayList<>(
                    gateway.tpp.sign(new Request("GET", "/v1/accounts", List.of())).headers());
            // The X-Request-ID of one request and the signature of another.
            headers.set(headers.size() - 1, earlier.headers().get(headers.size() - 1));
            found = Xs2a.explain(new Request("GET", "/v1/accounts", headers), new Xs2a.ExplainOptions(NOW, null,
                    "{\"key_id_issuer\":\"exact\"}", List.of("/other", "/psd2"), List.of(earlier), 1000));
            equal("request-id-made-again", Xs2a.jsonAt(found, "/mistake"));
            Response answer = gateway.create();
            equal("false", Xs2a.jsonAt(Xs2a.verifyResponse(answer.headers(), answer.body(), null, null), "/ok"));
        }
    }

    static void sandboxAnswersByPartsAndByBytes() {
        try (Sandbox sandbox = Sandbox.open(SandboxOptions.defaults())) {
            Response answer = sandbox.handle(new Request("PUT", "/v1/accounts", List.of()));
            equal(405, answer.status());
            equal("RTE-03", answer.reason());
            equal("GET", answer.header("allow"));
            byte[] message = "PUT /v1/accounts HTTP/1.1\r\nHost: bank\r\n\r\n".getBytes();
            check(new String(sandbox.handleHttp(message)).startsWith("HTTP/1.1 405 "), "by bytes");
            check(sandbox.journal("text", null, 1, false).length() > 0, "a journal");
            fails(Result.BAD_ARGUMENT, () -> sandbox.journal("other", null, 0, true));
            fails(Result.MISUSE, () -> sandbox.authorise("https://bank.example/sca/none",
                    new ScaAnswer(null, null, null, List.of(), true)));
            // More than one block of memory for one request.
            Request large = new Request("POST", Gateway.STRAKS, List.of(new Header("x", "y".repeat(100_000))),
                    new byte[3_000_000]);
            check(sandbox.handle(large).status() >= 400, "a large request");
        }
    }

    static void callsAfterCloseAreExceptionsAndCloseWaitsForNoCall() {
        try (Gateway gateway = new Gateway()) {
            Engine borrowed = gateway.sandbox.engine();
            borrowed.close();
            check(borrowed.nextDue() == null, "the engine of a sandbox is open until that is closed");
            // The callback closes the engine that asks it: the call ends, and the engine is freed after it.
            gateway.bank.first.put("fee", gateway.engine::close);
            equal(201, gateway.create().status());
            thrown(IllegalStateException.class, gateway.engine::runDue);
            gateway.sandbox.close();
            gateway.sandbox.close();
            thrown(IllegalStateException.class, gateway.sandbox::now);
            thrown(IllegalStateException.class, borrowed::nextDue);
        }
    }

    private static Throwable inAThread(long stackBytes, Runnable run) throws InterruptedException {
        AtomicReference<Throwable> found = new AtomicReference<>();
        Thread thread = new Thread(null, run, "small", stackBytes);
        thread.setUncaughtExceptionHandler((ended, why) -> found.set(why));
        thread.start();
        thread.join();
        return found.get();
    }

    static void threadsWithSmallStacksAreRefusedAndLargeEnoughOnesWork() throws InterruptedException {
        try (Gateway gateway = new Gateway()) {
            Runnable pays = () -> equal(201, gateway.create().status());
            // glibc may reuse the stack of an ended thread that is up to four times larger, of 1 MiB in most cases.
            Throwable refused = inAThread(200 << 10, pays);
            check(refused instanceof IllegalStateException && refused.getMessage().contains("`small` has a stack"),
                    refused);
            Throwable none = inAThread(512 << 10, pays);
            check(none == null, none);
        }
    }

    static void threadsCallAtOnce() throws InterruptedException {
        try (Gateway gateway = new Gateway()) {
            List<Thread> threads = new ArrayList<>();
            List<Integer> statuses = java.util.Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> {
                    for (int call = 0; call < 10; call++) {
                        statuses.add(gateway.create().status());
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            equal(java.util.Collections.nCopies(80, 201), statuses);
        }
    }

    /** In a program of its own: the library that the property names has another version. */
    static void otherLibrary() {
        UnsatisfiedLinkError found = thrown(UnsatisfiedLinkError.class, () -> Sandbox.open(SandboxOptions.defaults()));
        check(found.getMessage().contains("has the binary interface 99, not 1"), found);
    }

    /** In a program of its own: libxs2a is loaded first. */
    static void engineAlone() {
        check(Xs2a.kidIsValid("1234567897"), "a KID");
        thrown(IllegalStateException.class, () -> Sandbox.open(SandboxOptions.defaults()));
        fails(Result.CONFIG, () -> Engine.open("{}", Bank.of((method, request) -> "null")));
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0) {
            if (arguments[0].equals("other-library")) {
                otherLibrary();
            } else {
                engineAlone();
            }
            return;
        }
        paymentIsApprovedAndDeliveredOnceToABankInJava();
        whatACallbackThrowsIsItsFailureValue();
        whatClockLogAndFailedThrowIsHarmless();
        callbacksLiveAsLongAsTheEngine();
        auditEndsWhereItsReaderEndsItOrThrows();
        mistakesOfTheHostAreExceptionsWithTheirCode();
        emptyTrustAnchorsAreNoAnchorsAndNullIsNoCheck();
        structsReachTheirMembers();
        sandboxAnswersByPartsAndByBytes();
        callsAfterCloseAreExceptionsAndCloseWaitsForNoCall();
        threadsWithSmallStacksAreRefusedAndLargeEnoughOnesWork();
        threadsCallAtOnce();
        OperateTest.run();
        CallbackTest.run();
        System.out.println("the binding for Java works on " + System.getProperty("java.version"));
    }
}
