// Package story holds what the stories share: a sandbox that gives the same bytes every time, and a TPP that signs.
package story

import (
	"encoding/json"
	"fmt"
	"log"
	"net/url"

	"xs2a"
)

const (
	Payments = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
	Customer = "13039319955"
)

var Redirect = xs2a.Header{Name: "TPP-Redirect-URI", Value: "https://tpp.example/callback?state=42"}

// Headers are those of a call in the presence of the PSU.
var Headers = []xs2a.Header{
	{Name: "x-accept-fix", Value: ""},
	{Name: "TPP-Session-ID", Value: "session-1"},
	Redirect,
	{Name: "PSU-Context", Value: "PRIVATE"},
	{Name: "PSU-IP-Address", Value: "192.0.2.1"},
	{Name: "Content-Type", Value: "application/json"},
}

// Must ends the program on an error.
func Must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// Open opens the sandbox of all stories.
func Open() *xs2a.Sandbox {
	return Must(xs2a.NewSandbox(xs2a.SandboxOptions{Seed: 1, Now: "2026-09-01T10:00:00Z"}))
}

// Approve acts as the PSU in the browser, and gives the URL that the PSU is sent back to.
func Approve(bank *xs2a.Sandbox, link string) string {
	return Must(bank.Authorise(link, xs2a.ScaAnswer{CustomerNumber: Customer, Approve: true}))
}

// Send signs a request as the TPP and sends it to the bank.
func Send(bank *xs2a.Sandbox, tpp *xs2a.Tpp, request xs2a.Request) *xs2a.Response {
	return Must(bank.Handle(Must(tpp.Sign(request))))
}

// Read reads the JSON of an answer, of a ledger and the like.
func Read[T any](text []byte) T {
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		log.Fatal(err)
	}
	return value
}

// PsuID is the PSU-ID in a call-back.
func PsuID(callback string) string {
	return Must(url.Parse(callback)).Query().Get("psu-id")
}

// Order is the body of a payment.
func Order(amount, creditor, debtor, remittance string) []byte {
	return []byte(fmt.Sprintf(`{"instructedAmount":{"amount":"%s","currency":"NOK"},`+
		`"creditorName":"Testodius To","creditorAccount":{"bban":"%s","currency":"NOK"},`+
		`"creditorAddress":{"townName":"Oslo","country":"NO"},"debtorAccount":{"bban":"%s","currency":"NOK"},%s}`,
		amount, creditor, debtor, remittance))
}

// Invoice is the remittance information of most orders.
const Invoice = `"remittanceInformationUnstructured":"Invoice 1001"`

type Link struct {
	Href string
}

// Created is what the stories read of a created payment or basket.
type Created struct {
	PaymentID         string `json:"paymentId"`
	TransactionStatus string
	Links             struct {
		ScaRedirect, StartAuthorisation, Status Link
	} `json:"_links"`
}
