// Code generated from the C headers by bindings/generator. DO NOT EDIT.

package xs2a

// #include <xs2a.h>
import "C"

// HandleHttp: As Engine.Handle for one HTTP/1.1 request as bytes, and gives the answer as bytes to send. `message`
// is one complete request and nothing after it, whose body has a Content-Length; any other is answered 400, with
// the section of RFC 9112 that it breaks and the byte where. Close the connection after an answer that has
// `Connection: close`.
//
// Results: ResultNullArgument, ResultBadSize.
func (e *Engine) HandleHttp(message []byte) ([]byte, error) {
	if err := e.life.begin(); err != nil {
		return nil, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_bytes
	result := C.xs2a_engine_handle_http(e.pointer, lendBytes(message), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return takeBytes(out), nil
}

// RunDue: Delivers the due orders to the bank: for the host's scheduler. It also writes evidence of reads and
// statistics that wait and deletes expired rows of the database, so a gateway without payments calls it from time
// to time too.
//
// Results: ResultNullArgument, ResultMisuse (the callback `now` gave no year from 1 to 9999), ResultStore.
func (e *Engine) RunDue() (RunReport, error) {
	if err := e.life.begin(); err != nil {
		return RunReport{}, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.xs2a_run_report
	result := C.xs2a_engine_run_due(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return RunReport{}, err
	}
	return runReport(out), nil
}

// NextDue: When Engine.RunDue next has something to do, by RFC 3339 in UTC: to deliver an order, or to write
// evidence of reads that waits. "" if nothing waits now. The next read may add evidence. The next completed SCA may
// add an order, and so may the next call, if the bank exempts payments from their SCA.
//
// Results: ResultNullArgument, ResultMisuse (the callback `now` gave no year from 1 to 9999), ResultStore.
func (e *Engine) NextDue() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_next_due(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Authorisation: What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`),
// as JSON: `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, `tppName` if the register or the
// TPP's certificate has a name, and those of `person`, `identity`, `context`, `corporate` and `brand` that the call
// named. `kind` is payment, cancellation, basket, consent or identification; `orders` are payment bodies, with
// amounts and payees, each with its `paymentId`, `product` and `fee` as the bank receives them, and empty for the
// last two. `person` and `corporate` are the bank's own references of the person and company that must complete the
// SCA; `identity` is the person by the number of X-PSU-IDENTITY. "" if the link is unknown, used or expired.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultStore.
func (e *Engine) Authorisation(id string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_authorisation(e.pointer, lend(id), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// CompleteSca: Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
// `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with
// `corporate` in `psu` for the context `CORPORATE`, and without the account ids if the PSU opens all (they are only
// read for a consent); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`, `otherPsu`.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultNotFound (the link is unknown), ResultExpired (it is used, or
// older than 10 minutes), ResultNotOffered (an account), ResultMisuse (another form), ResultStore, ResultBank.
// After the last four the link stays open. After ResultOutcomeUnknown it may be used: ask Engine.Authorisation.
func (e *Engine) CompleteSca(id string, outcome string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_complete_sca(e.pointer, lend(id), lend(outcome), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RevokeConsent: Revokes the consents of a person (the bank's own reference) to a TPP, in every context. Gives true
// if there was one that was not revoked before, an expired one included; else false, and nothing is changed. The
// TPP is not notified: its next call is answered CONSENT_UNKNOWN.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (U+0000 in the reference), ResultStore.
func (e *Engine) RevokeConsent(person string, organisationId string) (bool, error) {
	if err := e.life.begin(); err != nil {
		return false, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.int32_t
	result := C.xs2a_engine_revoke_consent(e.pointer, lend(person), lend(organisationId), &out, &failure)
	if err := failed(result, failure); err != nil {
		return false, err
	}
	return out != 0, nil
}

// ReportPaymentStatus: Reports the status of a payment at the bank, such as `ACSC` for one that was settled.
// `fundsAvailable`: 1 if the funds were available, 0 if they were not, below zero if that is unknown. A payment on
// hold is released by any status.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (status), ResultNotFound (no such payment),
// ResultConflict (a status that cannot follow), ResultStore.
func (e *Engine) ReportPaymentStatus(paymentId string, status string, fundsAvailable int) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_report_payment_status(e.pointer, lend(paymentId), lend(status), C.int8_t(fundsAvailable),
		&failure)
	return failed(result, failure)
}

// ReportPaymentOnHold: Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
// Engine.ReportPaymentStatus reports a status, PDNG where it is merely released. `why` is part of that psuMessage,
// and may be empty.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultNotFound (no such payment), ResultConflict (one that cannot
// become PDNG), ResultMisuse (a `why` of more than 400 characters), ResultStore.
func (e *Engine) ReportPaymentOnHold(paymentId string, why string) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_report_payment_on_hold(e.pointer, lend(paymentId), lend(why), &failure)
	return failed(result, failure)
}

// ReplaceTrustAnchors: Replaces the trust anchors by the certificates of `pem`, one or several. Only the new ones
// count from the next call on. Gives their number. On a failure the old ones stay.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConfig (no certificate, or one that cannot be read),
// ResultMisuse (the engine of a sandbox).
func (e *Engine) ReplaceTrustAnchors(pem string) (int, error) {
	if err := e.life.begin(); err != nil {
		return 0, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.size_t
	result := C.xs2a_engine_replace_trust_anchors(e.pointer, lend(pem), &out, &failure)
	if err := failed(result, failure); err != nil {
		return 0, err
	}
	return int(out), nil
}

// SupplyCrl: Takes certificate revocation lists: one in DER, or one or several in PEM. Each replaces the earlier
// list of the same issuer key. `authorities`: PEM of the certificates that may have issued them. They count from
// the next call on. Gives the number of lists. On a failure no list is taken. They are not stored in the database:
// supply them after every start, before the first request, or revoked certificates are accepted again.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConfig (a list or an authority that cannot be read; a list that
// is older than the one there, of no authority named, a delta list, without nextUpdate, with a wrong signature),
// ResultMisuse (an engine with the callback `revocation`; the engine of a sandbox).
func (e *Engine) SupplyCrl(lists []byte, authorities string) (int, error) {
	if err := e.life.begin(); err != nil {
		return 0, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.size_t
	result := C.xs2a_engine_supply_crl(e.pointer, lendBytes(lists), lend(authorities), &out, &failure)
	if err := failed(result, failure); err != nil {
		return 0, err
	}
	return int(out), nil
}

// ClearCrls: Forgets every revocation list that was supplied.
//
// Results: ResultNullArgument, ResultMisuse (the engine of a sandbox).
func (e *Engine) ClearCrls() error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_clear_crls(e.pointer, &failure)
	return failed(result, failure)
}

// NextCrlDue: When the first revocation list expires (nextUpdate), by RFC 3339 in UTC: supply the next one before.
// "" if there is none, as after each start.
//
// Results: ResultNullArgument, ResultMisuse (the engine of a sandbox).
func (e *Engine) NextCrlDue() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_next_crl_due(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ReplaceRegister: Sets an extract of the European Banking Authority's register, JSON as published, in place of the
// previous one. From the next call on, a TPP is refused that is not in it, or that it does not allow the service in
// the bank's country (policy `country`); before the first extract every certificate that leads to a trust anchor
// counts. Gives the number of institutions. On a failure the old one stays. It is not stored in the database:
// supply it after every start, before the first request.
//
// Results: ResultNullArgument, ResultConfig (another form), ResultMisuse (an engine with the callback
// `is_registered`; the engine of a sandbox).
func (e *Engine) ReplaceRegister(json []byte) (int, error) {
	if err := e.life.begin(); err != nil {
		return 0, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.size_t
	result := C.xs2a_engine_replace_register(e.pointer, lendBytes(json), &out, &failure)
	if err := failed(result, failure); err != nil {
		return 0, err
	}
	return int(out), nil
}

// ForgetRegistration: Forgets what the callback `is_registered` answered about an authorisation number, where
// answers are remembered (`registry_ages` of the configuration): it is asked at that TPP's next call. For notices
// of withdrawal.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (an engine without that callback; the engine of a
// sandbox).
func (e *Engine) ForgetRegistration(organisationId string) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_forget_registration(e.pointer, lend(organisationId), &failure)
	return failed(result, failure)
}

// ReplaceResponseKey: Replaces the seal that answers are signed with: `certificate` and `privateKey` are PEM. With
// "" as `privateKey` the callback `sign` signs with the key of the certificate; it is called once here. The new
// seal counts from the next call on; a call in progress may still be signed by the old one, which stays on a
// failure. An engine that signed no answers signs them from then on.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConfig (a certificate or a key that cannot be read; two that do
// not belong together; a signature that does not verify), ResultBank (the callback failed), ResultMisuse (neither a
// private key nor that callback; the engine of a sandbox).
func (e *Engine) ReplaceResponseKey(certificate string, privateKey string) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_replace_response_key(e.pointer, lend(certificate), lend(privateKey), &failure)
	return failed(result, failure)
}

// DeadLetters: Lists the dead letters, orders that are not delivered to the bank until an operator acts: a JSON
// array of `{"paymentId","attempts","why","since"}`, the oldest first, at most 1000. Their payments do not change
// until Engine.RetryOrder, or until Engine.ReportPaymentStatus reports its status. An order that cannot be read in
// the store is among them, with the stored value as its payment id.
//
// Results: ResultNullArgument, ResultStore.
func (e *Engine) DeadLetters() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_dead_letters(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Health: Whether the engine can do its work now, as a JSON object (docs/guide/gateway.md): `{"ok":true,…}`. It
// reads the database and writes nothing. What fails is part of the result.
//
// Results: ResultNullArgument.
func (e *Engine) Health() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_health(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Metrics: The figures of the engine in Prometheus' text format, version 0.0.4 (docs/guide/gateway.md).
//
// Results: ResultNullArgument.
func (e *Engine) Metrics() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_metrics(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// RetryOrder: Lets a dead letter be delivered again, from now on.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultNotFound (the payment has no dead letter), ResultStore.
func (e *Engine) RetryOrder(paymentId string) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_retry_order(e.pointer, lend(paymentId), &failure)
	return failed(result, failure)
}

// Consents: Lists consents that count and ended ones, the newest first. `query`: a JSON object with any of `psu`,
// `tpp`, `after` (the `id` of the last row of the page before) and `limit` (1 to 1000, 200 if absent); empty: all.
// Gives a JSON array of
// `{"id","state","tpp","psu","context","purpose","accounts","cardAccounts","grantedAt","validUntil"}`, and
// `tppName`, `corporate`, `lastAccessAt`, `endedAt`, `endedWhy`, each if there is one. `state` is valid, expired,
// revokedByPsu or replaced; `endedWhy` is expired, revoked or replaced. A consent that was revoked or replaced is
// listed for two years from then. `lastAccessAt` is at most a minute too early.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (another query), ResultStore.
func (e *Engine) Consents(query string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_consents(e.pointer, lend(query), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Payments: Lists payments, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `status`,
// `createdFrom`, `createdTo` (times by RFC 3339, the second exclusive), `after` and `limit` as above; empty: all.
// Gives a JSON array of `{"id","tpp","product","status","order","fee","createdAt"}`, and `psu`, `context`,
// `corporate`, `fundsAvailable`, `onHold`, `basketId`, `authorisedAt`, each if there is one. A page is shorter than
// `limit` if its orders have 8 MiB: the end of the list is an empty page.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (another query), ResultStore.
func (e *Engine) Payments(query string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_payments(e.pointer, lend(query), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Payment: Shows one payment: an object as Engine.Payments lists, with `events`, its history, oldest first: an
// array of `{"at","from","to","cause"}`. "" if no payment has the id.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultStore.
func (e *Engine) Payment(paymentId string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_payment(e.pointer, lend(paymentId), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Block: Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in
// place of an earlier block of the same subject. One of both is given, the other is empty: `tpp`, the organisation
// identifier; `certificate`, the SHA-256 of its DER as 64 hexadecimal digits. `until`: when the block ends by
// itself, by RFC 3339; empty: it does not. `why`, at most 400 characters, is for the operator alone. A call that is
// being answered is completed; what PSUs approved before stays.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (until), ResultMisuse (both or none, or another
// form; an `until` that is not later than now; another `why`), ResultStore.
func (e *Engine) Block(tpp string, certificate string, until string, why string) error {
	if err := e.life.begin(); err != nil {
		return err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	result := C.xs2a_engine_block(e.pointer, lend(tpp), lend(certificate), lend(until), lend(why), &failure)
	return failed(result, failure)
}

// Unblock: Removes a block, named as for Engine.Block. Gives true; false if there was none.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (both or none, or another form), ResultStore.
func (e *Engine) Unblock(tpp string, certificate string) (bool, error) {
	if err := e.life.begin(); err != nil {
		return false, err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out C.int32_t
	result := C.xs2a_engine_unblock(e.pointer, lend(tpp), lend(certificate), &out, &failure)
	if err := failed(result, failure); err != nil {
		return false, err
	}
	return out != 0, nil
}

// Blocked: Lists the blocks that have not ended: a JSON array of `{"tpp","since","why"}` or
// `{"certificate","since","why"}`, with `until` if the block ends by itself.
//
// Results: ResultNullArgument, ResultStore.
func (e *Engine) Blocked() (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_blocked(e.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ErasePsu: Deletes what the database has of a person and no law keeps: consents, sessions, links, the ids by which
// TPPs know the person, counts of calls (docs/guide/retention.md). `psu`: the bank's own reference. Gives a JSON
// object: `erased`, the number of deleted rows by their kind, and `kept`, an array of
// `{"what","count","until","why"}`.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultConflict (a payment of the person is open; the message names
// it), ResultStore.
func (e *Engine) ErasePsu(psu string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_erase_psu(e.pointer, lend(psu), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Statistics: The figures of the interface for each day (Europe/Oslo) from the first to the last, as `YYYY-MM-DD`,
// at most 400 (docs/guide/statistics.md). `tpp`: the organisation identifier of the TPP whose requests are counted;
// empty: all. Gives a JSON array of
// `{"day","seconds","uptimePercent","downtimeSeconds","aisp","pisp","all","operations"}`.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (other days), ResultStore.
func (e *Engine) Statistics(firstDay string, lastDay string, tpp string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_statistics(e.pointer, lend(firstDay), lend(lastDay), lend(tpp), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// StatisticsCsv: As Engine.Statistics, as a CSV (RFC 4180) with a header and a row for each day, without
// operations.
//
// Results: as Engine.Statistics.
func (e *Engine) StatisticsCsv(firstDay string, lastDay string, tpp string) (string, error) {
	if err := e.life.begin(); err != nil {
		return "", err
	}
	defer e.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_engine_statistics_csv(e.pointer, lend(firstDay), lend(lastDay), lend(tpp), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
