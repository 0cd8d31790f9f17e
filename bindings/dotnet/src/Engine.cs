using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    /// <summary>Frees an engine, and keeps the callbacks until then.</summary>
    internal sealed class EngineHandle : SafeHandle
    {
        private readonly BankCalls calls;
        private readonly SafeHandle owner;

        internal EngineHandle(IntPtr engine, BankCalls calls) : base(IntPtr.Zero, true)
        {
            this.calls = calls;
            SetHandle(engine);
        }

        /// <summary>The engine of a sandbox, which is not freed before this.</summary>
        internal EngineHandle(IntPtr engine, SafeHandle owner) : base(IntPtr.Zero, true)
        {
            bool isAdded = false;
            owner.DangerousAddRef(ref isAdded);
            this.owner = owner;
            SetHandle(engine);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            if (owner != null)
            {
                owner.DangerousRelease();
            }
            else
            {
                Native.xs2a_engine_free(handle);
                GC.KeepAlive(calls);
            }
            return true;
        }
    }

    /// <summary>
    /// Answers the requests of TPPs, and asks your bank. Any thread may call any method, at the same time.
    /// </summary>
    public sealed partial class Engine : IDisposable
    {
        private readonly EngineHandle handle;
        private readonly bool isBorrowed;

        internal Engine(EngineHandle handle, bool isBorrowed = false)
        {
            this.handle = handle;
            this.isBorrowed = isBorrowed;
        }

        /// <summary>Makes an engine over your own bank.</summary>
        /// <param name="config">A JSON object; docs/configuration.md lists its keys.</param>
        public static Engine Open(string config, Bank bank)
        {
            var calls = new BankCalls(bank);
            using (var frame = new Frame())
            {
                IntPtr callbacks = frame.Struct(IntPtr.Zero, Address(calls.Call), Address(calls.IsRegistered),
                    Address(calls.Now), Address(calls.Log), Address(calls.Revocation), Address(calls.Sign),
                    // The handle keeps the delegates, so there is nothing for `destroy` to do.
                    IntPtr.Zero);
                Failure.Check(
                    Native.xs2a_engine_new(frame.Text(config), callbacks, out IntPtr engine, out IntPtr error), error);
                return new Engine(new EngineHandle(engine, calls));
            }
        }

        private static IntPtr Address(Delegate callback)
        {
            return callback == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(callback);
        }

        /// <summary>
        /// Frees the engine, after the last running call; a later call is an ObjectDisposedException. The engine of a
        /// sandbox is closed with that, and not by this.
        /// </summary>
        public void Dispose()
        {
            if (!isBorrowed)
            {
                handle.Dispose();
            }
        }

        /// <summary>Gives the complete answer to one request. An answer of 400 or 500 is no exception.</summary>
        public Response Handle(Request request)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_handle(handle, frame.Request(request), out IntPtr response,
                    out IntPtr error), error);
                return Take.Response(response);
            }
        }

        /// <summary>
        /// Gives the lines of the audit from `start` until before `end`, both by RFC 3339, the oldest first: each a
        /// JSON object. The export ends early where `takeLine` gives false, or throws.
        /// </summary>
        public void Audit(string start, string end, Func<string, bool> takeLine)
        {
            var callback = new HostCallback();
            TextCallback take = (userData, line) => callback.GoesOn(() => takeLine(Take.String(line))) ? 0 : 1;
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_audit(handle, frame.Text(start), frame.Text(end), take, IntPtr.Zero,
                    out IntPtr error), error);
            }
            GC.KeepAlive(take);
            callback.Rethrow();
        }

        /// <summary>
        /// As RunDue until `goesOn` gives false; it is called before each order, by the thread of this call. For a host
        /// that shuts down: a call to the bank is not interrupted, after it no order is delivered, and the other orders
        /// stay due. What `goesOn` throws ends the run, too, and is thrown again after it.
        /// </summary>
        public RunReport RunDueWhile(Func<bool> goesOn)
        {
            var callback = new HostCallback();
            GoesOnCallback ask = userData => callback.GoesOn(goesOn) ? 1 : 0;
            RunReport report;
            using (new Frame())
            {
                Failure.Check(Native.xs2a_engine_run_due_while(handle, ask, IntPtr.Zero, out report,
                    out IntPtr error), error);
            }
            GC.KeepAlive(ask);
            callback.Rethrow();
            return report;
        }
    }
}
