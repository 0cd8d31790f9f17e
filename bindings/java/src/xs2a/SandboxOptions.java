package xs2a;

/**
 * How a sandbox is opened. A text that is null is absent.
 *
 * @param database path of an SQLite file; absent: in memory
 * @param now where the clock starts, by RFC 3339; absent: the present, or the stored time of the file's clock
 * @param seed the source of ids and serial numbers of certificates: the same seed, now and calls give the same bytes
 * @param basePath what precedes {@code /v1/} in request paths, such as {@code /api-sandbox}
 * @param policy the policy as a JSON object; absent: the defaults
 */
public record SandboxOptions(String database, String now, long seed, String basePath, String policy) {
    /** In memory, from now on. */
    public static SandboxOptions defaults() {
        return new SandboxOptions(null, null, 0, null, null);
    }

    /** In memory; the same bytes every time. */
    public static SandboxOptions repeatable(long seed, String now) {
        return new SandboxOptions(null, now, seed, null, null);
    }
}
