import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import xs2a.Header;
import xs2a.Response;

/** Story 4: three payments in a signing basket, and one approval (SCA) that decides on each by itself. */
final class SignABasket {
    private static final String REMITTANCE = "\"remittanceInformationStructured\":{\"reference\":\"1234567897\"}";
    /** What each is to pay, and from which account: the last is not the customer's. */
    private static final String[][] ORDERS = {
        {"100.00", "95360573002"}, {"200.00", "95360573010"}, {"300.00", "95360573037"}};

    private static Response pay(Story story, String amount, String debtor) {
        String body = Story.order(amount, "91351631959", debtor, REMITTANCE);
        return story.send("POST", Story.PAYMENTS, Story.HEADERS, body);
    }

    private static String status(Story story, Response created) {
        return story.get(created.at("/_links/status/href"), Story.HEADERS).at("/transactionStatus");
    }

    public static void main(String[] arguments) {
        System.out.println("4. one approval for a basket");
        try (Story story = new Story()) {
            // A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
            Response first = pay(story, "1.00", ORDERS[0][1]);
            String psuId = Story.psuId(story.approve(first.at("/_links/scaRedirect/href")));

            List<Response> payments = new ArrayList<>();
            for (String[] order : ORDERS) {
                payments.add(pay(story, order[0], order[1]));
            }
            String ids = payments.stream().map(made -> "\"" + made.at("/paymentId") + "\"")
                    .collect(Collectors.joining(","));
            List<Header> headers = new ArrayList<>(Story.HEADERS);
            headers.add(new Header("PSU-ID", psuId));
            Response basket = story.send("POST", "/v1/signing-baskets", headers, "{\"paymentIds\":[" + ids + "]}");
            System.out.println("basket: " + basket.at("/transactionStatus"));

            // One link for all three: the customer sees them together, and approves once.
            Response started = story.send("POST", basket.at("/_links/startAuthorisation/href"), Story.HEADERS, "");
            System.out.println("call-back: " + story.approve(started.at("/_links/scaRedirect/href")));

            // The basket shows the worst case; each payment shows its own status.
            System.out.println("basket: " + status(story, basket));
            for (int i = 0; i < ORDERS.length; i++) {
                System.out.println(ORDERS[i][0] + " NOK: " + status(story, payments.get(i)));
            }
        }
    }
}
