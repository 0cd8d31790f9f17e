using System;
using System.Collections.Generic;
using System.Linq;
using Xs2a;

/// <summary>Story 4: three payments in a signing basket, and one approval (SCA) that decides on each.</summary>
internal static class SignABasket
{
    private const string Remittance = "\"remittanceInformationStructured\":{\"reference\":\"1234567897\"}";

    // What each is to pay, and from which account: the last is not the customer's.
    private static readonly string[] Amounts = { "100.00", "200.00", "300.00" };
    private static readonly string[] Debtors = { "95360573002", "95360573010", "95360573037" };

    private static Response Pay(Story story, string amount, string debtor)
    {
        string body = Story.Order(amount, "91351631959", debtor, Remittance);
        return story.Send("POST", Story.Payments, Story.Headers, body);
    }

    private static string Status(Story story, Response created)
    {
        return story.Send("GET", created.At("/_links/status/href"), Story.Headers).At("/transactionStatus");
    }

    private static void Main()
    {
        Console.WriteLine("4. one approval for a basket");
        using (var story = new Story())
        {
            // A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
            Response first = Pay(story, "1.00", Debtors[0]);
            string psuId = Story.PsuId(story.Approve(first.At("/_links/scaRedirect/href")));

            List<Response> payments = Amounts.Zip(Debtors, (amount, debtor) => Pay(story, amount, debtor)).ToList();
            string ids = string.Join(",", payments.Select(made => "\"" + made.At("/paymentId") + "\""));
            var headers = new List<Header>(Story.Headers) { new Header("PSU-ID", psuId) };
            Response basket = story.Send("POST", "/v1/signing-baskets", headers, "{\"paymentIds\":[" + ids + "]}");
            Console.WriteLine("basket: " + basket.At("/transactionStatus"));

            // One link for all three: the customer sees them together, and approves once.
            Response started = story.Send("POST", basket.At("/_links/startAuthorisation/href"), Story.Headers);
            Console.WriteLine("call-back: " + story.Approve(started.At("/_links/scaRedirect/href")));

            // The basket shows the worst case; each payment shows its own status.
            Console.WriteLine("basket: " + Status(story, basket));
            for (int i = 0; i < payments.Count; i++)
            {
                Console.WriteLine("{0} NOK: {1}", Amounts[i], Status(story, payments[i]));
            }
        }
    }
}
