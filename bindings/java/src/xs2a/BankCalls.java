package xs2a;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;

/** The callbacks of a bank, as the library calls them. Nothing that a bank throws leaves them. */
final class BankCalls {
    private static final int UNAVAILABLE = 1;
    private static final int UNKNOWN = 2;

    private final Library library;
    private final Bank bank;

    BankCalls(Library library, Bank bank) {
        this.library = library;
        this.bank = bank;
    }

    boolean hasRegistry() {
        return bank.registry != null;
    }

    boolean hasClock() {
        return bank.clock != null;
    }

    boolean hasLog() {
        return bank.log != null;
    }

    int call(Piece method, Piece request, long writer) {
        return attempt("call", UNAVAILABLE, () -> {
            write(writer, bank.answers.call(Calls.string(library, method), Calls.string(library, request)));
            return 0;
        });
    }

    private void write(long writer, String answer) {
        Calls.call("xs2a_writer_write", writer, answer);
    }

    int isRegistered(Piece organisationId) {
        return attempt("isRegistered", UNKNOWN,
                () -> bank.registry.isRegistered(Calls.string(library, organisationId)) ? 1 : 0);
    }

    long now() {
        return micros(attempt("now", null, () -> bank.clock.now()));
    }

    /** Microseconds since 1970; without a time of the bank, the machine's. */
    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time == null ? Instant.now() : time);
    }

    void log(Piece level, Piece place, Piece message) {
        attempt("log", null, () -> {
            bank.log.line(Calls.string(library, level), Calls.string(library, place), Calls.string(library, message));
            return null;
        });
    }

    private <T> T attempt(String function, T failure, Callable<T> run) {
        try {
            return run.call();
        } catch (Throwable why) {
            report(function, why);
            return failure;
        }
    }

    private void report(String function, Throwable why) {
        try {
            bank.failed.failed(function, why);
        } catch (Throwable ignored) {
            // There is no place left to report it to, and it must not reach the library.
        }
    }
}
