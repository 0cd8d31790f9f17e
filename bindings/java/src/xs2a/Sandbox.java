package xs2a;

import java.util.List;
import java.util.stream.Stream;

/**
 * An engine over a simulated bank with a manual clock and a test PKI. Any thread may call any method, at the same time.
 */
public final class Sandbox extends SandboxCalls {
    /** Opens a sandbox. The default data set is loaded where the database is new. */
    public static Sandbox open(SandboxOptions options) {
        Library.load(true);
        return new Sandbox(Calls.run("xs2a_sandbox_new", true, frame -> new Object[] {frame.struct(options.database(),
                options.now(), options.seed(), options.basePath(), options.policy())}));
    }

    Sandbox(long pointer) {
        super(pointer, "xs2a_sandbox_free");
    }

    /**
     * The engine of the sandbox, which is closed with it. Report the status of a payment by
     * {@link #reportPaymentStatus}: the simulated bank does not receive what is reported to the engine.
     */
    public Engine engine() {
        return during(handle -> new Engine(this, Library.get().pointer("xs2a_sandbox_engine", handle)));
    }

    /** Gives the complete answer to one request, and to a browser that of the SCA site. */
    public Response handle(Request request) {
        return response("xs2a_sandbox_handle", request);
    }

    /**
     * Answers an scaRedirect link as the PSU would. Gives the URL to which the PSU returns. A failed SCA is reported in
     * that URL and is no exception.
     */
    public String authorise(String scaRedirect, ScaAnswer answer) {
        List<String> accounts = answer.accounts();
        return during(handle -> Calls.takeText(Calls.run("xs2a_sandbox_authorise", true, frame -> {
            // NULL is all of them, so an empty list needs an address.
            long first = accounts == null ? 0 : frame.array(Stream.concat(accounts.stream(), Stream.of("")).toList());
            return new Object[] {handle, scaRedirect, frame.struct(answer.customerNumber(), answer.context(),
                    answer.agreement(), first, accounts == null ? 0 : accounts.size(), answer.approve())};
        })));
    }

    /**
     * Gives the calls and control steps of the sandbox since it was opened or forked.
     *
     * @param form {@code text}, {@code har}, {@code curl} or {@code pytest}
     * @param origin scheme and host that HAR and curl address; null: those of the links to the SCA site
     * @param last the number of newest entries to write; 0: all
     * @param unmasked whether identity numbers are shown as they are
     */
    public String journal(String form, String origin, long last, boolean unmasked) {
        return during(handle -> Calls.takeText(Calls.run("xs2a_sandbox_journal", true,
                frame -> new Object[] {handle, frame.struct(form, origin, last, unmasked)})));
    }
}
