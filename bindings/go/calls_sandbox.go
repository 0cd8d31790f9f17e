// Code generated from the C headers by bindings/generator. DO NOT EDIT.

//go:build xs2a_sandbox

package xs2a

// #include <xs2a_sandbox.h>
import "C"

// HandleHttp: The same for one HTTP/1.1 request as bytes, as Engine.HandleHttp. A message that is no request is not
// in the journal.
//
// Results: ResultNullArgument, ResultBadSize.
func (s *Sandbox) HandleHttp(message []byte) ([]byte, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_bytes
	result := C.xs2a_sandbox_handle_http(s.pointer, lendBytes(message), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return takeBytes(out), nil
}

// ReportPaymentStatus: Reports the status that a payment reached outside of this interface, such as `CANC` for one
// that the PSU cancelled in the bank's app. A payment that is reported cancelled or rejected is not carried out.
// One that is reported settled (ACSC) is booked at once, before its batch. For a bulk in PART and for a periodic
// payment only the status changes. A bulk that is reported PART is not carried out any more: its entries were paid
// elsewhere.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (status), ResultMisuse (no such payment; a status
// that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is yet to be booked),
// ResultStore.
func (s *Sandbox) ReportPaymentStatus(paymentId string, status string, fundsAvailable int) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_report_payment_status(s.pointer, lend(paymentId), lend(status), C.int8_t(fundsAvailable),
		&failure)
	return failed(result, failure)
}

// Hold: Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch settles
// it until it is released, rejected or cancelled. `why` may be empty.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such payment; one that is not authorised, or
// settled; a `why` of more than 400 characters), ResultStore.
func (s *Sandbox) Hold(paymentId string, why string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_hold(s.pointer, lend(paymentId), lend(why), &failure)
	return failed(result, failure)
}

// Release: Releases a payment that is on hold. If its day came before, it is settled in the next batch.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such payment, or not on hold), ResultStore.
func (s *Sandbox) Release(paymentId string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_release(s.pointer, lend(paymentId), &failure)
	return failed(result, failure)
}

// Snapshot: The whole state as bytes: for Sandbox.Restore.
//
// Results: ResultNullArgument, ResultStore.
func (s *Sandbox) Snapshot() ([]byte, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_bytes
	result := C.xs2a_sandbox_snapshot(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return takeBytes(out), nil
}

// Restore: Restores a snapshot, the clock included.
//
// Results: ResultNullArgument, ResultMisuse (not a whole snapshot of this version), ResultStore.
func (s *Sandbox) Restore(image []byte) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_restore(s.pointer, lendBytes(image), &failure)
	return failed(result, failure)
}

// Fork: A second sandbox in memory with the state of this one; later changes of one do not affect the other.
//
// Results: ResultNullArgument, ResultStore.
func (s *Sandbox) Fork() (*Sandbox, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_sandbox
	result := C.xs2a_sandbox_fork(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return newSandbox(out), nil
}

// Initialize: Restores the default data set: deletes customers, accounts, payments and authorisations; keeps
// registered TPPs, trust anchors and the clock.
//
// Results: ResultNullArgument, ResultStore.
func (s *Sandbox) Initialize() error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_initialize(s.pointer, &failure)
	return failed(result, failure)
}

// SetCardStatus: Gives a card account another status: enabled, blocked or deleted, which is final. The id is the
// resourceId of the sandbox's own routes.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (unknown card account or status, or one that is deleted
// already), ResultStore.
func (s *Sandbox) SetCardStatus(cardAccountId string, status string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_set_card_status(s.pointer, lend(cardAccountId), lend(status), &failure)
	return failed(result, failure)
}

