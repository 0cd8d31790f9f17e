using System;
using Xs2a;

/// <summary>Story 5: the sandbox as a test drives it: forks, snapshots, what differs between them, policies.</summary>
internal static class DriveTheSandbox
{
    /// <summary>Asks for the payment's status, and prints what is answered.</summary>
    private static void Show(string what, Sandbox bank, Tpp tpp, string target)
    {
        Response answer = Story.Send(bank, tpp, "GET", target, Story.Headers);
        string status = answer.Status == 200 ? answer.At("/transactionStatus") : "-";
        Console.WriteLine("{0}: {1} {2}", what, answer.Status, status);
    }

    /// <summary>A fork has the same past and a future of its own: there the customer approves.</summary>
    private static void ApproveInAFork(Story story, string link, string target)
    {
        using (Sandbox fork = story.Bank.Fork())
        using (Tpp sameTpp = fork.Tpp(story.Tpp.OrganisationId()))
        {
            Story.Approve(fork, link);
            Show("approved in a fork", fork, sameTpp, target);
            Console.WriteLine("the fork's clock: " + fork.AdvanceToNextEvent());
            Show("settled in the fork", fork, sameTpp, target);
        }
    }

    /// <summary>What an approval changes, in words; then back to before it.</summary>
    private static void ApproveAndGoBack(Story story, string link)
    {
        byte[] before = story.Bank.Snapshot();
        story.Approve(link);
        foreach (string line in Story.Members(Tools.SnapshotDiff(before, story.Bank.Snapshot())))
        {
            Console.WriteLine("changed: " + line);
        }
        story.Bank.Restore(before);
    }

    private static void Main()
    {
        Console.WriteLine("5. drive the sandbox");
        using (var story = new Story())
        {
            Sandbox bank = story.Bank;
            Response created = story.Send("POST", "/v1/payments/norwegian-domestic-credit-transfers", Story.Headers,
                Story.Order("250.00", "95360573037", "95360573002", Story.Invoice));
            string link = created.At("/_links/scaRedirect/href");
            string target = created.At("/_links/status/href");
            Show("created", bank, story.Tpp, target);

            ApproveInAFork(story, link, target);
            Show("here", bank, story.Tpp, target);

            ApproveAndGoBack(story, link);
            Show("restored", bank, story.Tpp, target);

            // A known issue of the field, switched on and off.
            bank.SetPolicy("{\"domestic_unreadable_before_approval\":true}");
            Show("unreadable before approval", bank, story.Tpp, target);
            bank.SetPolicy("{\"domestic_unreadable_before_approval\":false}");
            Show("readable again", bank, story.Tpp, target);

            // The bank has had enough, once.
            bank.AddFault("{\"code\":\"ACCESS_EXCEEDED\",\"times\":1}");
            Show("with a fault", bank, story.Tpp, target);
            Show("after it", bank, story.Tpp, target);

            // The default data again; then everything as it was, from a text that could lie under version control.
            string exported = bank.ExportJson();
            bank.Initialize();
            Show("initialized", bank, story.Tpp, target);
            bank.ImportJson(exported);
            Show("imported", bank, story.Tpp, target);
            Console.WriteLine("accounts that do not add up: " + Story.Members(bank.Reconcile()).Count);
        }
    }
}
