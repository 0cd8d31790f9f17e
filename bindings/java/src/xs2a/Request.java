package xs2a;

import java.util.List;

/**
 * A request as it came from the TPP.
 *
 * @param target path and query, as they were sent
 * @param headers in the order sent, repeated ones too
 */
public record Request(String method, String target, List<Header> headers, byte[] body) {
    /** A request without a body. */
    public Request(String method, String target, List<Header> headers) {
        this(method, target, headers, new byte[0]);
    }
}
