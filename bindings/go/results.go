// Code generated from the C headers by bindings/generator. DO NOT EDIT.

package xs2a

// Result is the outcome of a call. A number never changes its meaning; a newer
// library may return numbers that are not listed here.
type Result int32

const (
	// Done; the outputs are written.
	ResultOK Result = 0
	// The configuration cannot be used: a policy key, a trust anchor, a path.
	ResultConfig Result = 1
	// The database cannot be reached, is of another version, or refused an operation.
	ResultStore Result = 2
	// The bank behind the engine failed, or its answer is not allowed.
	ResultBank Result = 3
	// A call that should not have been made: a mistake of the program. What is normal in operation has numbers of its
	// own: XS2A_NOT_FOUND, XS2A_EXPIRED, XS2A_CONFLICT, XS2A_NOT_OFFERED.
	ResultMisuse Result = 4
	// A bug of this library, a panic included. Please report it.
	ResultInternal Result = 5
	// A required pointer is NULL.
	ResultNullArgument Result = 6
	// The size of a struct is unknown to this library, or a length is larger than any memory.
	ResultBadSize Result = 7
	// A text is not UTF-8.
	ResultNotUtf8 Result = 8
	// An argument has a wrong form: a time, a context, JSON.
	ResultBadArgument Result = 9
	// The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have
	// been done. Every function that can return XS2A_STORE can return this too.
	ResultOutcomeUnknown Result = 10
	// What the call names does not exist: an authorisation, a payment, a dead letter, a member of JSON. Normal in
	// operation.
	ResultNotFound Result = 11
	// The authorisation is used, or older than 10 minutes. Normal in operation: show the PSU that the link is over.
	ResultExpired Result = 12
	// The state of the payment does not allow the call. Normal in operation: another channel was faster.
	ResultConflict Result = 13
	// An account of the PSU's choice is not among those that the bank offers now. Let the PSU choose again.
	ResultNotOffered Result = 14
)
