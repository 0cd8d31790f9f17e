//go:build xs2a_sandbox

package xs2a_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
	"time"

	"xs2a"
)

func expectAt(t *testing.T, json, pointer, expected string) {
	t.Helper()
	check(t, must(xs2a.JsonAt(json, pointer)) == expected, json)
}

func TestAnswerHasTheRecordOfItsCall(t *testing.T) {
	g := openGateway(t)
	g.bank.before["fee"] = func() error { time.Sleep(2 * time.Millisecond); return nil }
	created := g.call("POST", straks, payment)
	check(t, created.Status == 201 && created.Operation == "createPayment", created.Operation)
	check(t, created.Tpp == g.tpp.OrganisationId() && created.TppName == "Acme Pay", created)
	check(t, fmt.Sprint(created.Roles) == "[PSP_PI PSP_AI]", created.Roles)
	took := created.Timing
	check(t, took.Bank >= 2*time.Millisecond && took.Bank < time.Minute, took)
	check(t, took.Store > 0 && took.Total >= took.Bank+took.Store && took.Total < time.Minute, took)
	unsigned := must(g.engine.Handle(xs2a.Request{Method: "GET", Target: "/v1/accounts"}))
	check(t, unsigned.Operation == "getAccounts", unsigned.Operation)
	check(t, unsigned.Tpp == "" && unsigned.TppName == "" && len(unsigned.Roles) == 0, unsigned)
	unknown := must(g.engine.Handle(xs2a.Request{Method: "GET", Target: "/v1/unknown"}))
	check(t, unknown.Operation == "", unknown.Operation)
}

func TestCorrelationIDReachesTheBank(t *testing.T) {
	g := openGateway(t)
	longest := strings.Repeat("x", 64)
	for _, id := range []string{"gateway-7", longest, ""} {
		answer := g.callAs(id, "POST", straks+"?allowLogicalDuplicate=true", payment)
		check(t, answer.Status == 201 && g.bank.correlated["fee"] == id, g.bank.correlated)
	}
	for _, wrong := range []string{"a b", "å", longest + "x"} {
		request := xs2a.Request{Method: "GET", Target: "/v1/accounts", CorrelationID: wrong}
		_, err := g.engine.Handle(request)
		expectCode(t, err, xs2a.ResultMisuse)
		_, err = xs2a.SigningString(request, "(request-target)")
		expectCode(t, err, xs2a.ResultMisuse)
	}
}

func TestRunEndsWhenTheHostSaysSo(t *testing.T) {
	g := openGateway(t)
	for range [3]int{} {
		id, _ := g.create()
		must(g.engine.CompleteSca(id, approved))
	}
	// The first order ends the run.
	report := must(g.engine.RunDueWhile(func() bool { return len(g.bank.orders) == 0 }))
	check(t, report == xs2a.RunReport{Submitted: 1}, report)
	report, err := g.engine.RunDueWhile(func() bool { panic("by intention") })
	check(t, err != nil && err.Error() == "panic: by intention", err)
	check(t, report == xs2a.RunReport{}, report)
	report = must(g.engine.RunDueWhile(func() bool { return true }))
	check(t, report == xs2a.RunReport{Submitted: 2}, report)
	g.engine.Close()
	_, err = g.engine.RunDueWhile(func() bool { return true })
	check(t, err == xs2a.ErrClosed, err)
}

func TestHealthAndFiguresAreGivenAsText(t *testing.T) {
	g := openGateway(t)
	g.create()
	health := must(g.engine.Health())
	expectAt(t, health, "/ok", "true")
	expectAt(t, health, "/trustAnchors/valid", "1")
	figures := must(g.engine.Metrics())
	const counted = `xs2a_requests_total{operation="createPayment",status="201"} 1` + "\n"
	check(t, strings.Contains(figures, counted), figures)
}

func TestConsentsAndPaymentsAreListed(t *testing.T) {
	g := openGateway(t)
	must(g.engine.CompleteSca(authorisation(g.call("POST", "/v1/bank-offered-consents", "")), approved))
	found := must(g.engine.Consents(`{"psu":"kari","limit":1}`))
	expectAt(t, found, "/0/state", "valid")
	check(t, must(g.engine.Consents(`{"psu":"ola"}`)) == "[]", found)
	for _, expected := range []bool{true, false} {
		wasOpen := must(g.engine.RevokeConsent("kari", g.tpp.OrganisationId()))
		check(t, wasOpen == expected, wasOpen)
	}
	expectAt(t, must(g.engine.Consents("")), "/0/state", "revokedByPsu")
	id, path := g.create()
	payment := path[strings.LastIndex(path, "/")+1:]
	expectAt(t, must(g.engine.Payments("")), "/0/id", payment)
	check(t, must(g.engine.Payments(`{"after":"`+payment+`"}`)) == "[]", payment)
	must(g.engine.CompleteSca(id, approved))
	expectAt(t, must(g.engine.Payment(payment)), "/events/0/from", "RCVD")
	check(t, must(g.engine.Payment("unknown")) == "", "an unknown payment")
	_, err := g.engine.Consents(`{"limit":0}`)
	expectCode(t, err, xs2a.ResultMisuse)
}

func TestBlockedTppIsRefusedUntilItIsUnblocked(t *testing.T) {
	g := openGateway(t)
	der, _ := pem.Decode([]byte(g.tpp.CertificatePem()))
	digest := sha256.Sum256(der.Bytes)
	certificate := hex.EncodeToString(digest[:])
	const until = "2026-09-01T10:00:01Z"
	for _, subject := range []struct{ member, tpp, certificate, reason string }{
		{"tpp", g.tpp.OrganisationId(), "", "TPP-03"}, {"certificate", "", certificate, "TPP-04"},
	} {
		check(t, g.engine.Block(subject.tpp, subject.certificate, until, "phishing") == nil, subject)
		answer := g.call("POST", straks, payment)
		check(t, answer.Status == 403 && answer.Reason == subject.reason, answer.Reason)
		blocked := must(g.engine.Blocked())
		expectAt(t, blocked, "/0/"+subject.member, subject.tpp+subject.certificate)
		expectAt(t, blocked, "/0/until", until)
		expectAt(t, blocked, "/0/why", "phishing")
		for _, expected := range []bool{true, false} {
			wasBlocked := must(g.engine.Unblock(subject.tpp, subject.certificate))
			check(t, wasBlocked == expected, wasBlocked)
		}
		g.create()
	}
	expectCode(t, g.engine.Block("", "", "", ""), xs2a.ResultMisuse)
	expectCode(t, g.engine.Block(g.tpp.OrganisationId(), "", "tomorrow", ""), xs2a.ResultBadArgument)
}
