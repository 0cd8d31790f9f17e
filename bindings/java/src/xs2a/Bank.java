package xs2a;

import java.time.Instant;

/**
 * What an engine asks and informs. The functions are called by the thread whose call needs the answer, so by several at
 * once, and may call the engine. What they throw is given to {@code failed}; the TPP is answered SYSTEM_ERROR.
 */
public final class Bank {
    /** Answers a question of docs/bank.md: request and answer are JSON. */
    @FunctionalInterface
    public interface Answers {
        String call(String method, String request) throws Exception;
    }

    /** Whether the TPP with this authorisation number is registered. */
    @FunctionalInterface
    public interface Registry {
        boolean isRegistered(String organisationId) throws Exception;
    }

    /** The time. */
    @FunctionalInterface
    public interface Clock {
        Instant now() throws Exception;
    }

    /** Takes a record of the engine's log. */
    @FunctionalInterface
    public interface Log {
        void record(LogRecord record) throws Exception;
    }

    /**
     * Whether a certificate is revoked, for OCSP or a service of yours. Both are DER; the issuer is empty if the
     * certificate is itself a trust anchor. It is called on every call of a TPP: keep each answer until its nextUpdate.
     */
    @FunctionalInterface
    public interface Revocation {
        RevocationStatus status(byte[] certificate, byte[] issuer) throws Exception;
    }

    /**
     * Signs answers with a key that is not in this process: RSASSA-PKCS1-v1_5 with SHA-256 over the text, by the key of
     * the certificate, which is DER.
     */
    @FunctionalInterface
    public interface Signer {
        byte[] sign(byte[] certificate, byte[] text) throws Exception;
    }

    /** Is informed of each of the functions above that failed, by its name. */
    @FunctionalInterface
    public interface Failed {
        void failed(String function, Throwable why);
    }

    final Answers answers;
    final Registry registry;
    final Clock clock;
    final Log log;
    final Revocation revocation;
    final Signer signer;
    final Failed failed;

    private Bank(Answers answers, Registry registry, Clock clock, Log log, Revocation revocation, Signer signer,
            Failed failed) {
        this.answers = java.util.Objects.requireNonNull(answers, "answers");
        this.registry = registry;
        this.clock = clock;
        this.log = log;
        this.revocation = revocation;
        this.signer = signer;
        this.failed = failed;
    }

    /**
     * A bank of which every certificate that leads to a trust anchor counts as registered, with the machine's clock,
     * without a log, with the revocation lists of {@link Engine#supplyCrl}, and whose failures are printed by
     * {@link System.Logger}.
     */
    public static Bank of(Answers answers) {
        System.Logger logger = System.getLogger("xs2a.bank");
        return new Bank(answers, null, null, null, null, null, (function, why) ->
                logger.log(System.Logger.Level.ERROR, "the bank's function " + function + " failed", why));
    }

    public Bank registry(Registry registry) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }

    public Bank clock(Clock clock) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }

    public Bank log(Log log) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }

    /** Decides in place of the lists of {@link Engine#supplyCrl}. */
    public Bank revocation(Revocation revocation) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }

    /**
     * Signs where the configuration, or {@link Engine#replaceResponseKey}, has a certificate without a private key.
     */
    public Bank signer(Signer signer) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }

    public Bank failed(Failed failed) {
        return new Bank(answers, registry, clock, log, revocation, signer, failed);
    }
}
