package xs2a;

/**
 * A record of an engine's log.
 *
 * @param level {@code info}, {@code warn} or {@code error}
 * @param target the part of the library, such as {@code xs2a::engine::deliver}
 * @param message the same text each time
 * @param fields the values as a JSON object in one line
 */
public record LogRecord(String level, String target, String message, String fields) {}
