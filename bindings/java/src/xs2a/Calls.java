package xs2a;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** How the functions of the library are called: every one that can fail ends in its output and its error. */
final class Calls {
    private Calls() {}

    /** Calls a function without an output. */
    static void call(String function, Object... arguments) {
        run(function, false, frame -> arguments);
    }

    /** Calls a function whose output is a number or a handle. */
    static long number(String function, Object... arguments) {
        return run(function, true, frame -> arguments);
    }

    /** The text that a function gives; null where it gives none. */
    static String text(String function, Object... arguments) {
        return takeText(number(function, arguments));
    }

    static String takeText(long text) {
        Library library = Library.get();
        if (text == 0) {
            return null;
        }
        try {
            return string(library, library.piece("xs2a_text_str", text));
        } finally {
            library.free("xs2a_text_free", text);
        }
    }

    static byte[] bytes(String function, Object... arguments) {
        Library library = Library.get();
        long bytes = number(function, arguments);
        try {
            Piece found = library.piece("xs2a_bytes_slice", bytes);
            return library.read(found.address(), found.length());
        } finally {
            library.free("xs2a_bytes_free", bytes);
        }
    }

    /** A text that lives as long as the handle; without a handle, as long as the library. */
    static String borrowed(String function, Object... handle) {
        Library library = Library.get();
        return string(library, library.piece(function, handle));
    }

    static boolean truth(String function, Object... arguments) {
        Library library = Library.get();
        try (Frame frame = new Frame(library)) {
            return library.call(function, Arrays.stream(arguments).map(frame::argument).toArray()) != 0;
        }
    }

    static String string(Library library, Piece piece) {
        return new String(library.read(piece.address(), piece.length()), StandardCharsets.UTF_8);
    }

    /** Calls a function; {@code arguments} makes what comes before output and error. Gives the output. */
    static long run(String function, boolean hasOutput, Function<Frame, Object[]> arguments) {
        return hasOutput ? words(function, 1, arguments)[0] : words(function, 0, arguments).length;
    }

    /** The same for an output of so many words. */
    static long[] words(String function, int count, Function<Frame, Object[]> arguments) {
        Library library = Library.get();
        try (Frame frame = new Frame(library)) {
            List<Object> all = new ArrayList<>();
            for (Object given : arguments.apply(frame)) {
                all.add(frame.argument(given));
            }
            long output = frame.words(count + 1);
            long error = output + (long) count * Long.BYTES;
            if (count > 0) {
                all.add(output);
            }
            all.add(error);
            int result = library.call(function, all.toArray());
            if (result != Result.OK) {
                throw failure(library, result, frame.word(error));
            }
            long[] words = new long[count];
            for (int i = 0; i < count; i++) {
                words[i] = frame.word(output + (long) i * Long.BYTES);
            }
            return words;
        }
    }

    private static Xs2aException failure(Library library, int result, long error) {
        String message = error == 0 ? "no message" : string(library, library.piece("xs2a_error_message", error));
        library.free("xs2a_error_free", error);
        return new Xs2aException(result, message);
    }

    /** The answer that a function gives. */
    static Response response(String function, Object... arguments) {
        Library library = Library.get();
        long response = number(function, arguments);
        try {
            Piece body = library.piece("xs2a_response_body", response);
            return new Response((int) library.number("xs2a_response_status", response),
                    headers(library, response, "xs2a_response_header_count", "xs2a_response_header"),
                    library.read(body.address(), body.length()), optional("xs2a_response_reason", response),
                    optional("xs2a_response_operation", response), optional("xs2a_response_tpp", response),
                    optional("xs2a_response_tpp_name", response), roles(response),
                    Timing.ofMicros(library.timing("xs2a_response_timing", response)));
        } finally {
            library.free("xs2a_response_free", response);
        }
    }

    /** A text of a handle; null where there is none. */
    private static String optional(String function, Object... arguments) {
        Library library = Library.get();
        Piece found = library.piece(function, arguments);
        return found.address() == 0 ? null : string(library, found);
    }

    private static List<String> roles(long response) {
        List<String> roles = new ArrayList<>();
        String role;
        while ((role = optional("xs2a_response_role", response, (long) roles.size())) != null) {
            roles.add(role);
        }
        return List.copyOf(roles);
    }

    static List<Header> headers(Library library, long handle, String count, String get) {
        int fields = (int) library.number(count, handle);
        List<Header> headers = new ArrayList<>(fields);
        for (int i = 0; i < fields; i++) {
            Piece[] found = library.pair(get, handle, i);
            byte[] value = library.read(found[1].address(), found[1].length());
            headers.add(new Header(string(library, found[0]), new String(value, StandardCharsets.ISO_8859_1)));
        }
        return List.copyOf(headers);
    }
}
