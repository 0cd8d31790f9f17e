package xs2a;

/** What is known of a certificate, in the order of the numbers of C. */
public enum RevocationStatus {
    /** It is not revoked. */
    GOOD,
    /** It is revoked. */
    REVOKED,
    /** No answer about it is current (policy {@code stale_crl}). */
    STALE,
    /** The source has no answer about it (policy {@code missing_crl}). */
    UNLISTED
}
