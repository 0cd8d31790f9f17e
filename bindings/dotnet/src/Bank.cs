using System;

namespace Xs2a
{
    /// <summary>
    /// What an engine asks and informs. The functions are called by the thread whose call needs the answer, so by
    /// several at once, and may call the engine. What they throw is given to Failed; the TPP is answered SYSTEM_ERROR.
    /// </summary>
    public sealed class Bank
    {
        /// <param name="call">Answers a question of docs/bank.md, by method and request, in JSON.</param>
        public Bank(Func<string, string, string> call)
        {
            Call = call ?? throw new ArgumentNullException(nameof(call));
            Failed = (function, why) =>
                Console.Error.WriteLine("xs2a: the bank's function {0} failed: {1}", function, why);
        }

        public Func<string, string, string> Call { get; }

        /// <summary>
        /// Whether the TPP with this authorisation number is registered. null: every certificate that leads to a trust
        /// anchor counts.
        /// </summary>
        public Func<string, bool> IsRegistered { get; set; }

        /// <summary>The time. null: the machine's.</summary>
        public Func<DateTime> Now { get; set; }

        /// <summary>Takes a record of the engine's log. null: nothing is logged.</summary>
        public Action<LogRecord> Log { get; set; }

        /// <summary>
        /// Whether a certificate is revoked, for OCSP or a service of yours, by the DER of the certificate and of its
        /// issuer, which is empty if the certificate is itself a trust anchor. It is called on every call of a TPP:
        /// keep each answer until its nextUpdate. null: the lists of Engine.SupplyCrl decide.
        /// </summary>
        public Func<byte[], byte[], RevocationStatus> Revocation { get; set; }

        /// <summary>
        /// Signs answers with a key that is not in this process, by the DER of the certificate and the text to sign:
        /// RSASSA-PKCS1-v1_5 with SHA-256. It is called where the configuration, or Engine.ReplaceResponseKey, has a
        /// certificate without a private key. null: there is no such function.
        /// </summary>
        public Func<byte[], byte[], byte[]> Sign { get; set; }

        /// <summary>Is informed of each function above that failed, by its name. As it is: written to stderr.</summary>
        public Action<string, Exception> Failed { get; set; }
    }

    /// <summary>The callbacks of a bank, as the library calls them. Nothing that a bank throws leaves them.</summary>
    internal sealed class BankCalls
    {
        private const int Unavailable = 1;
        private const int Unknown = 2;
        private const int UnknownRevocation = -1;
        private const long TicksPerMicrosecond = TimeSpan.TicksPerMillisecond / 1000;

        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        private readonly Bank bank;

        // These fields keep the delegates from being collected; the handle of the engine keeps this object.
        internal readonly CallCallback Call;
        internal readonly TextCallback IsRegistered;
        internal readonly NowCallback Now;
        internal readonly LogCallback Log;
        internal readonly RevocationCallback Revocation;
        internal readonly CallCallback Sign;

        internal BankCalls(Bank bank)
        {
            this.bank = bank;
            Call = Answer;
            IsRegistered = bank.IsRegistered == null ? null : new TextCallback(LookUp);
            Now = bank.Now == null ? null : new NowCallback(Read);
            Log = bank.Log == null ? null : new LogCallback(Write);
            Revocation = bank.Revocation == null ? null : new RevocationCallback(LookUpRevocation);
            Sign = bank.Sign == null ? null : new CallCallback(SignText);
        }

        private int Answer(IntPtr userData, Piece method, Piece request, IntPtr writer)
        {
            return Give("Call", writer,
                frame => frame.Text(bank.Call(Take.String(method), Take.String(request))));
        }

        private int SignText(IntPtr userData, Piece certificate, Piece text, IntPtr writer)
        {
            return Give("Sign", writer, frame => frame.Bytes(bank.Sign(Take.Copy(certificate), Take.Copy(text))));
        }

        /// <summary>Writes what `run` gives; states why there is nothing, where the bank says so.</summary>
        private int Give(string function, IntPtr writer, Func<Frame, Piece> run)
        {
            return Attempt(function, Unavailable, () =>
            {
                using (var frame = new Frame())
                {
                    try
                    {
                        Failure.Check(Native.xs2a_writer_write(writer, run(frame), out IntPtr error), error);
                    }
                    catch (BankException why)
                    {
                        Failure.Check(Native.xs2a_writer_fail(writer, frame.Text(why.Message), out IntPtr error),
                            error);
                        throw;
                    }
                }
                return 0;
            });
        }

        private int LookUpRevocation(IntPtr userData, Piece certificate, Piece issuer)
        {
            return Attempt("Revocation", UnknownRevocation,
                () =>
                {
                    RevocationStatus status = bank.Revocation(Take.Copy(certificate), Take.Copy(issuer));
                    return Enum.IsDefined(typeof(RevocationStatus), status)
                        ? (int)status
                        : throw new InvalidOperationException(status + " is no RevocationStatus");
                });
        }

        private int LookUp(IntPtr userData, Piece organisationId)
        {
            return Attempt("IsRegistered", Unknown, () => bank.IsRegistered(Take.String(organisationId)) ? 1 : 0);
        }

        private long Read(IntPtr userData)
        {
            DateTime now = Attempt("Now", DateTime.UtcNow, () => bank.Now());
            return (now.ToUniversalTime() - Epoch).Ticks / TicksPerMicrosecond;
        }

        private void Write(IntPtr userData, Piece level, Piece target, Piece message, Piece fields)
        {
            Attempt("Log", 0, () =>
            {
                bank.Log(new LogRecord(Take.String(level), Take.String(target), Take.String(message),
                    Take.String(fields)));
                return 0;
            });
        }

        private T Attempt<T>(string function, T failure, Func<T> run)
        {
            try
            {
                return run();
            }
            catch (Exception why)
            {
                Report(function, why);
                return failure;
            }
        }

        private void Report(string function, Exception why)
        {
            try
            {
                bank.Failed?.Invoke(function, why);
            }
            catch (Exception)
            {
                // There is no place left to report it to, and it must not reach the library.
            }
        }
    }
}
