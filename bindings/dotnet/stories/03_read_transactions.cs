using System;
using Xs2a;

/// <summary>Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions.</summary>
internal static class ReadTransactions
{
    private const string Accounts = "/v1/accounts?withBalance=true";

    private static void Main()
    {
        Console.WriteLine("3. reading transactions");
        using (var story = new Story())
        {
            // A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
            string body = Story.Order("250.00", "95360573037", "95360573002", Story.Invoice);
            Response paid = story.Send("POST", Story.Payments, Story.Headers.GetRange(0, 5), body);
            string psuId = Story.PsuId(story.Approve(paid.At("/_links/scaRedirect/href")));
            var headers = new[] { Story.Headers[0], new Header("PSU-ID", psuId), Story.Headers[1], Story.Redirect,
                Story.Headers[4] };

            // It opens no accounts: that takes a consent, and the refusal carries the link to it.
            Response refused = story.Send("GET", Accounts, headers);
            Console.WriteLine("before consent: {0} {1}", refused.Status, refused.At("/tppMessages/0/code"));
            Console.WriteLine("call-back: " + story.Approve(refused.At("/_links/scaRedirect/href")));

            Response read = story.Send("GET", Accounts, headers);
            const string balance = "/accounts/0/balances/0/balanceAmount";
            Console.WriteLine("account: {0} {1} {2}", read.At("/accounts/0/bban"), read.At(balance + "/amount"),
                read.At(balance + "/currency"));

            Response list = story.Send("GET", read.At("/accounts/0/_links/transactions/href"), headers);
            const string newest = "/transactions/booked/0";
            Console.WriteLine("booked: {0} {1} {2}", list.At(newest + "/bookingDate"),
                list.At(newest + "/transactionAmount/amount"), list.At(newest + "/remittanceInformationUnstructured"));

            Response details = story.Send("GET", "/v1/accounts/" + read.At("/accounts/0/resourceId") + "/transactions/"
                + list.At(newest + "/transactionId"), headers);
            Console.WriteLine("details: to {0} {1}", details.At("/transactionsDetails/creditorAccount/bban"),
                details.At("/transactionsDetails/bankTransactionCode"));
        }
    }
}
