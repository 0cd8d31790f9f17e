package xs2a;

import java.util.function.BooleanSupplier;

/** The callback of one call: what it throws ends the work of the call and is thrown again after it. */
abstract class HostCallback {
    private Throwable thrown;

    /** Whether the work goes on; false where {@code test} throws. */
    final boolean goesOn(BooleanSupplier test) {
        try {
            return test.getAsBoolean();
        } catch (Throwable why) {
            thrown = why;
            return false;
        }
    }

    final void rethrow() {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        } else if (thrown instanceof Error error) {
            throw error;
        }
    }
}
