package xs2a;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long a call took, in whole microseconds.
 *
 * @param total from the request to its complete answer
 * @param bank of that, waiting for the bank
 * @param store of that, waiting for the store
 */
public record Timing(Duration total, Duration bank, Duration store) {
    static Timing ofMicros(long[] micros) {
        return new Timing(Duration.of(micros[0], ChronoUnit.MICROS), Duration.of(micros[1], ChronoUnit.MICROS),
                Duration.of(micros[2], ChronoUnit.MICROS));
    }
}
