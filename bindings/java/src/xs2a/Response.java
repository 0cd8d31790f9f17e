package xs2a;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A complete answer: send every header and the body unchanged.
 *
 * @param reason the library's id of the first refusal, such as {@code SIG-07}: for logs, not for the TPP; null: nothing
 *     was refused
 * @param operation the name of the operation that the request was routed to, such as {@code createPayment}; null: the
 *     path is unknown
 * @param tpp the organisation identifier in the TPP's certificate, such as {@code PSDNO-FSA-912345678}, if the
 *     certificate is valid. The call is proven to be that TPP's unless it was refused for its signature; null: it is
 *     unknown
 * @param tppName the name of the TPP in the subject of its certificate, as {@code tpp}
 * @param roles the roles in the TPP's certificate, such as {@code PSP_AI}, as {@code tpp}
 * @param timing how long the call took
 */
public record Response(int status, List<Header> headers, byte[] body, String reason, String operation, String tpp,
        String tppName, List<String> roles, Timing timing) {
    /** The body as text, where it is not compressed. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** One value of a JSON body by its JSON Pointer, such as {@code /_links/scaRedirect/href}. */
    public String at(String pointer) {
        return Xs2a.jsonAt(text(), pointer);
    }

    /** The value of the first field of that name, in any case; null where there is none. */
    public String header(String name) {
        return headers.stream().filter(found -> found.name().equalsIgnoreCase(name)).findFirst().map(Header::value)
                .orElse(null);
    }
}
