import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import xs2a.Bank;
import xs2a.BankException;
import xs2a.LogRecord;
import xs2a.Xs2a;

/** A bank in Java: one person with one account. */
final class ToyBank {
    static final Instant START = Instant.parse("2026-09-01T10:00:00Z");

    final Set<String> orders = ConcurrentHashMap.newKeySet();
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<LogRecord> logged = new CopyOnWriteArrayList<>();
    /** The last request of each method. */
    final Map<String, String> asked = new ConcurrentHashMap<>();
    /** The methods that have no answer, with the reason. */
    final Map<String, String> explained = new ConcurrentHashMap<>();
    /** What a function does first, by its name; and by the method, for call. */
    final Map<String, Runnable> first = new ConcurrentHashMap<>();

    Bank bank() {
        return Bank.of(this::answer)
                .registry(organisationId -> {
                    before("isRegistered");
                    return true;
                })
                .clock(() -> {
                    before("now");
                    return START;
                })
                .log(record -> {
                    logged.add(record);
                    before("log");
                })
                .failed((function, why) -> {
                    failures.add(function + ": " + why);
                    before("failed");
                });
    }

    private void before(String function) {
        first.getOrDefault(function, () -> {}).run();
    }

    private String answer(String method, String request) throws BankException {
        asked.put(method, request);
        before(method);
        String why = explained.get(method);
        if (why != null) {
            throw new BankException(why);
        }
        return switch (method) {
            case "psu" -> "{\"person\":\"kari\"}";
            case "debtor_account" -> "{\"account\":" + Xs2a.jsonAt(request, "/account") + ",\"currency\":\"NOK\"}";
            case "fee" -> "{\"fee\":{\"amount\":\"0.00\",\"currency\":\"NOK\"}}";
            case "accounts" -> "{\"psu\":" + Xs2a.jsonAt(request, "/psu")
                    + ",\"accounts\":[{\"accountId\":\"acc\",\"bban\":\"95360573002\",\"currency\":\"NOK\"}]}";
            case "card_accounts" -> "{\"psu\":" + Xs2a.jsonAt(request, "/psu") + ",\"cardAccounts\":[]}";
            case "submit_payment" -> {
                String id = Xs2a.jsonAt(request, "/paymentId");
                orders.add(id);
                yield "{\"paymentId\":\"" + id + "\",\"transactionStatus\":\"ACSC\",\"fundsAvailable\":true}";
            }
            default -> "null";
        };
    }
}
