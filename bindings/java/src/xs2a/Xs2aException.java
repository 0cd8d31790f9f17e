package xs2a;

/** What the library reports about a call that failed: a mistake of the program or of its environment. */
public final class Xs2aException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int code;

    Xs2aException(int code, String message) {
        super(message + " (result " + code + ")");
        this.code = code;
    }

    /** One of {@link Result}. */
    public int code() {
        return code;
    }
}
