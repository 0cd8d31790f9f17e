import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Ten tests of a TPP's client against a served bank. Prints a line for each; the exit code is 1 if one fails. */
final class Suite {
    private static final String INSTANT = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
    private static final String BATCHED = "/v1/payments/norwegian-domestic-credit-transfers";
    private static final String PAYER = "95360573002";
    private static final String CUSTOMER = "13039319955";
    private static final String PAYMENT = """
        {"instructedAmount": {"amount": "250.00", "currency": "NOK"},
         "creditorName": "Testine Test",
         "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
         "creditorAddress": {"townName": "Oslo", "country": "NO"},
         "debtorAccount": {"bban": "95360573002", "currency": "NOK"}}""";

    private final Bank bank;
    private final Tpp tpp;

    private interface Test {
        void run() throws Exception;
    }

    private record Payment(String id, String path) {}

    private Suite(Bank bank) throws Exception {
        this.bank = bank;
        tpp = new Tpp(bank, "Acme Pay");
        bank.keep();
    }

    public static void main(String[] arguments) throws Exception {
        int failed;
        try (Bank bank = new Bank()) {
            failed = new Suite(bank).run();
        }
        if (failed > 0) System.exit(1);
    }

    private int run() throws Exception {
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("accounts are read after SCA", this::accountsAreReadAfterSca);
        tests.put("payment is settled by the next batch", this::paymentIsSettledByTheNextBatch);
        tests.put("refusal names the mistake of the client", this::refusalNamesTheMistakeOfTheClient);
        tests.put("fault fails one call", this::faultFailsOneCall);
        tests.put("restored snapshot undoes a payment", this::restoredSnapshotUndoesAPayment);
        tests.put("revoked consent ends access", this::revokedConsentEndsAccess);
        tests.put("payment on hold waits for its release", this::paymentOnHoldWaitsForItsRelease);
        tests.put("populated customer has a ledger", this::populatedCustomerHasALedger);
        tests.put("coverage counts the calls", this::coverageCountsTheCalls);
        tests.put("edited state is put back", this::editedStateIsPutBack);
        int failed = 0;
        for (Map.Entry<String, Test> test : tests.entrySet()) {
            bank.reset();
            try {
                test.getValue().run();
                System.out.println("ok - " + test.getKey());
            } catch (Exception | AssertionError error) {
                failed++;
                System.out.println("not ok - " + test.getKey());
                error.printStackTrace(System.out);
            }
        }
        System.out.printf("%d passed, %d failed%n", tests.size() - failed, failed);
        return failed;
    }

    private static void equal(Object got, Object wanted) {
        if (!wanted.equals(got)) throw new AssertionError("got " + got + ", wanted " + wanted);
    }

    private String authorise(Tpp.Answer answer) throws Exception {
        equal(answer.status(), 201);
        return bank.authorise((String) answer.at("_links", "scaRedirect", "href"));
    }

    /** Creates a payment that the PSU approves. */
    private Payment approvedPayment(String product) throws Exception {
        Tpp.Answer created = tpp.post(product, PAYMENT);
        authorise(created);
        String id = (String) created.at("paymentId");
        return new Payment(id, product + "/" + id);
    }

    private Object statusOf(Payment payment) throws Exception {
        return tpp.get(payment.path() + "/status", null).at("transactionStatus");
    }

    /** The PSU opens every account; returns the PSU-ID. */
    private String consent() throws Exception {
        String query = authorise(tpp.post("/v1/bank-offered-consents", null));
        String found = Arrays.stream(query.split("&")).filter(part -> part.startsWith("psu-id=")).findFirst().get();
        return found.substring("psu-id=".length());
    }

    private void accountsAreReadAfterSca() throws Exception {
        Tpp.Answer answer = tpp.get("/v1/accounts", consent());
        equal(answer.status(), 200);
        equal(answer.at("accounts", 0, "bban"), PAYER);
    }

