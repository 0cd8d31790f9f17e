import xs2a.Response;
import xs2a.Sandbox;
import xs2a.ScaAnswer;
import xs2a.Tpp;
import xs2a.Xs2a;

/** Story 5: the sandbox as a test drives it: forks, snapshots, what differs between them, policies, faults. */
final class DriveTheSandbox {
    /** Asks for the payment's status, and prints what is answered. */
    private static void show(String what, Sandbox bank, Tpp tpp, String target) {
        Response answer = Story.send(bank, tpp, "GET", target, Story.HEADERS, "");
        String status = answer.status() == 200 ? answer.at("/transactionStatus") : "-";
        System.out.println(what + ": " + answer.status() + " " + status);
    }

    /** A fork has the same past and a future of its own: there the customer approves, and a batch runs. */
    private static void approveInAFork(Story story, String link, String target) {
        try (Sandbox fork = story.bank.fork(); Tpp sameTpp = fork.tpp(story.tpp.organisationId())) {
            fork.authorise(link, ScaAnswer.approve(Story.CUSTOMER));
            show("approved in a fork", fork, sameTpp, target);
            System.out.println("the fork's clock: " + fork.advanceToNextEvent());
            show("settled in the fork", fork, sameTpp, target);
        }
    }

    /** What an approval changes, in words; then back to before it. */
    private static void approveAndGoBack(Story story, String link) {
        byte[] before = story.bank.snapshot();
        story.approve(link);
        String changes = Xs2a.snapshotDiff(before, story.bank.snapshot());
        for (int i = 0; i < Story.count(changes); i++) {
            System.out.println("changed: " + Xs2a.jsonAt(changes, "/" + i));
        }
        story.bank.restore(before);
    }

    public static void main(String[] arguments) {
        System.out.println("5. drive the sandbox");
        try (Story story = new Story()) {
            Sandbox bank = story.bank;
            Response created = story.send("POST", "/v1/payments/norwegian-domestic-credit-transfers", Story.HEADERS,
                    Story.order("250.00", "95360573037", "95360573002", Story.INVOICE));
            String link = created.at("/_links/scaRedirect/href");
            String target = created.at("/_links/status/href");
            show("created", bank, story.tpp, target);

            approveInAFork(story, link, target);
            show("here", bank, story.tpp, target);

            approveAndGoBack(story, link);
            show("restored", bank, story.tpp, target);

            // A known issue of the field, switched on and off.
            bank.setPolicy("{\"domestic_unreadable_before_approval\":true}");
            show("unreadable before approval", bank, story.tpp, target);
            bank.setPolicy("{\"domestic_unreadable_before_approval\":false}");
            show("readable again", bank, story.tpp, target);

            // The bank has had enough, once.
            bank.addFault("{\"code\":\"ACCESS_EXCEEDED\",\"times\":1}");
            show("with a fault", bank, story.tpp, target);
            show("after it", bank, story.tpp, target);

            // The default data again; then everything as it was, from a text that could lie under version control.
            String exported = bank.exportJson();
            bank.initialize();
            show("initialized", bank, story.tpp, target);
            bank.importJson(exported);
            show("imported", bank, story.tpp, target);
            System.out.println("accounts that do not add up: " + Story.count(bank.reconcile()));
        }
    }
}
