// Story 4: three payments in a signing basket, and one approval (SCA) that decides on each by itself.
package main

import (
	"encoding/json"
	"fmt"

	"xs2a"
	"xs2a/stories/story"
)

const remittance = `"remittanceInformationStructured":{"reference":"1234567897"}`

// What each is to pay, and from which account: the last is not the customer's.
var orders = [][2]string{{"100.00", "95360573002"}, {"200.00", "95360573010"}, {"300.00", "95360573037"}}

type bank struct {
	*xs2a.Sandbox
	tpp *xs2a.Tpp
}

func (b bank) send(method, target string, body []byte, further ...xs2a.Header) story.Created {
	headers := append(append([]xs2a.Header{}, story.Headers...), further...)
	answer := story.Send(b.Sandbox, b.tpp, xs2a.Request{Method: method, Target: target, Headers: headers, Body: body})
	return story.Read[story.Created](answer.Body)
}

func (b bank) pay(amount, debtor string) story.Created {
	return b.send("POST", story.Payments, story.Order(amount, "91351631959", debtor, remittance))
}

func (b bank) status(created story.Created) string {
	return b.send("GET", created.Links.Status.Href, nil).TransactionStatus
}

func main() {
	fmt.Println("4. one approval for a basket")
	sandbox := story.Open()
	defer sandbox.Close()
	tpp := story.Must(sandbox.RegisterTpp("Acme Pay", "AISP,PISP"))
	defer tpp.Close()
	bank := bank{sandbox, tpp}

	// A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
	first := bank.pay("1.00", orders[0][1])
	psuID := story.PsuID(story.Approve(sandbox, first.Links.ScaRedirect.Href))

	var payments []story.Created
	var ids []string
	for _, order := range orders {
		payment := bank.pay(order[0], order[1])
		payments, ids = append(payments, payment), append(ids, payment.PaymentID)
	}
	body := story.Must(json.Marshal(map[string][]string{"paymentIds": ids}))
	basket := bank.send("POST", "/v1/signing-baskets", body, xs2a.Header{Name: "PSU-ID", Value: psuID})
	fmt.Println("basket:", basket.TransactionStatus)

	// One link for all three: the customer sees them together, and approves once.
	started := bank.send("POST", basket.Links.StartAuthorisation.Href, nil)
	fmt.Println("call-back:", story.Approve(sandbox, started.Links.ScaRedirect.Href))

	// The basket shows the worst case; each payment shows its own status.
	fmt.Println("basket:", bank.status(basket))
	for at, payment := range payments {
		fmt.Printf("%s NOK: %s\n", orders[at][0], bank.status(payment))
	}
}
