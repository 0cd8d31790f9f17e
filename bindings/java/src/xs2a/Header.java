package xs2a;

/**
 * One header field. The value is bytes as ISO 8859-1, as servlets give it: a character above U+00FF cannot be in one.
 */
public record Header(String name, String value) {}
