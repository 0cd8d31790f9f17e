using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using Xs2a;

/// <summary>The tests of the binding: the first check that does not hold ends the program.</summary>
internal static class BindingTest
{
    private const string Now = "2026-09-01T10:00:00Z";

    internal static void Check(bool holds, object found)
    {
        if (!holds)
        {
            throw new Exception("found: " + (found ?? "null"));
        }
    }

    internal static void Equal(object expected, object found)
    {
        Check(expected.Equals(found), (found ?? "null") + ", not " + expected);
    }

    internal static T Thrown<T>(Action run) where T : Exception
    {
        try
        {
            run();
        }
        catch (T expected)
        {
            return expected;
        }
        throw new Exception("nothing is thrown");
    }

    internal static void Fails(int code, Action run)
    {
        Equal(code, Thrown<Xs2aException>(run).Code);
    }

    private static void PaymentIsApprovedAndDeliveredOnceToABankInCSharp()
    {
        using (var gateway = new Gateway())
        {
            Engine engine = gateway.Engine;
            Response created = gateway.Create();
            Equal(201, created.Status);
            string id = Gateway.Authorisation(created);
            Equal("Testodius To", Tools.JsonAt(engine.Authorisation(id), "/orders/0/creditorName"));
            Equal("2026-09-01T10:00:01Z", engine.NextDue());
            Check(engine.CompleteSca(id, Gateway.Approved).StartsWith("https://tpp.example/?psu-id="), "a URL");
            Check(engine.Authorisation(id) == null, "the link is open");
            Equal(Now, engine.NextDue());
            Equal(1UL, engine.RunDue().Submitted);
            Equal(0UL, engine.RunDue().Submitted);
            Response status = gateway.Call("GET", created.At("/_links/self/href") + "/status", "");
            Equal("ACSC", status.At("/transactionStatus"));
            Equal(1, gateway.Bank.Orders.Count);
            Equal(0, gateway.Bank.Failures.Count);
        }
    }

    private static void Throw()
    {
        throw new ArgumentException("by intention");
    }

    private static void WhatACallbackThrowsIsItsFailureValue()
    {
        using (var gateway = new Gateway())
        {
            gateway.Bank.First["fee"] = Throw;
            Equal("SYS-02", gateway.Create().Reason);
            Equal("Call: by intention", gateway.Bank.Failures.First());
            gateway.Bank.First.Clear();
            Equal(201, gateway.Create().Status);
            gateway.Bank.First["IsRegistered"] = Throw;
            Equal("SYS-02", gateway.Create().Reason);
            Check(gateway.Bank.Failures.Contains("IsRegistered: by intention"), "a failure");
        }
    }

    private static void WhatClockLogAndFailedThrowIsHarmless()
    {
        using (var gateway = new Gateway())
        {
            foreach (string function in new[] { "Log", "Failed", "fee" })
            {
                gateway.Bank.First[function] = Throw;
            }
            Equal(500, gateway.Create().Status);
            gateway.Bank.First["Now"] = Throw;
            // The machine's time counts, by which the request is too old or too new.
            Equal("DAT-02", gateway.Create().Reason);
        }
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
    }

    private static void DelegatesLiveAsLongAsTheEngine()
    {
        using (var gateway = new Gateway())
        {
            for (int i = 0; i < 20; i++)
            {
                Collect();
                // What is made in between would take the place of a collected delegate.
                var others = Enumerable.Range(0, 1000).Select(number => new Func<int>(() => number)).ToArray();
                Equal(201, gateway.Create().Status);
                GC.KeepAlive(others);
            }
            Equal(0, gateway.Bank.Failures.Count);
        }
    }

    private static void CollectingWhatIsForgottenIsHarmless()
    {
        for (int i = 0; i < 5; i++)
        {
            var thread = new Thread(() => Equal(201, new Gateway().Create().Status));
            thread.Start();
            thread.Join();
            Collect();
        }
    }

