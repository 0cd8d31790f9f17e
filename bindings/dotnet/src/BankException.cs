using System;

namespace Xs2a
{
    /// <summary>
    /// A failure of a bank's function whose message the engine keeps: it is part of the log, of the exception of the
    /// engine's method, and of a dead letter. Name the fault in it and not the customer. Of any other exception the
    /// engine gets nothing; Bank.Failed gets both.
    /// </summary>
    public sealed class BankException : Exception
    {
        public BankException(string message) : base(message)
        {
        }

        public BankException(string message, Exception cause) : base(message, cause)
        {
        }
    }
}
