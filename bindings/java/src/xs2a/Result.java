// Generated from the C headers by bindings/generator: not to be edited.

package xs2a;

/** Result codes. A number never changes its meaning; a newer library may return others. */
public final class Result {
    private Result() {}

    /** The version of the binary interface. */
    static final int ABI_VERSION = 1;

    /**
     * Done; the outputs are written.
     */
    public static final int OK = 0;

    /**
     * The configuration cannot be used: a policy key, a trust anchor, a path.
     */
    public static final int CONFIG = 1;

    /**
     * The database cannot be reached, is of another version, or refused an operation.
     */
    public static final int STORE = 2;

    /**
     * The bank behind the engine failed, or its answer is not allowed.
     */
    public static final int BANK = 3;

    /**
     * A call that should not have been made: a mistake of the program. What is normal in operation has numbers of
     * its own: XS2A_NOT_FOUND, XS2A_EXPIRED, XS2A_CONFLICT, XS2A_NOT_OFFERED.
     */
    public static final int MISUSE = 4;

    /**
     * A bug of this library, a panic included. Please report it.
     */
    public static final int INTERNAL = 5;

    /**
     * A required pointer is NULL.
     */
    public static final int NULL_ARGUMENT = 6;

    /**
     * The size of a struct is unknown to this library, or a length is larger than any memory.
     */
    public static final int BAD_SIZE = 7;

    /**
     * A text is not UTF-8.
     */
    public static final int NOT_UTF8 = 8;

    /**
     * An argument has a wrong form: a time, a context, JSON.
     */
    public static final int BAD_ARGUMENT = 9;

    /**
     * The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have
     * been done. Every function that can return XS2A_STORE can return this too.
     */
    public static final int OUTCOME_UNKNOWN = 10;

    /**
     * What the call names does not exist: an authorisation, a payment, a dead letter, a member of JSON. Normal in
     * operation.
     */
    public static final int NOT_FOUND = 11;

    /**
     * The authorisation is used, or older than 10 minutes. Normal in operation: show the PSU that the link is over.
     */
    public static final int EXPIRED = 12;

    /**
     * The state of the payment does not allow the call. Normal in operation: another channel was faster.
     */
    public static final int CONFLICT = 13;

    /**
     * An account of the PSU's choice is not among those that the bank offers now. Let the PSU choose again.
     */
    public static final int NOT_OFFERED = 14;
}
