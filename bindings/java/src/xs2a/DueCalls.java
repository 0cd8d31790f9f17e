package xs2a;

import java.util.function.BooleanSupplier;

/** The callback of a run of due orders. */
final class DueCalls extends HostCallback {
    private final BooleanSupplier goesOn;

    DueCalls(BooleanSupplier goesOn) {
        this.goesOn = goesOn;
    }

    int goesOn() {
        return goesOn(goesOn) ? 1 : 0;
    }
}
