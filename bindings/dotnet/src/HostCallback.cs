using System;
using System.Runtime.ExceptionServices;

namespace Xs2a
{
    /// <summary>
    /// The callback of one call: what it throws ends the work of the call and is thrown again after it.
    /// </summary>
    internal sealed class HostCallback
    {
        private ExceptionDispatchInfo thrown;

        /// <summary>Whether the work goes on; false where `test` throws.</summary>
        internal bool GoesOn(Func<bool> test)
        {
            try
            {
                return test();
            }
            catch (Exception why)
            {
                thrown = ExceptionDispatchInfo.Capture(why);
                return false;
            }
        }

        internal void Rethrow()
        {
            thrown?.Throw();
        }
    }
}
