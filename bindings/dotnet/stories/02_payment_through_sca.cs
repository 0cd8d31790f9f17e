using System;
using Xs2a;

/// <summary>Story 2: a payment from its creation, through the customer's approval (SCA), to the bank's books.</summary>
internal static class PaymentThroughSca
{
    private static void ShowNewestBooking(string whose, string ledger)
    {
        Console.WriteLine("{0}: {1} {2}, balance {3} {4}", whose, Tools.JsonAt(ledger, "/bookings/0/amount"),
            Tools.JsonAt(ledger, "/bookings/0/currency"), Tools.JsonAt(ledger, "/balance/amount"),
            Tools.JsonAt(ledger, "/balance/currency"));
    }

    private static void Main()
    {
        Console.WriteLine("2. a payment through SCA");
        using (var story = new Story())
        {
            // The first accounts of 13039319955 and of 12085592767.
            string debtor = Tools.JsonAt(story.Bank.DefaultData(), "/customers/0/accounts/0/bban");
            string creditor = Tools.JsonAt(story.Bank.DefaultData(), "/customers/1/accounts/0/bban");

            string body = Story.Order("250.00", creditor, debtor, Story.Invoice);
            Response created = story.Send("POST", Story.Payments, Story.Headers, body);
            Console.WriteLine("created: {0} {1}", created.Status, created.At("/transactionStatus"));

            // The customer follows the link, approves at the bank, and is sent back to the TPP.
            Console.WriteLine("call-back: " + story.Approve(created.At("/_links/scaRedirect/href")));

            string target = Story.Payments + "/" + created.At("/paymentId") + "/status";
            Response status = story.Send("GET", target, new[] { Story.Redirect });
            Console.WriteLine("status: " + status.At("/transactionStatus"));

            ShowNewestBooking("debtor", story.Bank.Ledger(debtor));
            ShowNewestBooking("creditor", story.Bank.Ledger(creditor));
        }
    }
}
