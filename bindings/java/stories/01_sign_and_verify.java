import java.util.List;
import xs2a.Header;
import xs2a.Request;
import xs2a.Xs2a;

/** Story 1: a TPP signs a request, and the bank's side verifies it. */
final class SignAndVerify {
    private static final String BODY = "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"}}";

    private static String verify(Story story, Request request, String pointer) {
        return Xs2a.jsonAt(Xs2a.verifySignature(request, story.bank.now(), null), pointer);
    }

    /** One bit of X-Request-ID: the lowest of its last hex digit. */
    private static Header withOneBitChanged(Header header) {
        if (!header.name().equals("X-Request-ID")) {
            return header;
        }
        String id = header.value();
        int last = Character.digit(id.charAt(id.length() - 1), 16) ^ 1;
        return new Header(header.name(), id.substring(0, id.length() - 1) + Integer.toHexString(last));
    }

    public static void main(String[] arguments) {
        System.out.println("1. sign and verify");
        try (Story story = new Story()) {
            Request request = story.tpp.sign(
                    new Request("POST", Story.PAYMENTS, List.of(Story.REDIRECT), Story.bytes(BODY)));

            // What was signed: the headers that Signature lists, in its order.
            String signature = request.headers().stream().filter(header -> header.name().equals("Signature"))
                    .findFirst().orElseThrow().value();
            String names = signature.split("headers=\"")[1].split("\"")[0];
            System.out.println("signing string:\n" + Xs2a.signingString(request, names));
            System.out.println("verified: " + verify(story, request, "/ok"));

            List<Header> changed = request.headers().stream().map(SignAndVerify::withOneBitChanged).toList();
            Request other = new Request("POST", Story.PAYMENTS, changed, request.body());
            System.out.println("one bit changed: " + verify(story, other, "/reason"));
            other = new Request("POST", Story.PAYMENTS, request.headers(), Story.bytes(BODY + " "));
            System.out.println("body changed: " + verify(story, other, "/reason"));
        }
    }
}
