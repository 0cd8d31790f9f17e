//go:build !xs2a_sandbox

package xs2a_test

import (
	"testing"

	"xs2a"
)

// With libxs2a, which has no sandbox.
func TestEngineAloneIsLinkedAndRefusesAConfiguration(t *testing.T) {
	bank := xs2a.Bank{Call: func(string, []byte) ([]byte, error) { return []byte("null"), nil }}
	_, err := xs2a.NewEngine("{}", bank)
	if xs2a.CodeOf(err) != xs2a.ResultConfig || !xs2a.KidIsValid("1234567897") {
		t.Fatal(err)
	}
}
