import java.util.List;
import xs2a.Response;
import xs2a.Xs2a;

/** Story 2: a payment from its creation, through the customer's approval (SCA), to the bank's books. */
final class PaymentThroughSca {
    private static void showNewestBooking(String whose, String ledger) {
        System.out.printf("%s: %s %s, balance %s %s%n", whose, Xs2a.jsonAt(ledger, "/bookings/0/amount"),
                Xs2a.jsonAt(ledger, "/bookings/0/currency"), Xs2a.jsonAt(ledger, "/balance/amount"),
                Xs2a.jsonAt(ledger, "/balance/currency"));
    }

    public static void main(String[] arguments) {
        System.out.println("2. a payment through SCA");
        try (Story story = new Story()) {
            // The first accounts of 13039319955 and of 12085592767.
            String debtor = Xs2a.jsonAt(story.bank.defaultData(), "/customers/0/accounts/0/bban");
            String creditor = Xs2a.jsonAt(story.bank.defaultData(), "/customers/1/accounts/0/bban");

            String body = Story.order("250.00", creditor, debtor, Story.INVOICE);
            Response created = story.send("POST", Story.PAYMENTS, Story.HEADERS, body);
            System.out.println("created: " + created.status() + " " + created.at("/transactionStatus"));

            // The customer follows the link, approves at the bank, and is sent back to the TPP.
            System.out.println("call-back: " + story.approve(created.at("/_links/scaRedirect/href")));

            String target = Story.PAYMENTS + "/" + created.at("/paymentId") + "/status";
            Response status = story.get(target, List.of(Story.REDIRECT));
            System.out.println("status: " + status.at("/transactionStatus"));

            showNewestBooking("debtor", story.bank.ledger(debtor));
            showNewestBooking("creditor", story.bank.ledger(creditor));
        }
    }
}