    private static void AuditEndsWhereItsReaderEndsItOrThrows()
    {
        using (var gateway = new Gateway())
        {
            const string end = "2026-09-01T10:00:01Z";
            gateway.Engine.CompleteSca(Gateway.Authorisation(gateway.Create()), Gateway.Approved);
            int lines = 0;
            gateway.Engine.Audit(Now, end, line => ++lines > 0);
            Check(lines > 2, lines);
            lines = 0;
            gateway.Engine.Audit(Now, end, line => ++lines == 0);
            Equal(1, lines);
            Thrown<ArgumentException>(() => gateway.Engine.Audit(Now, end, line => throw new ArgumentException("x")));
            Fails(Result.BadArgument, () => gateway.Engine.Audit("today", end, line => true));
        }
    }

    private static void MistakesOfTheHostAreExceptionsWithTheirCode()
    {
        Bank bank = new ToyBank().Bank();
        Fails(Result.Config, () => Engine.Open("", bank));
        Fails(Result.Config, () => Engine.Open("{}", bank));
        Fails(Result.Misuse, () => Tools.MinorUnits("XXY"));
        Equal(0, Tools.MinorUnits("JPY"));
        Equal(2, Tools.MinorUnits("NOK"));
        Check(Tools.KidIsValid("1234567897") && !Tools.KidIsValid("1234567890"), "a KID");
        Equal("PATC", Tools.BasketStatus(new[] { "ACSC", "RCVD" }));
        Fails(Result.Misuse, () => Tools.BasketStatus(new string[0]));
        Equal("Ærlig ❤", Tools.JsonAt("[\"Ærlig ❤\"]", "/0"));
        var request = new Request("GET", "/", new[] { new Header("x", "\u0100") });
        Thrown<ArgumentException>(() => Tools.SigningString(request, "date"));
    }

    private static void EmptyTrustAnchorsAreNoAnchorsAndNullIsNoCheck()
    {
        using (var gateway = new Gateway())
        {
            Request signed = gateway.Tpp.Sign(new Request("GET", "/v1/accounts", new Header[0]));
            Equal("CRT-08", Tools.JsonAt(Tools.VerifySignature(signed, Now, ""), "/reason"));
            Equal("true", Tools.JsonAt(Tools.VerifySignature(signed, Now, null), "/ok"));
            Equal("true", Tools.JsonAt(Tools.VerifySignature(signed, Now, gateway.Tpp.CertificatePem()), "/ok"));
        }
    }

    private static void StructsReachTheirMembers()
    {
        string found = Tools.ValidatePayment(new PaymentCheck { Service = "payments", Product = "sepa-credit-transfers",
            Body = Encoding.UTF8.GetBytes("{}"), At = Now, Environment = "production", AcceptFix = "x" });
        Equal("FORMAT_ERROR", Tools.JsonAt(found, "/0/code"));
        Fails(Result.Misuse, () => Tools.ValidatePayment(new PaymentCheck { Service = "payments", Product = "x",
            Environment = "other" }));
        using (var gateway = new Gateway())
        {
            Request earlier = gateway.Tpp.Sign(new Request("GET", "/v1/accounts", new Header[0]));
            List<Header> headers = gateway.Tpp.Sign(new Request("GET", "/v1/accounts", new Header[0])).Headers.ToList();
            // The X-Request-ID of one request and the signature of another.
            headers[headers.Count - 1] = earlier.Headers.Last();
            found = Tools.Explain(new Request("GET", "/v1/accounts", headers), new ExplainOptions { Now = Now,
                Policy = "{\"key_id_issuer\":\"exact\"}", BasePaths = new[] { "/other", "/psd2" },
                Earlier = new[] { earlier }, BudgetMilliseconds = 1000 });
            Equal("request-id-made-again", Tools.JsonAt(found, "/mistake"));
            Response answer = gateway.Create();
            Equal("false", Tools.JsonAt(Tools.VerifyResponse(answer.Headers, answer.Body, null, null), "/ok"));
        }
    }

