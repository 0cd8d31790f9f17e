import java.util.List;
import xs2a.Header;
import xs2a.Response;

/** Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions. */
final class ReadTransactions {
    private static final String ACCOUNTS = "/v1/accounts?withBalance=true";

    public static void main(String[] arguments) {
        System.out.println("3. reading transactions");
        try (Story story = new Story()) {
            // A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
            String body = Story.order("250.00", "95360573037", "95360573002", Story.INVOICE);
            Response paid = story.send("POST", Story.PAYMENTS, Story.HEADERS.subList(0, 5), body);
            String psuId = Story.psuId(story.approve(paid.at("/_links/scaRedirect/href")));
            List<Header> headers = List.of(Story.HEADERS.get(0), new Header("PSU-ID", psuId), Story.SESSION,
                    Story.REDIRECT, Story.PRESENT);

            // It opens no accounts: that takes a consent, and the refusal carries the link to it.
            Response refused = story.get(ACCOUNTS, headers);
            System.out.println("before consent: " + refused.status() + " " + refused.at("/tppMessages/0/code"));
            System.out.println("call-back: " + story.approve(refused.at("/_links/scaRedirect/href")));

            Response read = story.get(ACCOUNTS, headers);
            String balance = "/accounts/0/balances/0/balanceAmount";
            System.out.printf("account: %s %s %s%n", read.at("/accounts/0/bban"), read.at(balance + "/amount"),
                    read.at(balance + "/currency"));

            Response list = story.get(read.at("/accounts/0/_links/transactions/href"), headers);
            String newest = "/transactions/booked/0";
            System.out.printf("booked: %s %s %s%n", list.at(newest + "/bookingDate"),
                    list.at(newest + "/transactionAmount/amount"),
                    list.at(newest + "/remittanceInformationUnstructured"));

            Response details = story.get("/v1/accounts/" + read.at("/accounts/0/resourceId") + "/transactions/"
                    + list.at(newest + "/transactionId"), headers);
            System.out.printf("details: to %s %s%n", details.at("/transactionsDetails/creditorAccount/bban"),
                    details.at("/transactionsDetails/bankTransactionCode"));
        }
    }
}
