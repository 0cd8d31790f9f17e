#if XS2A_SANDBOX
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Xs2a
{
    internal sealed class SandboxHandle : SafeHandle
    {
        internal SandboxHandle(IntPtr sandbox) : base(IntPtr.Zero, true)
        {
            SetHandle(sandbox);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            Native.xs2a_sandbox_free(handle);
            return true;
        }
    }

    /// <summary>How a sandbox is opened. A text that is null is absent.</summary>
    public sealed class SandboxOptions
    {
        /// <summary>Path of an SQLite file. Absent: in memory.</summary>
        public string Database { get; set; }

        /// <summary>
        /// Where the clock starts, by RFC 3339. Absent: the present, or the stored time of the file's clock.
        /// </summary>
        public string Now { get; set; }

        /// <summary>
        /// The source of ids and serial numbers of certificates: the same seed, Now and calls give the same bytes.
        /// </summary>
        public ulong Seed { get; set; }

        /// <summary>What precedes `/v1/` in request paths, such as `/api-sandbox`.</summary>
        public string BasePath { get; set; }

        /// <summary>The policy as a JSON object. Absent: the defaults.</summary>
        public string Policy { get; set; }
    }

    /// <summary>What the PSU does at the bank's site. As it is made: the PSU cancels.</summary>
    public sealed class ScaAnswer
    {
        /// <summary>The number the PSU enters, such as `13039319955`.</summary>
        public string CustomerNumber { get; set; }

        /// <summary>`PRIVATE` or `CORPORATE`. null: `PRIVATE`.</summary>
        public string Context { get; set; }

        /// <summary>Id or name of the agreement, for `CORPORATE`.</summary>
        public string Agreement { get; set; }

        /// <summary>The accounts the PSU picks: bban, iban or masked PAN each. null: all that are offered.</summary>
        public IReadOnlyCollection<string> Accounts { get; set; }

        public bool Approve { get; set; }
    }

    /// <summary>
    /// An engine over a simulated bank with a manual clock and a test PKI. Any thread may call any method, at the same
    /// time.
    /// </summary>
    public sealed partial class Sandbox : IDisposable
    {
        private readonly SandboxHandle handle;

        // As long as its handle is open, so is the sandbox: both are closed by Dispose.
        private readonly EngineHandle engine;

        internal Sandbox(IntPtr sandbox)
        {
            handle = new SandboxHandle(sandbox);
            engine = new EngineHandle(Native.xs2a_sandbox_engine(handle), handle);
        }

        /// <summary>Opens a sandbox. The default data set is loaded where the database is new.</summary>
        public static Sandbox Open(SandboxOptions options)
        {
            using (var frame = new Frame())
            {
                IntPtr given = frame.Struct(options.Database, options.Now, options.Seed, options.BasePath,
                    options.Policy);
                Failure.Check(Native.xs2a_sandbox_new(given, out IntPtr sandbox, out IntPtr error), error);
                return new Sandbox(sandbox);
            }
        }

        /// <summary>
        /// Frees the sandbox and its engine, after the last running call; a later call is an ObjectDisposedException.
        /// </summary>
        public void Dispose()
        {
            engine.Dispose();
            handle.Dispose();
        }

        /// <summary>
        /// The engine of the sandbox, which is closed with it. Report the status of a payment by
        /// <see cref="ReportPaymentStatus"/>: the simulated bank does not receive what is reported to the engine.
        /// </summary>
        public Engine Engine()
        {
            return new Engine(engine, isBorrowed: true);
        }

        /// <summary>Gives the complete answer to one request, and to a browser that of the SCA site.</summary>
        public Response Handle(Request request)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_handle(handle, frame.Request(request), out IntPtr response,
                    out IntPtr error), error);
                return Take.Response(response);
            }
        }

        /// <summary>
        /// Answers an scaRedirect link as the PSU would. Gives the URL to which the PSU returns. A failed SCA is
        /// reported in that URL and is no exception.
        /// </summary>
        public string Authorise(string scaRedirect, ScaAnswer answer)
        {
            using (var frame = new Frame())
            {
                // NULL is all of them, so an empty list needs an address.
                IntPtr accounts = answer.Accounts == null ? IntPtr.Zero : frame.Texts(answer.Accounts, always: true);
                IntPtr given = frame.Struct(answer.CustomerNumber, answer.Context, answer.Agreement, accounts,
                    answer.Accounts == null ? 0 : answer.Accounts.Count, answer.Approve);
                Failure.Check(Native.xs2a_sandbox_authorise(handle, frame.Text(scaRedirect), given, out IntPtr url,
                    out IntPtr error), error);
                return Take.Text(url);
            }
        }

        /// <summary>Gives the calls and control steps of the sandbox since it was opened or forked.</summary>
        /// <param name="form">`text`, `har`, `curl` or `pytest`</param>
        /// <param name="origin">Scheme and host for HAR and curl. null: those of links to the SCA site.</param>
        /// <param name="last">The number of newest entries to write. 0: all.</param>
        /// <param name="unmasked">Whether identity numbers are shown as they are.</param>
        public string Journal(string form, string origin = null, long last = 0, bool unmasked = false)
        {
            using (var frame = new Frame())
            {
                IntPtr options = frame.Struct(form, origin, last, unmasked);
                Failure.Check(Native.xs2a_sandbox_journal(handle, options, out IntPtr text, out IntPtr error), error);
                return Take.Text(text);
            }
        }
    }
}
#endif
