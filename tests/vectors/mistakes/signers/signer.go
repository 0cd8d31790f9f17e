// Signs with Go's standard library as clients in Go do, and as they err. Prints lines of id, field, value.
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type field struct{ name, value string }

var (
	key         *rsa.PrivateKey
	certificate *x509.Certificate
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read(name string) []byte { return must(os.ReadFile(filepath.Join(os.Args[1], name))) }

func block(name string) []byte {
	found, _ := pem.Decode(read(name))
	return found.Bytes
}

// The fields to sign, as make.py writes them: a name and a value in each line.
func fields(call string) []field {
	var found []field
	for _, line := range strings.Split(strings.TrimSuffix(string(read(call+".fields")), "\n"), "\n") {
		name, value, _ := strings.Cut(line, "\t")
		found = append(found, field{name, value})
	}
	return found
}

func changed(call, name, value string) []field {
	found := fields(call)
	for at := range found {
		if found[at].name == name {
			found[at].value = value
		}
	}
	return found
}

func sign(hash crypto.Hash, digest []byte) string {
	return base64.StdEncoding.EncodeToString(must(rsa.SignPKCS1v15(rand.Reader, key, hash, digest)))
}

func write(id, keyID string, signed []field, hash crypto.Hash) {
	var lines, names []string
	for _, one := range signed {
		lines, names = append(lines, one.name+": "+one.value), append(names, one.name)
	}
	digest := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	fmt.Printf("%s\tSignature\tkeyId=%q,algorithm=\"rsa-sha256\",headers=%q,signature=%q\n",
		id, keyID, strings.Join(names, " "), sign(hash, digest[:]))
}

func main() {
	key = must(x509.ParsePKCS8PrivateKey(block("seal.key"))).(*rsa.PrivateKey)
	certificate = must(x509.ParseCertificate(block("seal.pem")))
	keyID := string(read("key-id"))
	serial := fmt.Sprintf("%X", certificate.SerialNumber)

	write("go-right", keyID, fields("payment"), crypto.SHA256)
	write("go-hash-of-no-algorithm", keyID, fields("payment"), crypto.Hash(0))
	write("go-serial-in-decimal", "SN="+certificate.SerialNumber.String()+",CA="+certificate.Issuer.String(),
		fields("accounts"), crypto.SHA256)
	write("go-issuer-rearranged", "SN="+serial+",CA="+certificate.Issuer.String(), fields("accounts"), crypto.SHA256)

	location := must(time.LoadLocation("Europe/Oslo"))
	date := time.Date(2026, 10, 14, 9, 30, 0, 0, time.UTC).In(location).Format(time.RFC1123)
	fmt.Printf("go-date-with-local-zone\tDate\t%s\n", date)
	write("go-date-with-local-zone", keyID, changed("accounts", "date", date), crypto.SHA256)

	target := must(url.Parse("/v1/accounts/9c1f%3D%3D/transactions?bookingStatus=both&dateFrom=2026-09-01"))
	write("go-url-path", keyID, append([]field{{"(request-target)", "get " + target.Path}}, fields("transactions")...),
		crypto.SHA256)
	write("go-request-uri", keyID,
		append([]field{{"(request-target)", "get " + target.RequestURI()}}, fields("transactions")...), crypto.SHA256)

	// json.Encoder ends the body with a newline; the digest is that of json.Marshal.
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(json.RawMessage(read("payment.body"))); err != nil {
		panic(err)
	}
	fmt.Printf("go-json-encoder\tbody\t%s\n", base64.StdEncoding.EncodeToString(body.Bytes()))
	write("go-json-encoder", keyID, fields("payment"), crypto.SHA256)
}
