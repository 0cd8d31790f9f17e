package served

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Tpp signs its requests with crypto/rsa and sends them to the bank.
type Tpp struct {
	bank           *Bank
	organisationID string
	certificate    *x509.Certificate
	key            *rsa.PrivateKey
}

// registerTpp registers a TPP; the bank's test PKI makes its certificate and key.
func registerTpp(bank *Bank, name string) (*Tpp, error) {
	made := struct{ OrganisationID, CertificatePEM, PrivateKeyPEM string }{}
	roles := []string{"AISP", "PISP"}
	if err := bank.control("POST", "/tpps", Object{"name": name, "roles": roles}, &made); err != nil {
		return nil, err
	}
	certificateBlock, _ := pem.Decode([]byte(made.CertificatePEM))
	certificate, err := x509.ParseCertificate(certificateBlock.Bytes)
	if err != nil {
		return nil, err
	}
	keyBlock, _ := pem.Decode([]byte(made.PrivateKeyPEM))
	key, err := x509.ParsePKCS8PrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, err
	}
	return &Tpp{bank, made.OrganisationID, certificate, key.(*rsa.PrivateKey)}, nil
}

// Call is a request: body is an object or nil, spoil changes the text that is signed.
type Call struct {
	method, target string
	body           any
	psuID          string
	spoil          func(text string) string
}

// send signs and sends a call; returns status and body of the answer.
func (tpp *Tpp) send(t *testing.T, call Call) (int, Object) {
	t.Helper()
	var body []byte
	if call.body != nil {
		body, _ = json.Marshal(call.body)
	}
	request, err := http.NewRequest(call.method, tpp.bank.URL+call.target, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	headers := request.Header
	headers.Set("x-accept-fix", "")
	headers.Set("TPP-Session-ID", "session-1")
	headers.Set("TPP-Redirect-URI", "https://tpp.example/callback?state=42")
	headers.Set("PSU-Context", "PRIVATE")
	headers.Set("PSU-IP-Address", "192.0.2.1")
	headers.Set("Date", tpp.bank.now(t).UTC().Format(http.TimeFormat))
	headers.Set("X-Request-ID", requestID())
	if call.psuID != "" {
		headers.Set("PSU-ID", call.psuID)
	}
	if body != nil {
		hash := sha256.Sum256(body)
		headers.Set("Content-Type", "application/json")
		headers.Set("Digest", "SHA-256="+base64.StdEncoding.EncodeToString(hash[:]))
	}
	if err := tpp.sign(headers, call.spoil); err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := Object{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// sign adds the two headers that a signed request has more.
func (tpp *Tpp) sign(headers http.Header, spoil func(text string) string) error {
	var names, lines []string
	for _, name := range []string{"date", "digest", "x-request-id", "psu-id", "tpp-redirect-uri"} {
		if value := headers.Get(name); value != "" {
			names = append(names, name)
			lines = append(lines, name+": "+value)
		}
	}
	text := strings.Join(lines, "\n")
	if spoil != nil {
		text = spoil(text)
	}
	hash := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, tpp.key, crypto.SHA256, hash[:])
	if err != nil {
		return err
	}
	var issuer pkix.RDNSequence // cert.Issuer.String() rearranges the parts
	if _, err := asn1.Unmarshal(tpp.certificate.RawIssuer, &issuer); err != nil {
		return err
	}
	headers.Set("TPP-Signature-Certificate", base64.StdEncoding.EncodeToString(tpp.certificate.Raw))
	headers.Set("Signature", fmt.Sprintf(`keyId="SN=%X,CA=%s",algorithm="rsa-sha256",headers="%s",signature="%s"`,
		tpp.certificate.SerialNumber, issuer, strings.Join(names, " "),
		base64.StdEncoding.EncodeToString(signature)))
	return nil
}

func requestID() string {
	random := make([]byte, 16)
	rand.Read(random)
	return fmt.Sprintf("%x", random)
}
