package served

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Object is a JSON object.
type Object map[string]any

// Bank is the process `xs2a serve`, steered by its control interface.
type Bank struct {
	URL, ControlURL string
	process         *exec.Cmd
	ended           chan struct{}
	folder          string
	snapshot        float64
}

// startBank starts a bank whose clock does not move by itself, on free ports.
func startBank() (*Bank, error) {
	folder, err := os.MkdirTemp("", "xs2a-")
	if err != nil {
		return nil, err
	}
	ready := filepath.Join(folder, "bank.ready")
	process := exec.Command("xs2a", "serve", "--port", "0", "--control-port", "0", "--ready-file", ready,
		"--now", "2026-09-01T10:00:00Z", "--seed", "1", "--quiet")
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		return nil, err
	}
	bank := &Bank{process: process, ended: make(chan struct{}), folder: folder}
	go func() { process.Wait(); close(bank.ended) }()
	if err := bank.waitFor(ready); err != nil {
		bank.stop()
		return nil, err
	}
	return bank, nil
}

func (bank *Bank) waitFor(ready string) error {
	for tries := 0; tries < 600; tries++ {
		if text, err := os.ReadFile(ready); err == nil {
			lines := strings.Split(string(text), "\n")
			bank.URL, bank.ControlURL = lines[0], lines[1]
			return nil
		}
		select {
		case <-bank.ended:
			return fmt.Errorf("xs2a ended: %v", bank.process.ProcessState)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("the bank is not ready after 60 seconds")
}

func (bank *Bank) stop() {
	bank.process.Process.Signal(os.Interrupt)
	<-bank.ended
	os.RemoveAll(bank.folder)
}

// control calls the control interface; answer is a pointer to what the body is read into, or nil.
func (bank *Bank) control(method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, bank.ControlURL+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s %s: %s", method, path, text)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// steer is control for a test: an error ends the test.
func (bank *Bank) steer(t *testing.T, method, path string, body, answer any) {
	t.Helper()
	if err := bank.control(method, path, body, answer); err != nil {
		t.Fatal(err)
	}
}

// keep takes the snapshot that reset restores.
func (bank *Bank) keep() error {
	taken := Object{}
	if err := bank.control("POST", "/snapshots", nil, &taken); err != nil {
		return err
	}
	bank.snapshot = taken["id"].(float64)
	return nil
}

// reset brings the bank back to keep. Snapshots contain no faults.
func (bank *Bank) reset(t *testing.T) {
	t.Helper()
	bank.steer(t, "POST", fmt.Sprintf("/snapshots/%v/restore", bank.snapshot), nil, nil)
	bank.steer(t, "DELETE", "/faults", nil, nil)
}

func (bank *Bank) now(t *testing.T) time.Time {
	t.Helper()
	clock := struct{ Now time.Time }{}
	bank.steer(t, "GET", "/clock", nil, &clock)
	return clock.Now
}

// authorise does what the PSU does at the bank's site; returns the parameters of the callback.
func (bank *Bank) authorise(t *testing.T, scaRedirect string) url.Values {
	t.Helper()
	answer := struct{ Callback string }{}
	bank.steer(t, "POST", "/authorise", Object{"scaRedirect": scaRedirect}, &answer)
	callback, err := url.Parse(answer.Callback)
	if err != nil {
		t.Fatal(err)
	}
	return callback.Query()
}

func (bank *Bank) balance(t *testing.T, bban string) string {
	t.Helper()
	ledger := struct{ Balance struct{ Amount string } }{}
	bank.steer(t, "GET", "/ledger/"+bban, nil, &ledger)
	return ledger.Balance.Amount
}
