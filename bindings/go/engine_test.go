//go:build xs2a_sandbox

package xs2a_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"xs2a"
)

func check(t *testing.T, holds bool, found any) {
	t.Helper()
	if !holds {
		t.Fatalf("found: %v", found)
	}
}

func expectCode(t *testing.T, err error, code xs2a.Result) {
	t.Helper()
	check(t, xs2a.CodeOf(err) == code && errors.Is(err, &xs2a.Error{Code: code}), err)
}

func TestPaymentIsApprovedAndDeliveredOnceToABankInGo(t *testing.T) {
	g := openGateway(t)
	id, path := g.create()
	shown := must(g.engine.Authorisation(id))
	check(t, must(xs2a.JsonAt(shown, "/orders/0/creditorName")) == "Testodius To", shown)
	check(t, must(g.engine.NextDue()) == "2026-09-01T10:00:01Z", "more than statistics is due")
	url := must(g.engine.CompleteSca(id, approved))
	check(t, strings.HasPrefix(url, "https://tpp.example/?psu-id="), url)
	check(t, must(g.engine.NextDue()) == "2026-09-01T10:00:00Z", "nothing is due")
	for _, submitted := range []uint64{1, 0} {
		report := must(g.engine.RunDue())
		check(t, report == xs2a.RunReport{Submitted: submitted}, report)
	}
	status := string(g.call("GET", path+"/status", "").Body)
	check(t, must(xs2a.JsonAt(status, "/transactionStatus")) == "ACSC", status)
	check(t, len(g.bank.orders) == 1, g.bank.orders)
	check(t, len(g.bank.failed) == 0, g.bank.failed)
}

func TestPanicOfACallbackIsItsFailureValue(t *testing.T) {
	panics := func() error { panic("by intention") }
	fails := func() error { return errors.New("by intention") }
	for name, before := range map[string]func() error{"panic: by intention": panics, "by intention": fails} {
		g := openGateway(t)
		g.bank.before["fee"] = before
		answer := g.call("POST", straks, payment)
		check(t, answer.Status == 500 && answer.Reason == "SYS-02", answer.Reason)
		check(t, g.bank.failed[0] == "Call: "+name, g.bank.failed)
		delete(g.bank.before, "fee")
		g.create()

		g.bank.before["IsRegistered"] = before
		answer = g.call("GET", "/v1/accounts", "")
		check(t, answer.Status == 500 && answer.Reason == "SYS-02", answer.Reason)
		check(t, strings.HasPrefix(g.bank.failed[1], "IsRegistered: "), g.bank.failed)
	}
}

func TestPanicOfClockLogAndFailedIsHarmless(t *testing.T) {
	g := openGateway(t)
	panics := func() error { panic("by intention") }
	g.bank.before["Log"] = panics
	g.bank.before["fee"] = panics
	check(t, g.call("POST", straks, payment).Status == 500, "a bank that fails")
	g.bank.before["Now"] = panics
	// The machine's time is used, and the request is too old or too new by that.
	answer := g.call("POST", straks, payment)
	check(t, answer.Reason == "DAT-02" || answer.Status == 500, answer.Reason)
	config := configuration(g.tpp.CertificatePem())
	bank := xs2a.Bank{Call: g.bank.bank().Call, Failed: func(string, error) { panic("again") }}
	engine := must(xs2a.NewEngine(config, bank))
	defer engine.Close()
	signed := must(g.tpp.Sign(xs2a.Request{Method: "GET", Target: "/v1/accounts"}))
	must(engine.Handle(signed))
}

func TestAuditEndsByErrStopAndByAnErrorOfTheReader(t *testing.T) {
	g := openGateway(t)
	id, _ := g.create()
	must(g.engine.CompleteSca(id, approved))
	const from, until = "2026-09-01T10:00:00Z", "2026-09-01T10:00:01Z"
	lines := 0
	check(t, g.engine.Audit(from, until, func(string) error { lines++; return nil }) == nil && lines > 2, lines)
	lines = 0
	check(t, g.engine.Audit(from, until, func(string) error { lines++; return xs2a.ErrStop }) == nil && lines == 1, lines)
	err := g.engine.Audit(from, until, func(string) error { panic("by intention") })
	check(t, err != nil && err.Error() == "panic: by intention", err)
	expectCode(t, g.engine.Audit("today", until, nil), xs2a.ResultBadArgument)
}

