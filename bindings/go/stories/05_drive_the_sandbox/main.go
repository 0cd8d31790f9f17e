// Story 5: the sandbox as a test drives it: forks, snapshots, what differs between them, policies, faults.
package main

import (
	"encoding/json"
	"fmt"
	"log"

	"xs2a"
	"xs2a/stories/story"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Asks for the payment's status, and prints what is answered.
func show(what string, bank *xs2a.Sandbox, tpp *xs2a.Tpp, target string) {
	answer := story.Send(bank, tpp, xs2a.Request{Method: "GET", Target: target, Headers: story.Headers})
	status := story.Read[story.Created](answer.Body).TransactionStatus
	if status == "" {
		status = "-"
	}
	fmt.Printf("%s: %d %s\n", what, answer.Status, status)
}

// A fork has the same past and a future of its own: there the customer approves, and a batch runs.
func approveInAFork(bank *xs2a.Sandbox, tpp *xs2a.Tpp, link, target string) {
	fork := story.Must(bank.Fork())
	defer fork.Close()
	story.Approve(fork, link)
	sameTpp := story.Must(fork.Tpp(tpp.OrganisationId()))
	defer sameTpp.Close()
	show("approved in a fork", fork, sameTpp, target)
	fmt.Println("the fork's clock:", story.Must(fork.AdvanceToNextEvent()))
	show("settled in the fork", fork, sameTpp, target)
}

// What an approval changes, in words; then back to before it.
func approveAndGoBack(bank *xs2a.Sandbox, link string) {
	before := story.Must(bank.Snapshot())
	story.Approve(bank, link)
	changes := story.Must(xs2a.SnapshotDiff(before, story.Must(bank.Snapshot())))
	for _, line := range story.Read[[]string]([]byte(changes)) {
		fmt.Println("changed:", line)
	}
	must(bank.Restore(before))
}

func main() {
	fmt.Println("5. drive the sandbox")
	bank := story.Open()
	defer bank.Close()
	tpp := story.Must(bank.RegisterTpp("Acme Pay", "AISP,PISP"))
	defer tpp.Close()
	created := story.Read[story.Created](story.Send(bank, tpp, xs2a.Request{Method: "POST",
		Target: "/v1/payments/norwegian-domestic-credit-transfers", Headers: story.Headers,
		Body: story.Order("250.00", "95360573037", "95360573002", story.Invoice)}).Body)
	link, target := created.Links.ScaRedirect.Href, created.Links.Status.Href
	show("created", bank, tpp, target)

	approveInAFork(bank, tpp, link, target)
	show("here", bank, tpp, target)

	approveAndGoBack(bank, link)
	show("restored", bank, tpp, target)

	// A known issue of the field, switched on and off.
	must(bank.SetPolicy(`{"domestic_unreadable_before_approval":true}`))
	show("unreadable before approval", bank, tpp, target)
	must(bank.SetPolicy(`{"domestic_unreadable_before_approval":false}`))
	show("readable again", bank, tpp, target)

	// The bank has had enough, once.
	story.Must(bank.AddFault(`{"code":"ACCESS_EXCEEDED","times":1}`))
	show("with a fault", bank, tpp, target)
	show("after it", bank, tpp, target)

	// The default data again; then everything as it was, from a text that could lie under version control.
	exported := story.Must(bank.ExportJson())
	must(bank.Initialize())
	show("initialized", bank, tpp, target)
	must(bank.ImportJson(exported))
	show("imported", bank, tpp, target)
	wrong := story.Read[[]json.RawMessage]([]byte(story.Must(bank.Reconcile())))
	fmt.Println("accounts that do not add up:", len(wrong))
}
