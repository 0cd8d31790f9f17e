// Story 1: a TPP signs a request, and the bank's side verifies it.
package main

import (
	"fmt"
	"strconv"
	"strings"

	"xs2a"
	"xs2a/stories/story"
)

type verification struct {
	OK     bool
	Reason string
}

func verify(bank *xs2a.Sandbox, request xs2a.Request) verification {
	now := story.Must(bank.Now())
	return story.Read[verification]([]byte(story.Must(xs2a.VerifySignature(request, now, nil))))
}

// The same request with one bit of X-Request-ID flipped: the lowest of its last hex digit.
func withOneBitChanged(request xs2a.Request) xs2a.Request {
	request.Headers = append([]xs2a.Header{}, request.Headers...)
	for i := range request.Headers {
		if id := request.Headers[i].Value; request.Headers[i].Name == "X-Request-ID" {
			last := story.Must(strconv.ParseUint(id[len(id)-1:], 16, 8))
			request.Headers[i].Value = id[:len(id)-1] + strconv.FormatUint(last^1, 16)
		}
	}
	return request
}

func main() {
	fmt.Println("1. sign and verify")
	bank := story.Open()
	defer bank.Close()
	tpp := story.Must(bank.RegisterTpp("Acme Pay", "AISP,PISP"))
	defer tpp.Close()
	request := story.Must(tpp.Sign(xs2a.Request{Method: "POST", Target: story.Payments,
		Headers: []xs2a.Header{story.Redirect},
		Body:    []byte(`{"instructedAmount":{"amount":"250.00","currency":"NOK"}}`)}))

	// What was signed: the headers that Signature lists, in its order.
	for _, header := range request.Headers {
		if header.Name == "Signature" {
			names := strings.Split(strings.Split(header.Value, `headers="`)[1], `"`)[0]
			fmt.Printf("signing string:\n%s\n", story.Must(xs2a.SigningString(request, names)))
		}
	}
	fmt.Println("verified:", verify(bank, request).OK)
	fmt.Println("one bit changed:", verify(bank, withOneBitChanged(request)).Reason)
	request.Body = append(request.Body, ' ')
	fmt.Println("body changed:", verify(bank, request).Reason)
}
