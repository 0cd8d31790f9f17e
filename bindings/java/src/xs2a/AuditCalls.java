package xs2a;

import java.util.function.Predicate;

/** The callback of an audit: what it throws ends the export and is thrown again at its end. */
final class AuditCalls {
    private final Library library;
    private final Predicate<String> takeLine;
    private Throwable thrown;

    AuditCalls(Library library, Predicate<String> takeLine) {
        this.library = library;
        this.takeLine = takeLine;
    }

    int take(Piece line) {
        try {
            return takeLine.test(Calls.string(library, line)) ? 0 : 1;
        } catch (Throwable why) {
            thrown = why;
            return 1;
        }
    }

    void rethrow() {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        } else if (thrown instanceof Error error) {
            throw error;
        }
    }
}
