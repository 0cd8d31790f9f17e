import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON, because the JDK has no reader: objects are maps, arrays are lists, numbers are doubles. In a project of
 * your own use the library that you have.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) throw json.wrong();
        return value;
    }

    /** What is found in a value by names of members and numbers of items, such as {@code "accounts", 0, "bban"}. */
    static Object at(Object value, Object... path) {
        for (Object step : path) {
            value = step instanceof Integer number ? items(value).get(number) : ((Map<?, ?>) value).get(step);
        }
        return value;
    }

    static List<?> items(Object value) {
        return (List<?>) value;
    }

    private Object value() {
        blanks();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (take('}')) return members;
        do {
            blanks();
            String name = string();
            if (!take(':')) throw wrong();
            members.put(name, value());
        } while (take(','));
        if (!take('}')) throw wrong();
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        at++;
        if (take(']')) return items;
        do items.add(value()); while (take(','));
        if (!take(']')) throw wrong();
        return items;
    }

    private String string() {
        if (peek() != '"') throw wrong();
        StringBuilder read = new StringBuilder();
        for (at++; peek() != '"'; at++) {
            read.append(peek() == '\\' ? escaped() : peek());
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        at++;
        char kind = peek();
        if (kind == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        int known = "bfnrt".indexOf(kind);
        return known < 0 ? kind : "\b\f\n\r\t".charAt(known);
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(peek()) < 0) at++;
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true", "false" -> Boolean.valueOf(word);
            default -> Double.valueOf(word);
        };
    }

    private boolean take(char wanted) {
        blanks();
        if (at == text.length() || peek() != wanted) return false;
        at++;
        return true;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(peek()) >= 0) at++;
    }

    private char peek() {
        if (at >= text.length()) throw wrong();
        return text.charAt(at);
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
