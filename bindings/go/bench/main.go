// Creates payments by four goroutines and measures the time; bench/bindings.py has the protocol of its input lines.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"runtime"
	"sync"
	"time"

	"xs2a"
	"xs2a/stories/story"
)

const threads = 4

// No two payments have the same amount, so that none is a duplicate.
func prepare(tpp *xs2a.Tpp, count, made int) []xs2a.Request {
	requests := make([]xs2a.Request, count)
	for i := range requests {
		made++
		amount := fmt.Sprintf("%d.%02d", 1+made/100, made%100)
		requests[i] = story.Must(tpp.Sign(xs2a.Request{Method: "POST", Target: story.Payments, Headers: story.Headers,
			Body: story.Order(amount, "95360573037", "95360573002", story.Invoice)}))
	}
	runtime.GC()
	return requests
}

func run(bank *xs2a.Sandbox, requests []xs2a.Request) time.Duration {
	var group sync.WaitGroup
	start := time.Now()
	for first := 0; first < threads; first++ {
		group.Add(1)
		go func(first int) {
			defer group.Done()
			for i := first; i < len(requests); i += threads {
				if answer := story.Must(bank.Handle(requests[i])); answer.Status != 201 {
					log.Fatalf("%d %s", answer.Status, answer.Reason)
				}
			}
		}(first)
	}
	group.Wait()
	return time.Since(start)
}

func main() {
	bank := story.Open()
	tpp := story.Must(bank.RegisterTpp("Acme Pay", "AISP,PISP"))
	var requests []xs2a.Request
	made := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		count := 0
		if _, err := fmt.Sscanf(lines.Text(), "prepare %d", &count); err == nil {
			requests = prepare(tpp, count, made)
			made += count
			fmt.Println("ready")
		} else {
			fmt.Println(run(bank, requests).Nanoseconds())
		}
	}
}
