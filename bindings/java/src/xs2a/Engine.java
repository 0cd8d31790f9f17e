package xs2a;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Answers the requests of TPPs, and asks your bank. Any thread may call any method, at the same time. */
public final class Engine extends EngineCalls {
    /**
     * Makes an engine over your own bank.
     *
     * @param config a JSON object; docs/configuration.md lists its keys
     */
    public static Engine open(String config, Bank bank) {
        Library library = Library.get();
        Library.Stubs stubs = library.bank(new BankCalls(library, bank));
        try {
            long[] callbacks = stubs.addresses();
            long pointer = Calls.run("xs2a_engine_new", true, frame -> new Object[] {config,
                    // The stubs are closed after the engine, so there is nothing for `destroy` to do.
                    frame.struct(0L, callbacks[0], callbacks[1], callbacks[2], callbacks[3], callbacks[4],
                            callbacks[5], 0L)});
            return new Engine(pointer, stubs);
        } catch (Throwable failed) {
            stubs.close();
            throw failed;
        }
    }

    /** The callbacks are kept until the engine is freed. */
    private Engine(long pointer, Library.Stubs stubs) {
        super(pointer, () -> {
            Library.get().free("xs2a_engine_free", pointer);
            stubs.close();
        });
    }

    Engine(Sandbox sandbox, long pointer) {
        super(sandbox, pointer);
    }

    /** Gives the complete answer to one request. An answer of 400 or 500 is no exception. */
    public Response handle(Request request) {
        return response("xs2a_engine_handle", request);
    }

    /**
     * Gives the lines of the audit from {@code start} until before {@code end}, both by RFC 3339, the oldest first:
     * each a JSON object. The export ends early where {@code takeLine} gives false, or throws.
     */
    public void audit(String start, String end, Predicate<String> takeLine) {
        Library library = Library.get();
        AuditCalls calls = new AuditCalls(library, takeLine);
        try (Library.Stubs stubs = library.audit(calls)) {
            call("xs2a_engine_audit", start, end, stubs.addresses()[0], 0L);
        }
        calls.rethrow();
    }

    /**
     * As {@link #runDue} until {@code goesOn} gives false; it is called before each order, by the thread of this call.
     * For a host that shuts down: a call to the bank is not interrupted, after it no order is delivered, and the other
     * orders stay due. What {@code goesOn} throws ends the run, too, and is thrown again after it.
     */
    public RunReport runDueWhile(BooleanSupplier goesOn) {
        Library library = Library.get();
        DueCalls calls = new DueCalls(goesOn);
        RunReport report;
        try (Library.Stubs stubs = library.due(calls)) {
            report = runReport("xs2a_engine_run_due_while", stubs.addresses()[0], 0L);
        }
        calls.rethrow();
        return report;
    }
}
