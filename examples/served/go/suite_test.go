// Package served has ten tests of a TPP's client against a served bank.
package served

import (
	"fmt"
	"log"
	"os"
	"testing"
)

const (
	instant  = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
	batched  = "/v1/payments/norwegian-domestic-credit-transfers"
	payer    = "95360573002"
	customer = "13039319955"
)

var bank *Bank
var tpp *Tpp

func TestMain(m *testing.M) {
	os.Exit(runWithBank(m))
}

func runWithBank(m *testing.M) int {
	var err error
	if bank, err = startBank(); err != nil {
		log.Fatal(err)
	}
	defer bank.stop()
	if tpp, err = registerTpp(bank, "Acme Pay"); err == nil {
		err = bank.keep()
	}
	if err != nil {
		log.Print(err)
		return 1
	}
	return m.Run()
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// link returns the scaRedirect of an answer.
func link(t *testing.T, answer Object) string {
	t.Helper()
	links, found := answer["_links"].(map[string]any)
	if !found {
		t.Fatalf("no links: %v", answer)
	}
	return links["scaRedirect"].(map[string]any)["href"].(string)
}

// approvedPayment creates a payment that the PSU approves; returns its id and path.
func approvedPayment(t *testing.T, product string) (id, path string) {
	t.Helper()
	account := func(bban string) Object { return Object{"bban": bban, "currency": "NOK"} }
	status, created := tpp.send(t, Call{method: "POST", target: product, body: Object{
		"instructedAmount": Object{"amount": "250.00", "currency": "NOK"},
		"creditorName":     "Testine Test",
		"creditorAccount":  account("95360573037"),
		"creditorAddress":  Object{"townName": "Oslo", "country": "NO"},
		"debtorAccount":    account(payer),
	}})
	equal(t, status, 201)
	bank.authorise(t, link(t, created))
	id = created["paymentId"].(string)
	return id, product + "/" + id
}

func statusOf(t *testing.T, payment string) any {
	t.Helper()
	_, answer := tpp.send(t, Call{method: "GET", target: payment + "/status"})
	return answer["transactionStatus"]
}

// consent returns the PSU-ID of the PSU, who opens every account.
func consent(t *testing.T) string {
	t.Helper()
	_, asked := tpp.send(t, Call{method: "POST", target: "/v1/bank-offered-consents"})
	return bank.authorise(t, link(t, asked)).Get("psu-id")
}

func readAccounts(t *testing.T, psuID string) (int, Object) {
	t.Helper()
	return tpp.send(t, Call{method: "GET", target: "/v1/accounts", psuID: psuID})
}

func firstAccount(answer Object) map[string]any {
	return answer["accounts"].([]any)[0].(map[string]any)
}

func TestAccountsAreReadAfterSca(t *testing.T) {
	bank.reset(t)
	status, answer := readAccounts(t, consent(t))
	equal(t, status, 200)
	equal(t, firstAccount(answer)["bban"], payer)
}

func TestPaymentIsSettledByTheNextBatch(t *testing.T) {
	bank.reset(t)
	_, path := approvedPayment(t, batched)
	equal(t, statusOf(t, path), "PDNG")
	bank.steer(t, "POST", "/clock", Object{"to": "next-event"}, nil)
	equal(t, statusOf(t, path), "ACSC")
	equal(t, bank.balance(t, payer), "99750.00")
}

func TestRefusalNamesTheMistakeOfTheClient(t *testing.T) {
	bank.reset(t)
	newline := func(text string) string { return text + "\n" }
	status, _ := tpp.send(t, Call{method: "GET", target: "/v1/accounts", spoil: newline})
	equal(t, status, 400)
	var entries []struct{ Number int }
	bank.steer(t, "GET", "/journal?last=1", nil, &entries)
	explanation := Object{}
	bank.steer(t, "GET", fmt.Sprintf("/journal/%d/explanation", entries[0].Number), nil, &explanation)
	equal(t, explanation["mistake"], "trailing-newline")
}

func TestFaultFailsOneCall(t *testing.T) {
	bank.reset(t)
	psuID := consent(t)
	fault := Object{"code": "SYSTEM_ERROR", "operation": "getAccounts", "times": 1}
	bank.steer(t, "POST", "/faults", fault, nil)
	status, _ := readAccounts(t, psuID)
	equal(t, status, 500)
	status, _ = readAccounts(t, psuID)
	equal(t, status, 200)
}

func TestRestoredSnapshotUndoesAPayment(t *testing.T) {
	bank.reset(t)
	taken := struct{ ID int }{}
	bank.steer(t, "POST", "/snapshots", nil, &taken)
	_, path := approvedPayment(t, instant)
	equal(t, bank.balance(t, payer), "99750.00")
	bank.steer(t, "POST", fmt.Sprintf("/snapshots/%d/restore", taken.ID), nil, nil)
	equal(t, bank.balance(t, payer), "100000.00")
	status, _ := tpp.send(t, Call{method: "GET", target: path + "/status"})
	equal(t, status, 404)
}

func TestRevokedConsentEndsAccess(t *testing.T) {
	bank.reset(t)
	psuID := consent(t)
	revoked := Object{"customerNumber": customer, "tpp": tpp.organisationID}
	bank.steer(t, "POST", "/consents/revoke", revoked, nil)
	status, _ := readAccounts(t, psuID)
	equal(t, status, 403)
}

func TestPaymentOnHoldWaitsForItsRelease(t *testing.T) {
	bank.reset(t)
	id, path := approvedPayment(t, batched)
	bank.steer(t, "POST", "/hold", Object{"paymentId": id, "why": "a question of the bank"}, nil)
	bank.steer(t, "POST", "/clock", Object{"advance": "P7D"}, nil)
	equal(t, statusOf(t, path), "PDNG")
	bank.steer(t, "POST", "/release", Object{"paymentId": id}, nil)
	bank.steer(t, "POST", "/clock", Object{"advance": "P3D"}, nil)
	equal(t, statusOf(t, path), "ACSC")
}

func TestPopulatedCustomerHasALedger(t *testing.T) {
	bank.reset(t)
	var made struct {
		Customers []struct {
			Accounts []struct{ BBAN, Balance string }
		}
	}
	bank.steer(t, "POST", "/populate", Object{"persons": 1, "companies": 0, "months": 2}, &made)
	account := made.Customers[0].Accounts[0]
	var ledger struct{ Bookings []Object }
	bank.steer(t, "GET", "/ledger/"+account.BBAN, nil, &ledger)
	equal(t, bank.balance(t, account.BBAN), account.Balance)
	equal(t, len(ledger.Bookings) > 0, true)
}

func TestCoverageCountsTheCalls(t *testing.T) {
	bank.reset(t)
	_, path := approvedPayment(t, instant)
	earlier := callsOf(t, "getPaymentStatus")
	statusOf(t, path)
	equal(t, callsOf(t, "getPaymentStatus"), earlier+1)
}

func callsOf(t *testing.T, operation string) int {
	t.Helper()
	var coverage struct {
		Operations struct {
			Rows []struct {
				Name  string
				Calls int
			}
		}
	}
	bank.steer(t, "GET", "/coverage", nil, &coverage)
	for _, row := range coverage.Operations.Rows {
		if row.Name == operation {
			return row.Calls
		}
	}
	t.Fatalf("coverage has no operation %s", operation)
	return 0
}

func TestEditedStateIsPutBack(t *testing.T) {
	bank.reset(t)
	state := Object{}
	bank.steer(t, "GET", "/state", nil, &state)
	for _, row := range state["accounts"].([]any) {
		if account := row.(map[string]any); account["bban"] == payer {
			account["name"] = "Studentkonto"
		}
	}
	bank.steer(t, "PUT", "/state", state, nil)
	_, answer := readAccounts(t, consent(t))
	equal(t, firstAccount(answer)["name"], "Studentkonto")
}
