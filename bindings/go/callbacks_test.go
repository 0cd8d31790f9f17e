//go:build xs2a_sandbox

package xs2a_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"

	"xs2a"
)

func TestErrorTextReachesTheLogAndOtherErrorsDoNot(t *testing.T) {
	g := openGateway(t)
	const why = "core: closed \"for\" the night"
	for err, logged := range map[error]string{
		fmt.Errorf("wrapped: %w", xs2a.BankError{Why: why}): "bank: fee: " + why,
		errors.New("Kari Nordmann"):                         "bank: fee: the callback gave 1",
	} {
		err := err
		g.bank.logged = nil
		g.bank.before["fee"] = func() error { return err }
		check(t, g.call("POST", straks, payment).Reason == "SYS-02", "a bank that fails")
		check(t, len(g.bank.logged) == 1, g.bank.logged)
		record := g.bank.logged[0]
		check(t, record.Level == "error" && record.Target == "xs2a::pipeline::stages::respond", record)
		check(t, record.Message == "a request could not be processed", record)
		expectAt(t, record.Fields, "/error", logged)
		expectAt(t, record.Fields, "/operation", "createPayment")
	}
	delete(g.bank.before, "fee")
	id, _ := g.create()
	g.bank.before["debtor_account"] = func() error { return xs2a.BankError{Why: why} }
	_, err := g.engine.CompleteSca(id, approved)
	expectCode(t, err, xs2a.ResultBank)
	check(t, strings.Contains(err.Error(), "debtor_account: "+why), err)
}

func TestRevocationIsAskedOnEveryCall(t *testing.T) {
	var status xs2a.RevocationStatus
	var err error
	var chains [][2]*x509.Certificate
	g := openGatewayWith(t, func(tpp *xs2a.Tpp, bank *xs2a.Bank) string {
		bank.Revocation = func(certificate, issuer []byte) (xs2a.RevocationStatus, error) {
			chains = append(chains, [2]*x509.Certificate{must(x509.ParseCertificate(certificate)), nil})
			if len(issuer) > 0 {
				chains[len(chains)-1][1] = must(x509.ParseCertificate(issuer))
			}
			return status, err
		}
		root := openSandbox(t).RootPem()
		return string(must(json.Marshal(map[string]any{"database": "sqlite::memory:", "trust_anchors": root,
			"policy": map[string]string{"account_check_digit": "warn", "missing_crl": "refuse"}})))
	})
	for given, reason := range map[xs2a.RevocationStatus]string{xs2a.RevocationGood: "", xs2a.RevocationRevoked: "CRT-15",
		xs2a.RevocationStale: "CRT-16", xs2a.RevocationUnlisted: "CRT-17", 4: "SYS-02"} {
		status = given
		answer := g.call("POST", straks+"?allowLogicalDuplicate=true", payment)
		check(t, answer.Reason == reason, answer.Reason)
	}
	status, err = xs2a.RevocationGood, errors.New("no responder")
	check(t, g.call("POST", straks, payment).Reason == "SYS-02", "a responder that fails")
	leaf := chains[0]
	check(t, leaf[1] != nil && leaf[0].CheckSignatureFrom(leaf[1]) == nil, "another issuer")
	failed := strings.Join(g.bank.failed, "; ")
	check(t, failed == "Revocation: 4 is no RevocationStatus; Revocation: no responder", failed)
	_, err = g.engine.SupplyCrl([]byte("x"), "")
	expectCode(t, err, xs2a.ResultMisuse)
}

func TestAnswersAreSignedByAKeyThatTheEngineDoesNotHave(t *testing.T) {
	var failure error
	g := openGatewayWith(t, func(tpp *xs2a.Tpp, bank *xs2a.Bank) string {
		block, _ := pem.Decode([]byte(tpp.PrivateKeyPem()))
		key := must(x509.ParsePKCS8PrivateKey(block.Bytes)).(*rsa.PrivateKey)
		own, _ := pem.Decode([]byte(tpp.CertificatePem()))
		bank.Sign = func(certificate, text []byte) ([]byte, error) {
			if failure != nil || string(certificate) != string(own.Bytes) {
				return nil, failure
			}
			digest := sha256.Sum256(text)
			return rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
		}
		return string(must(json.Marshal(map[string]any{"database": "sqlite::memory:", "trust_anchors": tpp.CertificatePem(),
			"response_key": map[string]string{"certificate": tpp.CertificatePem()},
			"policy":       map[string]any{"account_check_digit": "warn", "sign_responses": true}})))
	})
	trusted := g.tpp.CertificatePem()
	answer := g.call("POST", straks, payment)
	check(t, answer.Status == 201, answer.Reason)
	found := must(xs2a.VerifyResponse(answer.Headers, answer.Body, "2026-09-01T10:00:00Z", &trusted))
	check(t, must(xs2a.JsonAt(found, "/ok")) == "true", found)
	failure = xs2a.BankError{Why: "the token is locked"}
	check(t, g.call("GET", "/v1/accounts", "").Status == 500, "an answer without a signature")
	expectAt(t, g.bank.logged[len(g.bank.logged)-1].Fields, "/error", "bank: sign: the token is locked")
	check(t, g.engine.ReplaceResponseKey(trusted, "") != nil, "a seal that does not sign")
	failure = nil
	check(t, g.engine.ReplaceResponseKey(trusted, "") == nil, "a seal that signs")
	check(t, g.call("POST", straks+"?allowLogicalDuplicate=true", payment).Status == 201, "a signed answer")
}