// DefaultData: The default data set as JSON: customers, accounts, the creditor with a KID agreement, the person
// engaged in both corporations.
//
// Results: ResultNullArgument.
func (s *Sandbox) DefaultData() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_default_data(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Populate: Adds generated customers with accounts, agreements and a history of bookings until yesterday; the same
// seed, clock and earlier calls give the same customers. The plan is a JSON object:
// `{"persons":100,"companies":4,"months":12}`; these are the defaults of absent members. With `"lives_on":true` the
// lives go on when the clock moves: at each midnight in Oslo the bank books the day that ended. With `"cases":10`
// there are ten cases of fraud or money laundering for a thousand persons, rounded up, and payments that look like
// cases come with them; 1000 at most. With `"events":true` persons change jobs, move, have children, retire and
// die. Their numbers belong to no real person: docs/guide/data.md describes how they are marked.
//
// Gives JSON: `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`, with
// customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the balances after
// the history; `from` is null without one.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such plan, one beyond the limits, `cases` together
// with `lives_on`, a history that begins before the year 1, or no numbers left), ResultStore. On a failure nothing
// is changed.
func (s *Sandbox) Populate(plan string) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_populate(s.pointer, lend(plan), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Ledger: The ledger of one account, by bban or iban, as JSON: `{"account":{…},"balance":{…},"bookings":[…]}`, the
// newest booking first, amounts as exact signed strings.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such account), ResultStore.
func (s *Sandbox) Ledger(account string) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_ledger(s.pointer, lend(account), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RootPem: The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with
// the answers of a sandbox whose policy has `sign_responses`. "" with length 0 where `sandbox` is "". Lives as long
// as the library.
func (s *Sandbox) RootPem() string {
	if s.life.begin() != nil {
		return ""
	}
	defer s.life.end()
	return borrowed(C.xs2a_sandbox_root_pem(s.pointer))
}

// Now: The time of the sandbox's clock, by RFC 3339 in UTC.
//
// Results: ResultNullArgument.
func (s *Sandbox) Now() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_now(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// SetNow: Sets the clock to a time by RFC 3339; every event of the bank up to that time takes place. The clock
// never goes back.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (no time), ResultMisuse (earlier than now, or after
// the year 9999), ResultStore.
func (s *Sandbox) SetNow(time string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_set_now(s.pointer, lend(time), &failure)
	return failed(result, failure)
}

// Advance: Moves the clock forward by `seconds`; every event of the bank up to that time takes place.
//
// Results: ResultNullArgument, ResultMisuse (negative, or beyond the year 9999), ResultStore.
func (s *Sandbox) Advance(seconds int64) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_advance(s.pointer, C.int64_t(seconds), &failure)
	return failed(result, failure)
}

// AdvanceToNextEvent: Moves the clock to the time of the bank's next event, which then takes place. Gives that time
// by RFC 3339; "" if no event waits: the clock then does not move.
//
// Results: ResultNullArgument, ResultMisuse (beyond the year 9999), ResultStore.
func (s *Sandbox) AdvanceToNextEvent() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_advance_to_next_event(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ClearJournal: Empties the journal.
//
// Results: ResultNullArgument.
func (s *Sandbox) ClearJournal() error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_clear_journal(s.pointer, &failure)
	return failed(result, failure)
}

// Coverage: Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`,
// `reasons`, `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row of the table, and
// `unrouted` `{"calls","statuses"}`. `family`: 0 for what this sandbox saw, 1 for what it saw with the one it was
// forked from and all other forks of that.
//
// Results: ResultNullArgument.
func (s *Sandbox) Coverage(family bool) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_coverage(s.pointer, flag(family), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RevokeConsent: Revokes the consents of a private customer to a TPP, in every context. A repetition changes
// nothing. The TPP is not notified: its next call is answered CONSENT_UNKNOWN.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no private customer has this number; a TPP that is
// neither registered here nor known to the customer), ResultStore.
func (s *Sandbox) RevokeConsent(customerNumber string, organisationId string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_revoke_consent(s.pointer, lend(customerNumber), lend(organisationId), &failure)
	return failed(result, failure)
}

// SetScaDemand: Sets the result of the bank's risk analysis for a private customer from now on. `demanded`: reading
// accounts is answered 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a payment
// with their PSU-ID is authorised without an SCA, and a TPP-Session-ID that was never seen reads accounts as a call
// without one does. `as_ruled`: neither; this is the initial value.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no private customer has this number, or an unknown
// demand), ResultStore.
func (s *Sandbox) SetScaDemand(customerNumber string, demand string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_set_sca_demand(s.pointer, lend(customerNumber), lend(demand), &failure)
	return failed(result, failure)
}

// ExportJson: The whole state as canonical JSON (RFC 8785): for Sandbox.ImportJson, to read, to keep under version
// control, and to change by hand. Equal states are equal texts. Policies and base path are not in it.
//
// Results: ResultNullArgument, ResultStore.
func (s *Sandbox) ExportJson() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_export_json(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ImportJson: Takes the state that an exported text holds, in any spelling of the same JSON. Invalid values are
// reported with their places (JSON Pointer), up to twenty at once; nothing is changed then. References between rows
// are checked if each row is valid by itself; sums and the keys of TPPs are checked last.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no exported sandbox of this version, or invalid
// values), ResultStore.
func (s *Sandbox) ImportJson(json string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_import_json(s.pointer, lend(json), &failure)
	return failed(result, failure)
}

// Policy: Every policy with its present value, as a JSON object.
//
// Results: ResultNullArgument.
func (s *Sandbox) Policy() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_policy(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// SetPolicy: Changes the policies that a JSON object names, from the next call on; the others stay. Each call is
// answered under one set of policies. They are not part of a snapshot; a fork begins with the present ones.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConfig (an unknown key or an invalid value; nothing is changed
// then).
func (s *Sandbox) SetPolicy(policy string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_set_policy(s.pointer, lend(policy), &failure)
	return failed(result, failure)
}

// Reconcile: Accounts whose balance differs from the sum of their bookings, as a JSON array: normally empty. Each
// entry is `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
//
// Results: ResultNullArgument, ResultStore.
func (s *Sandbox) Reconcile() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_reconcile(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RegisterTpp: Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma
// between; the names of ETSI TS 119 495 (`PSP_AI`, …) are accepted too. An empty text gives no role: such a TPP is
// refused by each call that needs one.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such role, an empty name), ResultStore.
func (s *Sandbox) RegisterTpp(name string, roles string) (*Tpp, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_tpp
	result := C.xs2a_sandbox_register_tpp(s.pointer, lend(name), lend(roles), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return newTpp(out), nil
}

// Tpp: A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox, so a
// test can continue in a fork, after a restore, and in a file that is opened again.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such TPP), ResultStore.
func (s *Sandbox) Tpp(organisationId string) (*Tpp, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_tpp
	result := C.xs2a_sandbox_tpp(s.pointer, lend(organisationId), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return newTpp(out), nil
}

// Trust: Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another
// process with a sandbox on the same file reads them when it opens the file again.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConfig (no usable certificate), ResultStore.
func (s *Sandbox) Trust(pem string) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_trust(s.pointer, lend(pem), &failure)
	return failed(result, failure)
}

// AddFault: Sets a fault, a JSON object with what goes wrong, and when. `kind`: `refusal` (the default) with `code`
// and, where a code has several, `status`; `bank_down`; `no_rate`; `slow` with `seconds`, by which the clock moves;
// `sca` with `outcome`: `aborted`, `expired`, or `failed` with a `code`; `submit_payment`: the bank does not take
// an authorised payment, which is delivered again. Conditions: `operation`, `tpp` (its organisation id), `product`,
// `target` (a part of it). How often: `nth`, `times`, `probability`. docs/guide/testing.md describes all. Gives the
// number of the fault. Faults are not part of a snapshot, and a fork begins without faults; `slow` needs
// Sandbox.Handle.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (an invalid fault).
func (s *Sandbox) AddFault(json string) (uint64, error) {
	if err := s.life.begin(); err != nil {
		return 0, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out C.uint64_t
	result := C.xs2a_sandbox_add_fault(s.pointer, lend(json), &out, &failure)
	if err := failed(result, failure); err != nil {
		return 0, err
	}
	return uint64(out), nil
}

// Faults: The active faults as a JSON array, the oldest first: each as it was written, with `id`, `seen` (how often
// its conditions were met) and `hits` (how often it struck).
//
// Results: ResultNullArgument.
func (s *Sandbox) Faults() (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_faults(s.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RemoveFault: Removes a fault by its number.
//
// Results: ResultNullArgument, ResultMisuse (no such fault is set).
func (s *Sandbox) RemoveFault(id uint64) error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_remove_fault(s.pointer, C.uint64_t(id), &failure)
	return failed(result, failure)
}

// ClearFaults: Removes every fault.
//
// Results: ResultNullArgument.
func (s *Sandbox) ClearFaults() error {
	if err := s.life.begin(); err != nil {
		return err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_sandbox_clear_faults(s.pointer, &failure)
	return failed(result, failure)
}

// Provoke: A signed request that the sandbox answers with a code of the contract, such as `KID_INVALID`, if it is
// the next request, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as
// text, and the answer to expect: `code`, `status`, `reason`. Prepares the sandbox for it: registers a TPP, may
// open accounts or order payments for customers, and for CONSENT_EXPIRED moves the clock by 180 days. Use a fork if
// the sandbox must not change.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (no such code; the default data set was changed),
// ResultBank (an active fault makes the bank fail), ResultStore.
func (s *Sandbox) Provoke(code string) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_provoke(s.pointer, lend(code), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
