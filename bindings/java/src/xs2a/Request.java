package xs2a;

import java.util.List;

/**
 * A request as it came from the TPP.
 *
 * @param target path and query, as they were sent
 * @param headers in the order sent, repeated ones too
 * @param correlationId your own id of the call: 1 to 64 visible ASCII characters. The bank gets it with each question
 *     as the member {@code correlationId}; lines of log and audit have it. null: none
 */
public record Request(String method, String target, List<Header> headers, byte[] body, String correlationId) {
    /** A request without a body. */
    public Request(String method, String target, List<Header> headers) {
        this(method, target, headers, new byte[0]);
    }

    /** A request without an id of yours. */
    public Request(String method, String target, List<Header> headers, byte[] body) {
        this(method, target, headers, body, null);
    }

    /** The same request with your own id of the call. */
    public Request withCorrelationId(String correlationId) {
        return new Request(method, target, headers, body, correlationId);
    }
}
