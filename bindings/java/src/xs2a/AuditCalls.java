package xs2a;

import java.util.function.Predicate;

/** The callback of an audit. */
final class AuditCalls extends HostCallback {
    private final Library library;
    private final Predicate<String> takeLine;

    AuditCalls(Library library, Predicate<String> takeLine) {
        this.library = library;
        this.takeLine = takeLine;
    }

    int take(Piece line) {
        return goesOn(() -> takeLine.test(Calls.string(library, line))) ? 0 : 1;
    }
}
