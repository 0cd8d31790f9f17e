using System;

namespace Xs2a
{
    /// <summary>
    /// What the library reports about a call that failed: a mistake of the program or its environment.
    /// </summary>
    public sealed class Xs2aException : Exception
    {
        internal Xs2aException(int code, string message) : base(message + " (result " + code + ")")
        {
            Code = code;
        }

        /// <summary>One of <see cref="Result"/>.</summary>
        public int Code { get; }
    }

    internal static class Failure
    {
        /// <summary>Throws the error of a call, and frees the one of the library.</summary>
        internal static void Check(int result, IntPtr error)
        {
            if (result == Result.Ok)
            {
                return;
            }
            string message = Take.String(Native.xs2a_error_message(error));
            Native.xs2a_error_free(error);
            throw new Xs2aException(result, message);
        }
    }
}
