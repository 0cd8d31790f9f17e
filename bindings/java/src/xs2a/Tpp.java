package xs2a;

import java.util.List;

/** A TPP with certificate and key from the test PKI. It signs by the clock of its sandbox. */
public final class Tpp extends TppCalls {
    Tpp(long pointer) {
        super(pointer, "xs2a_tpp_free");
    }

    /**
     * Gives the request with its header fields plus Date, X-Request-ID, Digest, TPP-Signature-Certificate and Signature
     * if they are absent. X-Request-ID is derived from the sandbox's seed: for another engine than this sandbox, pass
     * your own Date and X-Request-ID.
     */
    public Request sign(Request request) {
        Library library = Library.get();
        long headers = number("xs2a_tpp_sign", request);
        try {
            List<Header> signed = Calls.headers(library, headers, "xs2a_headers_count", "xs2a_headers_get");
            return new Request(request.method(), request.target(), signed, request.body(),
                    request.correlationId());
        } finally {
            library.free("xs2a_headers_free", headers);
        }
    }
}
