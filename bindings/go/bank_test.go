//go:build xs2a_sandbox

package xs2a_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"xs2a"
)

const (
	straks   = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
	approved = `{"outcome":"approved","psu":{"person":"kari","context":"PRIVATE"}}`
	payment  = `{"instructedAmount":{"amount":"250.00","currency":"NOK"},"creditorName":"Testodius To",` +
		`"creditorAccount":{"bban":"95360573037","currency":"NOK"},"creditorAddress":{"townName":"Oslo",` +
		`"country":"NO"},"debtorAccount":{"bban":"95360573002","currency":"NOK"}}`
)

var start = time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)

// toyBank is a bank in Go: one person with one account.
type toyBank struct {
	lock   sync.Mutex
	orders map[string]bool
	logged []xs2a.LogRecord
	failed []string
	// The id of the call that last asked, by the method.
	correlated map[string]string
	// What a function does first, by its name; and by the method, for Call.
	before map[string]func() error
}

type question struct {
	Identity, PaymentID, AccountID, CorrelationID string
	Account, Psu                                  json.RawMessage
}

func (b *toyBank) answer(method string, asked question) string {
	switch method {
	case "psu":
		return `{"person":"kari"}`
	case "debtor_account":
		return fmt.Sprintf(`{"account":%s,"currency":"NOK"}`, asked.Account)
	case "fee":
		return `{"fee":{"amount":"0.00","currency":"NOK"}}`
	case "accounts":
		return fmt.Sprintf(`{"psu":%s,"accounts":[{"accountId":"acc","bban":"95360573002","currency":"NOK"}]}`, asked.Psu)
	case "card_accounts":
		return fmt.Sprintf(`{"psu":%s,"cardAccounts":[]}`, asked.Psu)
	case "submit_payment":
		b.lock.Lock()
		defer b.lock.Unlock()
		b.orders[asked.PaymentID] = true
		return fmt.Sprintf(`{"paymentId":"%s","transactionStatus":"ACSC","fundsAvailable":true}`, asked.PaymentID)
	default:
		return "null"
	}
}

func (b *toyBank) first(function string) error {
	if before := b.before[function]; before != nil {
		return before()
	}
	return nil
}

func (b *toyBank) bank() xs2a.Bank {
	return xs2a.Bank{
		Call: func(method string, request []byte) ([]byte, error) {
			var asked question
			if err := json.Unmarshal(request, &asked); err != nil {
				return nil, err
			}
			b.lock.Lock()
			b.correlated[method] = asked.CorrelationID
			b.lock.Unlock()
			if err := b.first(method); err != nil {
				return nil, err
			}
			return []byte(b.answer(method, asked)), nil
		},
		IsRegistered: func(string) (bool, error) { err := b.first("IsRegistered"); return err == nil, err },
		Now: func() time.Time {
			_ = b.first("Now")
			return start
		},
		Log: func(record xs2a.LogRecord) {
			_ = b.first("Log")
			b.lock.Lock()
			defer b.lock.Unlock()
			b.logged = append(b.logged, record)
		},
		Failed: func(function string, err error) {
			b.lock.Lock()
			defer b.lock.Unlock()
			b.failed = append(b.failed, function+": "+err.Error())
		},
	}
}

// gateway is an engine over the toy bank, and a TPP that calls it.
type gateway struct {
	*testing.T
	bank   *toyBank
	engine *xs2a.Engine
	tpp    *xs2a.Tpp
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func openSandbox(t *testing.T) *xs2a.Sandbox {
	sandbox := must(xs2a.NewSandbox(xs2a.SandboxOptions{Seed: 1, Now: "2026-09-01T10:00:00Z"}))
	t.Cleanup(sandbox.Close)
	return sandbox
}

func configuration(pem string) string {
	return string(must(json.Marshal(map[string]any{"database": "sqlite::memory:", "trust_anchors": pem,
		"policy": map[string]string{"account_check_digit": "warn"}})))
}

func openGateway(t *testing.T) *gateway {
	return openGatewayWith(t, func(tpp *xs2a.Tpp, _ *xs2a.Bank) string { return configuration(tpp.CertificatePem()) })
}

// openGatewayWith opens an engine whose bank `change` may change; it gives the configuration.
func openGatewayWith(t *testing.T, change func(tpp *xs2a.Tpp, bank *xs2a.Bank) string) *gateway {
	tpp := must(openSandbox(t).RegisterTpp("Acme Pay", "AISP,PISP"))
	t.Cleanup(tpp.Close)
	toy := &toyBank{orders: map[string]bool{}, correlated: map[string]string{}, before: map[string]func() error{}}
	bank := toy.bank()
	config := change(tpp, &bank)
	engine := must(xs2a.NewEngine(config, bank))
	t.Cleanup(engine.Close)
	return &gateway{t, toy, engine, tpp}
}

func (g *gateway) call(method, target, body string) *xs2a.Response {
	return g.callAs("", method, target, body)
}

// callAs makes a call with the gateway's own id of it.
func (g *gateway) callAs(correlationID, method, target, body string) *xs2a.Response {
	headers := []xs2a.Header{{Name: "x-accept-fix"}, {Name: "TPP-Session-ID", Value: "session-1"},
		{Name: "TPP-Redirect-URI", Value: "https://tpp.example/"}, {Name: "PSU-Context", Value: "PRIVATE"},
		{Name: "PSU-IP-Address", Value: "192.0.2.1"}, {Name: "Content-Type", Value: "application/json"}}
	signed := must(g.tpp.Sign(xs2a.Request{Method: method, Target: target, Headers: headers, Body: []byte(body),
		CorrelationID: correlationID}))
	return must(g.engine.Handle(signed))
}

// create creates a payment, and gives the id of its authorisation and its path.
func (g *gateway) create() (id, path string) {
	answer := g.call("POST", straks+"?allowLogicalDuplicate=true", payment)
	if answer.Status != 201 {
		g.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return authorisation(answer), must(xs2a.JsonAt(string(answer.Body), "/_links/self/href"))
}

// authorisation is the id of the authorisation of an answer.
func authorisation(answer *xs2a.Response) string {
	link := must(xs2a.JsonAt(string(answer.Body), "/_links/scaRedirect/href"))
	return link[strings.LastIndex(link, "/")+1:]
}