    private void paymentIsSettledByTheNextBatch() throws Exception {
        Payment payment = approvedPayment(BATCHED);
        equal(statusOf(payment), "PDNG");
        bank.control("POST", "/clock", "{\"to\": \"next-event\"}");
        equal(statusOf(payment), "ACSC");
        equal(bank.balance(PAYER), "99750.00");
    }

    private void refusalNamesTheMistakeOfTheClient() throws Exception {
        UnaryOperator<String> newline = text -> text + "\n";
        equal(tpp.send("GET", "/v1/accounts", null, null, newline).status(), 400);
        Double number = (Double) bank.control("GET", "/journal?last=1", null, 0, "number");
        String path = "/journal/" + number.intValue() + "/explanation";
        equal(bank.control("GET", path, null, "mistake"), "trailing-newline");
    }

    private void faultFailsOneCall() throws Exception {
        String psuId = consent();
        bank.control("POST", "/faults", """
            {"code": "SYSTEM_ERROR", "operation": "getAccounts", "times": 1}""");
        equal(tpp.get("/v1/accounts", psuId).status(), 500);
        equal(tpp.get("/v1/accounts", psuId).status(), 200);
    }

    private void restoredSnapshotUndoesAPayment() throws Exception {
        String snapshot = bank.takeSnapshot();
        Payment payment = approvedPayment(INSTANT);
        equal(bank.balance(PAYER), "99750.00");
        bank.control("POST", snapshot + "/restore", null);
        equal(bank.balance(PAYER), "100000.00");
        equal(tpp.get(payment.path() + "/status", null).status(), 404);
    }

    private void revokedConsentEndsAccess() throws Exception {
        String psuId = consent();
        bank.control("POST", "/consents/revoke", """
            {"customerNumber": "%s", "tpp": "%s"}""".formatted(CUSTOMER, tpp.organisationId));
        equal(tpp.get("/v1/accounts", psuId).status(), 403);
    }

    private void paymentOnHoldWaitsForItsRelease() throws Exception {
        Payment payment = approvedPayment(BATCHED);
        bank.control("POST", "/hold", """
            {"paymentId": "%s", "why": "a question of the bank"}""".formatted(payment.id()));
        bank.control("POST", "/clock", "{\"advance\": \"P7D\"}");
        equal(statusOf(payment), "PDNG");
        bank.control("POST", "/release", "{\"paymentId\": \"%s\"}".formatted(payment.id()));
        bank.control("POST", "/clock", "{\"advance\": \"P3D\"}");
        equal(statusOf(payment), "ACSC");
    }

    private void populatedCustomerHasALedger() throws Exception {
        Object account = bank.control("POST", "/populate", """
            {"persons": 1, "companies": 0, "months": 2}""", "customers", 0, "accounts", 0);
        Object ledger = bank.control("GET", "/ledger/" + Json.at(account, "bban"), null);
        equal(Json.at(ledger, "balance", "amount"), Json.at(account, "balance"));
        equal(Json.items(Json.at(ledger, "bookings")).isEmpty(), false);
    }

    private void coverageCountsTheCalls() throws Exception {
        Payment payment = approvedPayment(INSTANT);
        double earlier = callsOf("getPaymentStatus");
        statusOf(payment);
        equal(callsOf("getPaymentStatus"), earlier + 1);
    }

    private double callsOf(String operation) throws Exception {
        for (Object row : Json.items(bank.control("GET", "/coverage", null, "operations", "rows"))) {
            if (operation.equals(Json.at(row, "name"))) return (Double) Json.at(row, "calls");
        }
        throw new AssertionError("coverage has no operation " + operation);
    }

    /** Edited as a text: the first account of this name is the payer's. */
    private void editedStateIsPutBack() throws Exception {
        String state = bank.controlText("GET", "/state", null);
        bank.controlText("PUT", "/state", state.replaceFirst("\"Brukskonto\"", "\"Studentkonto\""));
        equal(tpp.get("/v1/accounts", consent()).at("accounts", 0, "name"), "Studentkonto");
    }
}
