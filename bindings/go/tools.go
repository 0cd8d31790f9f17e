package xs2a

// #include <xs2a.h>
import "C"

// ExplainOptions is what an explanation may use beside the request.
type ExplainOptions struct {
	// The bank's clock when the request was refused, by RFC 3339. Empty: the present.
	Now string
	// A PEM bundle of certificates of other TPPs, and of earlier ones of this TPP.
	Certificates string
	// A JSON object as an engine's `policy`.
	Policy string
	// What a gateway may add to the path or strip from it, such as `/psd2`.
	BasePaths []string
	// Calls before this one, the oldest first.
	Earlier []Request
	// How long the search may take. 0: 50.
	BudgetMilliseconds uint32
}

// Explain finds the mistake that made a signature, Digest, keyId, certificate or Date fail. Gives JSON:
// `{"ok":false,"reason":"SIG-13","mistake":"trailing-newline","text":"…","proof":"hash","expected":"…","signed":"…",
// "hypotheses":12}`.
func Explain(request Request, given ExplainOptions) (string, error) {
	var arena arena
	defer arena.free()
	options := (*C.xs2a_explain_options)(arena.zeroed(1, C.sizeof_xs2a_explain_options))
	options.size = C.sizeof_xs2a_explain_options
	options.now = arena.text(given.Now)
	options.certificates = arena.text(given.Certificates)
	options.policy = arena.text(given.Policy)
	options.base_paths = arena.texts(given.BasePaths)
	options.base_path_count = C.size_t(len(given.BasePaths))
	options.earlier = arena.requests(given.Earlier)
	options.earlier_count = C.size_t(len(given.Earlier))
	options.budget_milliseconds = C.uint32_t(given.BudgetMilliseconds)
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_explain(arena.request(request), options, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// PaymentCheck is a payment to check.
type PaymentCheck struct {
	// The payment service, such as `payments`, and the product, such as `sepa-credit-transfers`.
	Service, Product string
	Body             []byte
	// When it would be sent, by RFC 3339. Empty: now.
	At string
	// `sandbox` or `production`. Empty: `sandbox`.
	Environment string
	// As the x-accept-fix header: names of announced changes, with commas between.
	AcceptFix string
}

// ValidatePayment gives what an engine would say about a payment before the bank is asked, as a JSON array: empty where
// the body is fine.
func ValidatePayment(given PaymentCheck) (string, error) {
	var arena arena
	defer arena.free()
	check := (*C.xs2a_payment_check)(arena.zeroed(1, C.sizeof_xs2a_payment_check))
	check.size = C.sizeof_xs2a_payment_check
	check.service = arena.text(given.Service)
	check.product = arena.text(given.Product)
	check.body = arena.slice(given.Body)
	check.at = arena.text(given.At)
	check.environment = arena.text(given.Environment)
	check.accept_fix = arena.text(given.AcceptFix)
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_validate_payment(check, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// BasketStatus is the status of a signing basket of payments with these statuses: the worst case among them.
func BasketStatus(paymentStatuses []string) (string, error) {
	var arena arena
	defer arena.free()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_basket_status(arena.texts(paymentStatuses), C.size_t(len(paymentStatuses)), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// VerifyResponse verifies a bank's signed answer; the body is as it was received. `now`: by RFC 3339; empty: the
// present. `trustAnchors`: a PEM bundle; nil, not an empty text: the chain is not checked. Gives JSON as
// VerifySignature does.
func VerifyResponse(headers []Header, body []byte, now string, trustAnchors *string) (string, error) {
	var arena arena
	defer arena.free()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_verify_response(arena.headers(headers), C.size_t(len(headers)), lendBytes(body), lend(now),
		lendOptional(trustAnchors), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
