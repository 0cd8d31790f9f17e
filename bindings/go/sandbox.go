//go:build xs2a_sandbox

package xs2a

// #include "bridge_sandbox.h"
import "C"

// SandboxOptions is how a sandbox is opened.
type SandboxOptions struct {
	// Path of an SQLite file. Empty: in memory.
	Database string
	// Where the clock starts, by RFC 3339. Empty: the present, or the stored time of the file's clock.
	Now string
	// The source of ids and serial numbers of certificates: the same seed, Now and calls give the same bytes.
	Seed uint64
	// What precedes `/v1/` in request paths, such as `/api-sandbox`.
	BasePath string
	// The policy as a JSON object. Empty: the defaults.
	Policy string
}

// Sandbox is an engine over a simulated bank with a manual clock and a test PKI. Any goroutine may call any method, at
// the same time.
type Sandbox struct {
	pointer *C.xs2a_sandbox
	life    *lifetime
}

// NewSandbox opens a sandbox. The default data set is loaded where the database is new.
func NewSandbox(given SandboxOptions) (*Sandbox, error) {
	if err := checkLibrary(); err != nil {
		return nil, err
	}
	var arena arena
	defer arena.free()
	options := (*C.xs2a_sandbox_options)(arena.zeroed(1, C.sizeof_xs2a_sandbox_options))
	options.size = C.sizeof_xs2a_sandbox_options
	options.database = arena.text(given.Database)
	options.now = arena.text(given.Now)
	options.seed = C.uint64_t(given.Seed)
	options.base_path = arena.text(given.BasePath)
	options.policy = arena.text(given.Policy)
	var failure *C.xs2a_error
	var out *C.xs2a_sandbox
	result := C.xs2a_sandbox_new(options, &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return newSandbox(out), nil
}

func newSandbox(pointer *C.xs2a_sandbox) *Sandbox {
	return &Sandbox{pointer: pointer, life: newLifetime(func() { C.xs2a_sandbox_free(pointer) })}
}

// Close frees the sandbox and its engine; if calls are running, the last one does so when it ends.
func (s *Sandbox) Close() {
	s.life.close()
}

// Engine is the engine of the sandbox, and is closed with it. Report the status of a payment by
// Sandbox.ReportPaymentStatus: the simulated bank does not receive what is reported to the engine.
func (s *Sandbox) Engine() (*Engine, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	return &Engine{pointer: C.xs2a_sandbox_engine(s.pointer), life: s.life, isBorrowed: true}, nil
}

// Handle gives the complete answer to one request, and to a browser that of the SCA site.
func (s *Sandbox) Handle(request Request) (*Response, error) {
	if err := s.life.begin(); err != nil {
		return nil, err
	}
	defer s.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_response
	result := C.xs2a_go_sandbox_handle(s.pointer, lent(request), &out, &failure)
	if err := failed(result, failure); err != nil {
		return nil, err
	}
	return takeResponse(out), nil
}

// ScaAnswer is what the PSU does at the bank's site. The zero value means that the PSU cancels.
type ScaAnswer struct {
	// The number the PSU enters, such as `13039319955`.
	CustomerNumber string
	// `PRIVATE` or `CORPORATE`. Empty: `PRIVATE`.
	Context string
	// Id or name of the agreement, for `CORPORATE`.
	Agreement string
	// The accounts the PSU picks: bban, iban or masked PAN each. Nil: all that are offered.
	Accounts []string
	Approve  bool
}

// Authorise answers an scaRedirect link as the PSU would. Gives the URL to which the PSU returns. A failed SCA is
// reported in that URL and is not an error.
func (s *Sandbox) Authorise(scaRedirect string, given ScaAnswer) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var arena arena
	defer arena.free()
	answer := (*C.xs2a_sca_answer)(arena.zeroed(1, C.sizeof_xs2a_sca_answer))
	answer.size = C.sizeof_xs2a_sca_answer
	answer.customer_number = arena.text(given.CustomerNumber)
	answer.context = arena.text(given.Context)
	answer.agreement = arena.text(given.Agreement)
	if given.Accounts != nil {
		// NULL is all of them, so an empty list needs an address.
		answer.accounts = arena.texts(append(given.Accounts[:len(given.Accounts):len(given.Accounts)], ""))
	}
	answer.account_count = C.size_t(len(given.Accounts))
	answer.approve = flag(given.Approve)
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_authorise(s.pointer, lend(scaRedirect), answer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// JournalOptions is how a journal is written.
type JournalOptions struct {
	// `text`, `har`, `curl` or `pytest`.
	Form string
	// Scheme and host that HAR and curl address. Empty: those of the links to the SCA site.
	Origin string
	// The number of newest entries to write. 0: all.
	Last uint
	// Whether identity numbers are shown as they are.
	Unmasked bool
}

// Journal gives the calls and control steps of the sandbox since it was opened or forked.
func (s *Sandbox) Journal(given JournalOptions) (string, error) {
	if err := s.life.begin(); err != nil {
		return "", err
	}
	defer s.life.end()
	var arena arena
	defer arena.free()
	options := (*C.xs2a_journal_options)(arena.zeroed(1, C.sizeof_xs2a_journal_options))
	options.size = C.sizeof_xs2a_journal_options
	options.form = arena.text(given.Form)
	options.origin = arena.text(given.Origin)
	options.last = C.size_t(given.Last)
	options.unmasked = flag(given.Unmasked)
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_sandbox_journal(s.pointer, options, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Tpp is a TPP with certificate and key from the test PKI. It signs by the clock of its sandbox.
type Tpp struct {
	pointer *C.xs2a_tpp
	life    *lifetime
}

func newTpp(pointer *C.xs2a_tpp) *Tpp {
	return &Tpp{pointer: pointer, life: newLifetime(func() { C.xs2a_tpp_free(pointer) })}
}

// Close frees the TPP; its registration stays.
func (t *Tpp) Close() {
	t.life.close()
}

// Sign gives the request with its header fields plus Date, X-Request-ID, Digest, TPP-Signature-Certificate and
// Signature if they are absent. X-Request-ID is derived from the sandbox's seed: for another engine than this sandbox,
// pass your own Date and X-Request-ID.
func (t *Tpp) Sign(request Request) (Request, error) {
	if err := t.life.begin(); err != nil {
		return request, err
	}
	defer t.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_headers
	result := C.xs2a_go_sign(t.pointer, lent(request), &out, &failure)
	if err := failed(result, failure); err != nil {
		return request, err
	}
	defer C.xs2a_headers_free(out)
	request.Headers = make([]Header, int(C.xs2a_headers_count(out)))
	for at := range request.Headers {
		request.Headers[at] = goHeader(C.xs2a_headers_get(out, C.size_t(at)))
	}
	return request, nil
}
