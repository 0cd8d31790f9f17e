package xs2a;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;

/** The callbacks of a bank, as the library calls them. Nothing that a bank throws leaves them. */
final class BankCalls {
    private static final int UNAVAILABLE = 1;
    private static final int UNKNOWN = 2;
    private static final int UNKNOWN_REVOCATION = -1;

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

    boolean hasRevocation() {
        return bank.revocation != null;
    }

    boolean hasSigner() {
        return bank.signer != null;
    }

    int call(Piece method, Piece request, long writer) {
        return answer("call", writer,
                () -> bank.answers.call(Calls.string(library, method), Calls.string(library, request)));
    }

    int sign(Piece certificate, Piece text, long writer) {
        return answer("sign", writer, () -> bank.signer.sign(bytes(certificate), bytes(text)));
    }

    /** Writes a text or bytes; states why there are none, where the bank says so. */
    private int answer(String function, long writer, Callable<Object> run) {
        return attempt(function, UNAVAILABLE, () -> {
            try {
                Calls.call("xs2a_writer_write", writer, run.call());
            } catch (BankException why) {
                Calls.call("xs2a_writer_fail", writer, why.getMessage());
                throw why;
            }
            return 0;
        });
    }

    private byte[] bytes(Piece piece) {
        return library.read(piece.address(), piece.length());
    }

    int revocation(Piece certificate, Piece issuer) {
        return attempt("revocation", UNKNOWN_REVOCATION,
                () -> bank.revocation.status(bytes(certificate), bytes(issuer)).ordinal());
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

    void log(Piece level, Piece target, Piece message, Piece fields) {
        attempt("log", null, () -> {
            bank.log.record(new LogRecord(Calls.string(library, level), Calls.string(library, target),
                    Calls.string(library, message), Calls.string(library, fields)));
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
