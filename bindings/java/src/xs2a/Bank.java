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

    /** Takes a line of the engine's log; the level is {@code info}, {@code warn} or {@code error}. */
    @FunctionalInterface
    public interface Log {
        void line(String level, String place, String message) throws Exception;
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
    final Failed failed;

    private Bank(Answers answers, Registry registry, Clock clock, Log log, Failed failed) {
        this.answers = java.util.Objects.requireNonNull(answers, "answers");
        this.registry = registry;
        this.clock = clock;
        this.log = log;
        this.failed = failed;
    }

    /**
     * A bank of which every certificate that leads to a trust anchor counts as registered, with the machine's clock,
     * without a log, and whose failures are printed by {@link System.Logger}.
     */
    public static Bank of(Answers answers) {
        System.Logger logger = System.getLogger("xs2a.bank");
        return new Bank(answers, null, null, null, (function, why) ->
                logger.log(System.Logger.Level.ERROR, "the bank's function " + function + " failed", why));
    }

    public Bank registry(Registry registry) {
        return new Bank(answers, registry, clock, log, failed);
    }

    public Bank clock(Clock clock) {
        return new Bank(answers, registry, clock, log, failed);
    }

    public Bank log(Log log) {
        return new Bank(answers, registry, clock, log, failed);
    }

    public Bank failed(Failed failed) {
        return new Bank(answers, registry, clock, log, failed);
    }
}