func TestMistakesOfTheHostAreErrorsWithTheirCode(t *testing.T) {
	bank := (&toyBank{}).bank()
	for config, code := range map[string]xs2a.Result{
		"": xs2a.ResultConfig, "{}": xs2a.ResultConfig, "\xff": xs2a.ResultNotUtf8,
	} {
		_, err := xs2a.NewEngine(config, bank)
		expectCode(t, err, code)
	}
	_, err := xs2a.NewEngine("{}", xs2a.Bank{})
	check(t, err != nil, err)
	_, err = xs2a.MinorUnits("XXY")
	expectCode(t, err, xs2a.ResultMisuse)
	check(t, must(xs2a.MinorUnits("JPY")) == 0 && must(xs2a.MinorUnits("NOK")) == 2, "minor units")
	check(t, xs2a.KidIsValid("1234567897") && !xs2a.KidIsValid("1234567890"), "a KID")
	basket := must(xs2a.BasketStatus([]string{"ACSC", "RCVD"}))
	check(t, basket == "PATC", basket)
	_, err = xs2a.BasketStatus(nil)
	expectCode(t, err, xs2a.ResultMisuse)
}

func TestEmptyTrustAnchorsAreNoAnchorsAndNilIsNoCheck(t *testing.T) {
	g := openGateway(t)
	signed := must(g.tpp.Sign(xs2a.Request{Method: "GET", Target: "/v1/accounts"}))
	empty, trusted := "", g.tpp.CertificatePem()
	for expected, anchors := range map[string]*string{"CRT-08": &empty, "true": nil, "true ": &trusted} {
		found := must(xs2a.VerifySignature(signed, "2026-09-01T10:00:00Z", anchors))
		reason := must(xs2a.JsonAt(found, "/reason"))
		check(t, reason == expected || reason == "null" && strings.HasPrefix(expected, "true"), found)
	}
}

func TestFunctionsWithStructsReachTheirMembers(t *testing.T) {
	g := openGateway(t)
	found := must(xs2a.ValidatePayment(xs2a.PaymentCheck{Service: "payments", Product: "sepa-credit-transfers",
		Body: []byte("{}"), At: "2026-09-01T10:00:00Z", Environment: "production", AcceptFix: "x"}))
	check(t, must(xs2a.JsonAt(found, "/0/code")) == "FORMAT_ERROR", found)
	_, err := xs2a.ValidatePayment(xs2a.PaymentCheck{Service: "payments", Product: "x", Environment: "other"})
	expectCode(t, err, xs2a.ResultMisuse)
	// A request with the X-Request-ID of one and the signature of another.
	earlier := must(g.tpp.Sign(xs2a.Request{Method: "GET", Target: "/v1/accounts"}))
	signed := must(g.tpp.Sign(xs2a.Request{Method: "GET", Target: "/v1/accounts"}))
	signed.Headers[len(signed.Headers)-1] = earlier.Headers[len(earlier.Headers)-1]
	found = must(xs2a.Explain(signed, xs2a.ExplainOptions{Now: "2026-09-01T10:00:00Z", BasePaths: []string{"/psd2"},
		Policy: `{"key_id_issuer":"exact"}`, Earlier: []xs2a.Request{earlier}, BudgetMilliseconds: 1000}))
	check(t, must(xs2a.JsonAt(found, "/mistake")) == "request-id-made-again", found)
	answer := must(g.engine.Handle(signed))
	found = must(xs2a.VerifyResponse(answer.Headers, answer.Body, "", nil))
	check(t, must(xs2a.JsonAt(found, "/ok")) == "false", found)
}

func TestSandboxAnswersByPartsAndByBytes(t *testing.T) {
	sandbox := openSandbox(t)
	answer := must(sandbox.Handle(xs2a.Request{Method: "PUT", Target: "/v1/accounts"}))
	check(t, answer.Status == 405 && answer.Reason == "RTE-03" && answer.Header("allow") == "GET", answer)
	bytes := must(sandbox.HandleHttp([]byte("PUT /v1/accounts HTTP/1.1\r\nHost: bank\r\n\r\n")))
	check(t, strings.HasPrefix(string(bytes), "HTTP/1.1 405 "), string(bytes))
	empty := must(sandbox.Handle(xs2a.Request{Headers: []xs2a.Header{{}, {Name: "x"}, {Value: "\xff"}}}))
	check(t, empty.Status >= 400, empty.Status)
	// All accounts are offered; an empty list picks none of them.
	journal := must(sandbox.Journal(xs2a.JournalOptions{Form: "text", Last: 1}))
	check(t, len(journal) > 0, journal)
	_, err := sandbox.Journal(xs2a.JournalOptions{Form: "other"})
	expectCode(t, err, xs2a.ResultBadArgument)
	_, err = sandbox.Authorise("https://bank.example/sca/none", xs2a.ScaAnswer{Accounts: []string{}})
	expectCode(t, err, xs2a.ResultMisuse)
	engine := must(sandbox.Engine())
	engine.Close()
	must(engine.Handle(xs2a.Request{}))
}

