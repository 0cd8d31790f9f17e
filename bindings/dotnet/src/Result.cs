// Generated from the C headers by bindings/generator: not to be edited.

using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public static class Result
    {
        internal const uint AbiVersion = 1;

        /// <summary>
        /// Done; the outputs are written.
        /// </summary>
        public const int Ok = 0;

        /// <summary>
        /// The configuration cannot be used: a policy key, a trust anchor, a path.
        /// </summary>
        public const int Config = 1;

        /// <summary>
        /// The database cannot be reached, is of another version, or refused an operation.
        /// </summary>
        public const int Store = 2;

        /// <summary>
        /// The bank behind the engine failed, or its answer is not allowed.
        /// </summary>
        public const int Bank = 3;

        /// <summary>
        /// A call that should not have been made: a mistake of the program. What is normal in operation has numbers
        /// of its own: XS2A_NOT_FOUND, XS2A_EXPIRED, XS2A_CONFLICT, XS2A_NOT_OFFERED.
        /// </summary>
        public const int Misuse = 4;

        /// <summary>
        /// A bug of this library, a panic included. Please report it.
        /// </summary>
        public const int Internal = 5;

        /// <summary>
        /// A required pointer is NULL.
        /// </summary>
        public const int NullArgument = 6;

        /// <summary>
        /// The size of a struct is unknown to this library, or a length is larger than any memory.
        /// </summary>
        public const int BadSize = 7;

        /// <summary>
        /// A text is not UTF-8.
        /// </summary>
        public const int NotUtf8 = 8;

        /// <summary>
        /// An argument has a wrong form: a time, a context, JSON.
        /// </summary>
        public const int BadArgument = 9;

        /// <summary>
        /// The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may
        /// have been done. Every function that can return XS2A_STORE can return this too.
        /// </summary>
        public const int OutcomeUnknown = 10;

        /// <summary>
        /// What the call names does not exist: an authorisation, a payment, a dead letter, a member of JSON. Normal
        /// in operation.
        /// </summary>
        public const int NotFound = 11;

        /// <summary>
        /// The authorisation is used, or older than 10 minutes. Normal in operation: show the PSU that the link is
        /// over.
        /// </summary>
        public const int Expired = 12;

        /// <summary>
        /// The state of the payment does not allow the call. Normal in operation: another channel was faster.
        /// </summary>
        public const int Conflict = 13;

        /// <summary>
        /// An account of the PSU's choice is not among those that the bank offers now. Let the PSU choose again.
        /// </summary>
        public const int NotOffered = 14;
    }
}
