// Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions.
package main

import (
	"fmt"

	"xs2a"
	"xs2a/stories/story"
)

const accounts = "/v1/accounts?withBalance=true"

type money struct {
	Amount, Currency string
}

type refusal struct {
	TppMessages []struct{ Code string }
	Links       struct{ ScaRedirect story.Link } `json:"_links"`
}

type accountList struct {
	Accounts []struct {
		Bban, ResourceID string
		Balances         []struct{ BalanceAmount money }
		Links            struct{ Transactions story.Link } `json:"_links"`
	}
}

type transactionList struct {
	Transactions struct {
		Booked []struct {
			TransactionID, BookingDate, RemittanceInformationUnstructured string
			TransactionAmount                                             money
		}
	}
}

type transaction struct {
	TransactionsDetails struct {
		CreditorAccount     struct{ Bban string }
		BankTransactionCode string
	}
}

func main() {
	fmt.Println("3. reading transactions")
	bank := story.Open()
	defer bank.Close()
	tpp := story.Must(bank.RegisterTpp("Acme Pay", "AISP,PISP"))
	defer tpp.Close()

	// A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
	paid := story.Send(bank, tpp, xs2a.Request{Method: "POST", Target: story.Payments, Headers: story.Headers[:5],
		Body: story.Order("250.00", "95360573037", "95360573002", story.Invoice)})
	callback := story.Approve(bank, story.Read[story.Created](paid.Body).Links.ScaRedirect.Href)
	headers := []xs2a.Header{story.Headers[0], story.Headers[1], story.Redirect, story.Headers[4],
		{Name: "PSU-ID", Value: story.PsuID(callback)}}
	get := func(target string) *xs2a.Response {
		return story.Send(bank, tpp, xs2a.Request{Method: "GET", Target: target, Headers: headers})
	}

	// It opens no accounts: that takes a consent, and the refusal carries the link to it.
	answer := get(accounts)
	refused := story.Read[refusal](answer.Body)
	fmt.Println("before consent:", answer.Status, refused.TppMessages[0].Code)
	fmt.Println("call-back:", story.Approve(bank, refused.Links.ScaRedirect.Href))

	account := story.Read[accountList](get(accounts).Body).Accounts[0]
	balance := account.Balances[0].BalanceAmount
	fmt.Println("account:", account.Bban, balance.Amount, balance.Currency)

	listed := story.Read[transactionList](get(account.Links.Transactions.Href).Body).Transactions.Booked[0]
	fmt.Println("booked:", listed.BookingDate, listed.TransactionAmount.Amount, listed.RemittanceInformationUnstructured)

	target := "/v1/accounts/" + account.ResourceID + "/transactions/" + listed.TransactionID
	details := story.Read[transaction](get(target).Body).TransactionsDetails
	fmt.Println("details: to", details.CreditorAccount.Bban, details.BankTransactionCode)
}