    private static void SandboxAnswersByPartsAndByBytes()
    {
        using (Sandbox sandbox = Sandbox.Open(new SandboxOptions()))
        {
            Response answer = sandbox.Handle(new Request("PUT", "/v1/accounts", new Header[0]));
            Equal(405, answer.Status);
            Equal("RTE-03", answer.Reason);
            Equal("GET", answer.Header("allow"));
            byte[] message = Encoding.ASCII.GetBytes("PUT /v1/accounts HTTP/1.1\r\nHost: bank\r\n\r\n");
            Check(Encoding.ASCII.GetString(sandbox.HandleHttp(message)).StartsWith("HTTP/1.1 405 "), "by bytes");
            Check(sandbox.Journal("text", last: 1).Length > 0, "a journal");
            Fails(Result.BadArgument, () => sandbox.Journal("other"));
            Fails(Result.Misuse, () => sandbox.Authorise("https://bank.example/sca/none",
                new ScaAnswer { Accounts = new string[0], Approve = true }));
        }
    }

    private static void CallsAfterDisposeAreExceptionsAndDisposeWaitsForNoCall()
    {
        using (var gateway = new Gateway())
        {
            Engine borrowed = gateway.Sandbox.Engine();
            borrowed.Dispose();
            Check(borrowed.NextDue() == null, "the engine of a sandbox is open until that is closed");
            // The callback closes the engine that asks it: the call ends, and the engine is freed after it.
            gateway.Bank.First["fee"] = gateway.Engine.Dispose;
            Equal(201, gateway.Create().Status);
            Thrown<ObjectDisposedException>(() => gateway.Engine.RunDue());
            gateway.Sandbox.Dispose();
            gateway.Sandbox.Dispose();
            Thrown<ObjectDisposedException>(() => gateway.Sandbox.Now());
            Thrown<ObjectDisposedException>(() => borrowed.NextDue());
        }
    }

    private static Exception InAThread(int stackBytes, Action run)
    {
        Exception found = null;
        var thread = new Thread(() =>
        {
            try
            {
                run();
            }
            catch (Exception why)
            {
                found = why;
            }
        }, stackBytes) { Name = "small" };
        thread.Start();
        thread.Join();
        return found;
    }

    private static void ThreadsWithSmallStacksAreRefusedAndLargeEnoughOnesWork()
    {
        using (var gateway = new Gateway())
        {
            Exception refused = InAThread(256 << 10, () => gateway.Create());
            Check(refused is InvalidOperationException && refused.Message.Contains("`small` has a stack"), refused);
            Check(InAThread(512 << 10, () => Equal(201, gateway.Create().Status)) == null, "512 KiB");
        }
    }

    private static void ThreadsCallAtOnceWhileMemoryIsCollected()
    {
        using (var gateway = new Gateway())
        {
            int created = 0;
            var threads = Enumerable.Range(0, 8).Select(number => new Thread(() =>
            {
                for (int call = 0; call < 10; call++)
                {
                    Interlocked.Add(ref created, gateway.Create().Status == 201 ? 1 : 0);
                    GC.Collect();
                }
            })).ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            Equal(80, created);
        }
    }

    /// <summary>In a program of its own: the library that is loaded has another version.</summary>
    private static void OtherLibrary()
    {
        var found = Thrown<DllNotFoundException>(() => Sandbox.Open(new SandboxOptions()));
        Check(found.Message.Contains("has the binary interface 99, not 1"), found);
        Thrown<DllNotFoundException>(() => Tools.KidIsValid("1234567897"));
    }

    private static void Main(string[] arguments)
    {
        if (arguments.Length > 0)
        {
            OtherLibrary();
            return;
        }
        PaymentIsApprovedAndDeliveredOnceToABankInCSharp();
        WhatACallbackThrowsIsItsFailureValue();
        WhatClockLogAndFailedThrowIsHarmless();
        DelegatesLiveAsLongAsTheEngine();
        CollectingWhatIsForgottenIsHarmless();
        AuditEndsWhereItsReaderEndsItOrThrows();
        MistakesOfTheHostAreExceptionsWithTheirCode();
        EmptyTrustAnchorsAreNoAnchorsAndNullIsNoCheck();
        StructsReachTheirMembers();
        SandboxAnswersByPartsAndByBytes();
        CallsAfterDisposeAreExceptionsAndDisposeWaitsForNoCall();
        ThreadsWithSmallStacksAreRefusedAndLargeEnoughOnesWork();
        ThreadsCallAtOnceWhileMemoryIsCollected();
        OperateTest.Run();
        CallbackTest.Run();
        Console.WriteLine("the binding for .NET works");
    }
}