func TestCallsAfterCloseAreErrorsAndCloseWaitsForNoCall(t *testing.T) {
	g := openGateway(t)
	sandbox := openSandbox(t)
	engine := must(sandbox.Engine())
	sandbox.Close()
	sandbox.Close()
	_, err := engine.Handle(xs2a.Request{})
	check(t, errors.Is(err, xs2a.ErrClosed), err)
	_, err = sandbox.Now()
	check(t, errors.Is(err, xs2a.ErrClosed), err)
	// The callback closes the engine that asks it: the call ends, and the engine is freed after it.
	g.bank.before["fee"] = func() error { g.engine.Close(); return nil }
	check(t, g.call("POST", straks, payment).Status == 201, "the last call")
	_, err = g.engine.RunDue()
	check(t, errors.Is(err, xs2a.ErrClosed), err)
	g.tpp.Close()
	check(t, g.tpp.Name() == "", g.tpp.Name())
}

func TestGoroutinesCallAtOnceWhileMemoryIsCollected(t *testing.T) {
	g := openGateway(t)
	var group sync.WaitGroup
	for range [8]int{} {
		group.Add(1)
		go func() {
			defer group.Done()
			for range [10]int{} {
				g.create()
				runtime.GC()
			}
		}()
	}
	group.Wait()
	check(t, len(g.bank.failed) == 0, g.bank.failed)
}

// The compiler refuses a header of another version of the binary interface.
func TestHeaderOfAnotherInterfaceIsRefusedByTheCompiler(t *testing.T) {
	include := strings.TrimSpace(string(must(exec.Command("pkg-config", "--variable=includedir", "xs2a").Output())))
	header := string(must(os.ReadFile(filepath.Join(include, "xs2a.h"))))
	other := strings.Replace(header, "#define XS2A_ABI_VERSION 1", "#define XS2A_ABI_VERSION 2", 1)
	check(t, other != header, "the header has no version")
	folder := t.TempDir()
	check(t, os.WriteFile(filepath.Join(folder, "xs2a.h"), []byte(other), 0o600) == nil, "cannot write")
	compile := exec.Command("go", "build", ".")
	compile.Env = append(os.Environ(), "CGO_CPPFLAGS=-I"+folder, "GOFLAGS=")
	printed, err := compile.CombinedOutput()
	check(t, err != nil && strings.Contains(string(printed), "another XS2A_ABI_VERSION"), string(printed))
}

// The loader takes any library of the name; the package compares its version.
func TestLibraryOfAnotherInterfaceIsRefusedWhenItIsLoaded(t *testing.T) {
	if os.Getenv("XS2A_TEST_OTHER_LIBRARY") != "" {
		_, err := xs2a.NewSandbox(xs2a.SandboxOptions{})
		check(t, errors.Is(err, xs2a.ErrLibrary) && strings.HasSuffix(err.Error(), ": 99, not 1"), err)
		_, err = xs2a.NewEngine("{}", (&toyBank{}).bank())
		check(t, errors.Is(err, xs2a.ErrLibrary), err)
		return
	}
	folder := t.TempDir()
	source, library := filepath.Join(folder, "other.c"), filepath.Join(folder, "other.so")
	other := []byte("unsigned xs2a_abi_version(void) { return 99; }\n")
	check(t, os.WriteFile(source, other, 0o600) == nil, "cannot write")
	printed, err := exec.Command("gcc", "-shared", "-fPIC", source, "-o", library).CombinedOutput()
	check(t, err == nil, string(printed))
	again := exec.Command(must(os.Executable()), "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), "XS2A_TEST_OTHER_LIBRARY=1", "LD_PRELOAD="+library)
	printed, err = again.CombinedOutput()
	check(t, err == nil, string(printed))
}
