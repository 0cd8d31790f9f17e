// Code generated from the C headers by bindings/generator. DO NOT EDIT.

//go:build xs2a_sandbox

package xs2a

// #include <xs2a_sandbox.h>
import "C"

// CoverageMerge: Adds up two coverages, such as those of two processes.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no coverage of this version).
func CoverageMerge(one string, other string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_coverage_merge(lend(one), lend(other), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// CoverageText: A coverage in words, a line for each kind. `untouched`: 1 to list below each what was not seen.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no coverage of this version).
func CoverageText(coverage string, untouched bool) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_coverage_text(lend(coverage), flag(untouched), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// SnapshotDiff: What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…:
// RCVD → ACSC"]`. An empty array: no difference. At most 1001 lines: beyond a thousand the last has the number of
// the others.
//
// Results: ResultNullArgument, ResultMisuse (not a whole snapshot of this version), ResultStore.
func SnapshotDiff(before []byte, after []byte) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_snapshot_diff(lendBytes(before), lendBytes(after), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
