package xs2a;

/**
 * A failure of a bank's function whose message the engine keeps: it is part of the log, of the exception of the
 * engine's method, and of a dead letter. Name the fault in it and not the customer. Of any other exception the engine
 * gets nothing; {@link Bank.Failed} gets both.
 */
public final class BankException extends Exception {
    private static final long serialVersionUID = 1;

    public BankException(String message) {
        super(java.util.Objects.requireNonNull(message, "message"));
    }

    public BankException(String message, Throwable cause) {
        super(java.util.Objects.requireNonNull(message, "message"), cause);
    }
}
