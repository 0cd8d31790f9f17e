// Story 2: a payment from its creation, through the customer's approval (SCA), to the bank's books.
package main

import (
	"fmt"

	"xs2a"
	"xs2a/stories/story"
)

type money struct {
	Amount, Currency string
}

type ledger struct {
	Bookings []money
	Balance  money
}

type defaultData struct {
	Customers []struct {
		CustomerNumber string
		Accounts       []struct{ Bban string }
	}
}

// The bban of the first account of one of the sandbox's customers.
func firstAccount(bank *xs2a.Sandbox, customerNumber string) string {
	for _, customer := range story.Read[defaultData]([]byte(story.Must(bank.DefaultData()))).Customers {
		if customer.CustomerNumber == customerNumber {
			return customer.Accounts[0].Bban
		}
	}
	return ""
}

func showNewestBooking(whose string, bank *xs2a.Sandbox, account string) {
	found := story.Read[ledger]([]byte(story.Must(bank.Ledger(account))))
	booking, balance := found.Bookings[0], found.Balance
	fmt.Printf("%s: %s %s, balance %s %s\n", whose, booking.Amount, booking.Currency, balance.Amount, balance.Currency)
}

func main() {
	fmt.Println("2. a payment through SCA")
	bank := story.Open()
	defer bank.Close()
	tpp := story.Must(bank.RegisterTpp("Acme Pay", "AISP,PISP"))
	defer tpp.Close()
	debtor, creditor := firstAccount(bank, story.Customer), firstAccount(bank, "12085592767")

	answer := story.Send(bank, tpp, xs2a.Request{Method: "POST", Target: story.Payments, Headers: story.Headers,
		Body: story.Order("250.00", creditor, debtor, story.Invoice)})
	created := story.Read[story.Created](answer.Body)
	fmt.Println("created:", answer.Status, created.TransactionStatus)

	// The customer follows the link, approves at the bank, and is sent back to the TPP.
	fmt.Println("call-back:", story.Approve(bank, created.Links.ScaRedirect.Href))

	answer = story.Send(bank, tpp, xs2a.Request{Method: "GET",
		Target: story.Payments + "/" + created.PaymentID + "/status", Headers: []xs2a.Header{story.Redirect}})
	fmt.Println("status:", story.Read[story.Created](answer.Body).TransactionStatus)

	showNewestBooking("debtor", bank, debtor)
	showNewestBooking("creditor", bank, creditor)
}
